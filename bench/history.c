#include "bench/history.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "bench/files.h"
#include "bench/format.h"
#include "core/text.h"
#include "io/json.h"

json_t *bench_history_line(const bench_run *run) {
    json_t *ratios = json_object(), *walls = json_object();
    for (int b = 0; b < run->n_backends; b++) {
        json_t *of = json_object();
        for (int i = 0; i < run->n_lines; i++) {
            const bench_line *line = &run->lines[i];
            if (line->state != BENCH_LINE_RAN) continue;
            const bench_cell *c = &line->cell[b];
            const double ratio = bench_is_memory(line->row->kind) ? c->memory.ratio : c->wall.ratio;
            if (b && isfinite(ratio)) json_object_set_new(of, line->row->name, json_real(ratio));
            if (!b && isfinite(c->wall_s.median))
                json_object_set_new(walls, line->row->name, json_real(c->wall_s.median));
        }
        if (b) json_object_set(ratios, run->backends[b].name, of);
        json_decref(of);
    }
    return json_pack("{s:o, s:o, s:s, s:f, s:i, s:i, s:o, s:b, s:o, s:o}", "time", vel_json_text(run->started),
                     "commit", vel_json_text(run->host.commit), "set", bench_set_word(run->request.set), "scale",
                     run->request.scale, "repeat", run->request.repeat, "threads", run->request.threads, "cpu",
                     vel_json_text(run->host.cpu), "interrupted", run->interrupted, "ratios", ratios, "wall_s", walls);
}

vel_err bench_history_read(vel_ctx *ctx, const char *path, json_t **lines) {
    const char *all;
    size_t n;
    VEL_TRY(bench_read_whole(ctx, ctx->scratch, path, &all, &n));
    *lines = json_array();
    for (const char *p = all; p && *p;) {
        const size_t length = strcspn(p, "\n");
        json_t *line = json_loadb(p, length, 0, NULL);
        if (json_is_object(line)) json_array_append(*lines, line);
        json_decref(line);
        p += length + (p[length] == '\n');
    }
    return VEL_OK;
}

static bool of_same_run(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "time"), json_object_get(b, "time")) &&
           json_equal(json_object_get(a, "commit"), json_object_get(b, "commit")) &&
           json_equal(json_object_get(a, "set"), json_object_get(b, "set"));
}

static void put(json_t *lines, json_t *line) {
    const size_t n = json_array_size(lines);
    if (n && of_same_run(json_array_get(lines, n - 1), line)) json_array_remove(lines, n - 1);
    json_array_append(lines, line);
    while (json_array_size(lines) > BENCH_HISTORY) json_array_remove(lines, 0);
}

static vel_err write_lines(vel_ctx *ctx, const json_t *lines, const char *path) {
    vel_text all = vel_text_new(ctx->scratch);
    const char *chars;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        char *line = json_dumps(json_array_get(lines, i), JSON_COMPACT | JSON_REAL_PRECISION(17));
        if (!line) return vel_no_memory(ctx, 1, 1);
        vel_text_add(&all, "%s\n", line);
        free(line);
    }
    VEL_TRY(vel_text_done(ctx, &all, &chars));
    return bench_write_whole(ctx, path, chars, strlen(chars));
}

static vel_err write_locked(vel_ctx *ctx, const bench_run *run, const char *path) {
    json_t *lines;
    VEL_TRY(bench_history_read(ctx, path, &lines));
    json_t *line = bench_history_line(run);
    put(lines, line);
    const vel_err e = write_lines(ctx, lines, path);
    json_decref(line);
    json_decref(lines);
    return e;
}

vel_err bench_history_write(vel_ctx *ctx, const bench_run *run, const char *path) {
    const char *slash = strrchr(path, '/'), *folder = ".";
    if (slash) VEL_TRY(bench_format(ctx, ctx->scratch, &folder, "%.*s", (int)(slash - path + 1), path));
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return vel_fail(ctx, VEL_EWRITE, "%s: %s", folder, strerror(errno));
    flock(fd, LOCK_EX); /* where a file system has no locks, the rename alone keeps the file whole */
    const vel_err e = write_locked(ctx, run, path);
    close(fd);
    return e;
}
