#include "bench/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/wire.h"
#include "core/opt.h"
#include "io/h5ad.h"
#include "pipelines/run.h"

typedef struct {
    const char *input, *forget, *before, *op, *result;
    int threads;
    bool untimed, counts;
} job;

static bool read_job(int argc, char **argv, job *j) {
    *j = (job){.before = "", .threads = 1};
    const struct {
        const char *flag;
        const char **value;
    } texts[] = {{"--input", &j->input},
                 {"--forget", &j->forget},
                 {"--before", &j->before},
                 {"--op", &j->op},
                 {"--result", &j->result}};
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof texts / sizeof texts[0] && !known; k++)
            if (strcmp(argv[i], texts[k].flag) == 0 && i + 1 < argc) {
                *texts[k].value = argv[++i];
                known = true;
            }
        if (known) continue;
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            j->threads = (int)strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--untimed") == 0)
            j->untimed = true;
        else if (strcmp(argv[i], "--counts") == 0)
            j->untimed = j->counts = true;
        else
            return false;
    }
    return j->op && j->threads >= 1;
}

/* A rival's driver holds the whole file in memory when its clock starts, and so do we. */
static vel_err read_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)arg;
    const vel_field *f;
    const vel_entry entry = vel_entry_of(ad, path);
    return entry.kind == VEL_DICT || entry.kind == VEL_OTHER ? VEL_OK : vel_get(ctx, ad, path, &f);
}

/* Drops the fields of a list such as "layers/Ms,layers/Mu" that are there. */
static vel_err forget(vel_ctx *ctx, vel_adata *ad, const char *list) {
    for (const char *p = list; p && *p;) {
        const size_t n = strcspn(p, ",");
        char path[256];
        snprintf(path, sizeof path, "%.*s", (int)n, p);
        if (vel_has(ad, path)) VEL_TRY(vel_drop(ctx, ad, path));
        p += n + (p[n] == ',');
    }
    return VEL_OK;
}

/* A published workflow calls its cell types clusters. */
static vel_err name_clusters(vel_ctx *ctx, vel_adata *ad) {
    const vel_field *f;
    if (vel_has(ad, "obs/clusters") || !vel_has(ad, "obs/celltype")) return VEL_OK;
    VEL_TRY(vel_get(ctx, ad, "obs/celltype", &f));
    if (f->kind != VEL_CATEGORICAL) return VEL_OK;
    return vel_put_categorical(ctx, ad, "obs/clusters", f->codes, f->rows, (const char *const *)f->texts,
                               f->n_categories);
}

static vel_err round_to_counts(vel_ctx *ctx, vel_adata *ad, const char *path) {
    vel_field *f;
    VEL_TRY(vel_edit(ctx, ad, path, &f));
    if (f->kind != VEL_DENSE || f->type != VEL_F64) return vel_fail(ctx, VEL_ETYPE, "%s is not dense float64", path);
    double *x = f->data;
    for (int64_t i = 0; i < f->rows * f->cols; i++) x[i] = rint(x[i]);
    return VEL_OK;
}

vel_err bench_make_counts(vel_ctx *ctx, vel_adata *ad) {
    static const char *const layers[] = {"X", "layers/spliced", "layers/unspliced"};
    static const char *const fifths[] = {"first", "second", "third", "fourth", "fifth"};
    const int64_t n = vel_n_obs(ad);
    double *t, last = 0;
    int32_t *codes;
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) VEL_TRY(round_to_counts(ctx, ad, layers[i]));
    VEL_TRY(vel_get_reals(ctx, ad, "obs/true_t", n, &t));
    VEL_TRY(VEL_ALLOC(ctx, codes, n));
    for (int64_t i = 0; i < n; i++) last = t[i] > last ? t[i] : last;
    for (int64_t i = 0; i < n; i++) {
        const int32_t fifth = last > 0 ? (int32_t)(5 * t[i] / last) : 0;
        codes[i] = fifth < 4 ? fifth : 4;
    }
    return vel_put_categorical(ctx, ad, "obs/clusters", codes, n, fifths, 5);
}

static vel_err run_timed(vel_ctx *ctx, const job *j, int fd, vel_adata **ad) {
    if (!j->untimed && !bench_tell_begin(fd)) return vel_fail(ctx, VEL_ETERM, "the runner is gone");
    const int64_t start = bench_now_ns();
    VEL_TRY(vel_run_recipe(ctx, j->op, ad));
    const int64_t wall_ns = bench_now_ns() - start;
    if (!j->untimed && !bench_tell_end(fd, wall_ns)) return vel_fail(ctx, VEL_ETERM, "the runner is gone");
    return VEL_OK;
}

static vel_err work(vel_ctx *ctx, const job *j, int fd, vel_adata **ad) {
    if (j->input) {
        VEL_TRY(vel_h5ad_open(ctx, j->input, ad));
        VEL_TRY(vel_each(ctx, *ad, read_field, NULL));
        VEL_TRY(name_clusters(ctx, *ad));
        VEL_TRY(forget(ctx, *ad, j->forget));
    }
    if (*j->before) VEL_TRY(vel_run_recipe(ctx, j->before, ad));
    VEL_TRY(run_timed(ctx, j, fd, ad));
    if (j->counts) VEL_TRY(bench_make_counts(ctx, *ad));
    if (j->result) VEL_TRY(vel_h5ad_write(ctx, *ad, j->result));
    char frame[256];
    snprintf(frame, sizeof frame,
             "{\"versions\": {\"vel\": \"%s\"}, \"threads\": %d, \"cells\": %lld, \"genes\": %lld}", VEL_VERSION,
             j->threads, (long long)vel_n_obs(*ad), (long long)vel_n_vars(*ad));
    if (!bench_tell_frame(fd, frame)) return vel_fail(ctx, VEL_ETERM, "the runner is gone");
    return VEL_OK;
}

int bench_worker_main(int argc, char **argv) {
    job j;
    if (!read_job(argc, argv, &j)) {
        fputs("velbench worker: not a job\n", stderr);
        return vel_err_exit(VEL_EUSAGE);
    }
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = j.threads};
    vel_adata *ad = NULL;
    const vel_err e = ctx.scratch ? work(&ctx, &j, bench_result_fd(), &ad) : VEL_ENOMEM;
    if (e != VEL_OK) fprintf(stderr, "%s: %s\n", vel_err_words(e), ctx.message);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
