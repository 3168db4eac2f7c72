#include "bench/fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "bench/backend.h"
#include "bench/files.h"
#include "bench/format.h"

enum { FIXTURE_SECONDS = 2 * 3600, IN_USE_SECONDS = 1800, NAME = 128, MOST_WORDS = 24 };

vel_err bench_simulate_recipe(vel_ctx *ctx, vel_arena *arena, int64_t cells, int64_t genes, const char **recipe) {
    return bench_format(ctx, arena, recipe, "simulate n_obs=%" PRId64 " n_vars=%" PRId64 " random_seed=0", cells,
                        genes);
}

vel_err bench_fixture_recipe(vel_ctx *ctx, vel_arena *arena, int64_t cells, int64_t genes, const char *steps,
                             const char **recipe) {
    const int64_t n_pcs = genes - 1 < 30 ? genes - 1 : 30, n_neighbors = cells - 1 < 30 ? cells - 1 : 30;
    const char *simulate;
    VEL_TRY(bench_simulate_recipe(ctx, ctx->scratch, cells, genes, &simulate));
    if (steps) return bench_format(ctx, arena, recipe, "%s%s%s", simulate, *steps ? " | " : "", steps);
    return bench_format(ctx, arena, recipe,
                        "%s | filter_and_normalize min_shared_counts=5 | log1p | moments n_pcs=%" PRId64
                        " n_neighbors=%" PRId64 " dtype=float64",
                        simulate, n_pcs, n_neighbors);
}

static bench_form form_of(const bench_line *line) { return line->stand_in ? BENCH_COUNTS : line->row->form; }

static const char *packing_of(const bench_line *line) {
    return line->row->packing && line->row->scope == BENCH_SCOPE_READ ? line->row->packing : "";
}

/* Of all that makes a fixture what it is, but for the program; and of the program. */
static vel_err keys_of(vel_ctx *ctx, const bench_line *line, uint64_t *what, uint64_t *who) {
    const char *program, *all;
    size_t n;
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(bench_format(ctx, ctx->scratch, &all, "%s; %s; %s", line->fixture, bench_form_word(form_of(line)),
                         packing_of(line)));
    *what = XXH3_64bits(all, strlen(all));
    VEL_TRY(bench_read_whole(ctx, ctx->scratch, "/proc/self/exe", &program, &n));
    *who = XXH3_64bits(program, n);
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* Fixtures of the same shape that another program made and that nobody has used for a while: another run may be at
 * work beside this one. */
static void remove_older(const char *folder, const char *stem, const char *ours) {
    DIR *dir = opendir(folder);
    if (!dir) return;
    const size_t n = strlen(stem), m = strlen(ours);
    for (const struct dirent *e; (e = readdir(dir));) {
        const size_t length = strlen(e->d_name);
        const bool same_end = length >= m && strcmp(e->d_name + length - m, ours) == 0;
        struct stat st;
        if (strncmp(e->d_name, stem, n) != 0 || same_end) continue;
        if (fstatat(dirfd(dir), e->d_name, &st, 0) == 0 && time(NULL) - st.st_mtime > IN_USE_SECONDS)
            unlinkat(dirfd(dir), e->d_name, 0);
    }
    closedir(dir);
}

static vel_err fail_line(vel_ctx *ctx, bench_run *run, bench_line *line, const bench_child *c) {
    const char *story;
    VEL_TRY(bench_child_story(ctx, c, &story));
    line->state = BENCH_LINE_FIXTURE;
    VEL_TRY(bench_keep(ctx, run->arena, c->words, &line->words));
    return bench_format(ctx, run->arena, &line->reason, "the fixture could not be made: %s", story);
}

/* Runs a program of `command` with these options, the last of them a result's file. */
static vel_err make_by(vel_ctx *ctx, bench_run *run, bench_line *line, const char *const *command,
                       const char *const *options, const char *file) {
    const char *argv[MOST_WORDS];
    const char *const *env;
    int n = 0;
    for (const char *const *word = command; *word && n < 4; word++) argv[n++] = *word;
    for (const char *const *word = options; *word && n < MOST_WORDS - 3; word++) argv[n++] = *word;
    argv[n++] = "--result";
    argv[n++] = file;
    argv[n] = NULL;
    VEL_TRY(bench_thread_environment(ctx, 1, &env));
    const bench_job job = {.argv = argv,
                           .env = env,
                           .limit_s = line->making_s > 0 ? line->making_s : FIXTURE_SECONDS,
                           .memory = bench_limit_safe(),
                           .threads = 1};
    bench_child c;
    VEL_TRY(bench_child_run(ctx, &job, &c));
    return c.outcome == BENCH_OK && access(file, R_OK) == 0 ? VEL_OK : fail_line(ctx, run, line, &c);
}

static vel_err make_plain(vel_ctx *ctx, bench_run *run, bench_line *line, const char *file) {
    const char *const options[] = {"--op", line->fixture, "--untimed", "--form", bench_form_word(form_of(line)), NULL};
    return make_by(ctx, run, line, run->backends[0].command, options, file);
}

/* The reference's driver writes what this program made again: compressed. */
static vel_err make_packed(vel_ctx *ctx, bench_run *run, bench_line *line) {
    const char *python, *folder, *script, *plain;
    VEL_TRY(bench_rival_python(ctx, ctx->scratch, &python));
    VEL_TRY(bench_rival_folder(ctx, ctx->scratch, &folder));
    VEL_TRY(bench_format(ctx, ctx->scratch, &script, "%s/scvelo_driver.py", folder ? folder : "bench/rivals"));
    if (access(python, X_OK) != 0) {
        line->state = BENCH_LINE_SKIPPED;
        return bench_format(ctx, run->arena, &line->reason,
                            "compressed files are made by h5py, and there is no Python environment at %s: velbench "
                            "rivals --setup",
                            python);
    }
    VEL_TRY(bench_format(ctx, ctx->scratch, &plain, "%s.plain", line->input));
    VEL_TRY(make_plain(ctx, run, line, plain));
    const char *const command[] = {python, script, NULL};
    const char *const options[] = {"--input",   plain,       "--op",           "",  "--scope", "write",
                                   "--untimed", "--packing", packing_of(line), NULL};
    vel_err e = VEL_OK;
    if (line->state == BENCH_LINE_PENDING) e = make_by(ctx, run, line, command, options, line->input);
    unlink(plain);
    return e;
}

vel_err bench_fixture(vel_ctx *ctx, bench_run *run, bench_line *line) {
    uint64_t what, who;
    char stem[NAME], end[NAME];
    VEL_TRY(bench_fixture_recipe(ctx, run->arena, line->cells, line->genes, line->stand_in ? "" : line->row->fixture,
                                 &line->fixture));
    VEL_TRY(keys_of(ctx, line, &what, &who));
    snprintf(stem, sizeof stem, "input-%" PRId64 "x%" PRId64 "-", line->cells, line->genes);
    snprintf(end, sizeof end, "-%016" PRIx64 ".h5ad", who);
    VEL_TRY(bench_make_folder(ctx, run->request.cache));
    VEL_TRY(bench_format(ctx, run->arena, &line->input, "%s/%s%016" PRIx64 "%s", run->request.cache, stem, what, end));
    if (utimensat(AT_FDCWD, line->input, NULL, 0) == 0) return VEL_OK; /* there, and in use from now on */
    line->made_now = true;
    remove_older(run->request.cache, stem, end);
    return *packing_of(line) ? make_packed(ctx, run, line) : make_plain(ctx, run, line, line->input);
}
