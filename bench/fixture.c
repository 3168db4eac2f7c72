#include "bench/fixture.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "bench/backend.h"
#include "bench/files.h"
#include "bench/format.h"

enum { FIXTURE_SECONDS = 2 * 3600, NAME = 128 };

vel_err bench_fixture_recipe(vel_ctx *ctx, vel_arena *arena, int64_t cells, int64_t genes, const char **recipe) {
    const int64_t n_pcs = genes - 1 < 30 ? genes - 1 : 30, n_neighbors = cells - 1 < 30 ? cells - 1 : 30;
    return bench_format(ctx, arena, recipe,
                        "simulate n_obs=%" PRId64 " n_vars=%" PRId64
                        " random_seed=0 | filter_and_normalize min_shared_counts=5 | log1p | moments n_pcs=%" PRId64
                        " n_neighbors=%" PRId64 " dtype=float64",
                        cells, genes, n_pcs, n_neighbors);
}

static vel_err recipe_of(vel_ctx *ctx, const bench_line *line, const char **recipe) {
    if (!line->stand_in) return bench_fixture_recipe(ctx, ctx->scratch, line->cells, line->genes, recipe);
    return bench_format(ctx, ctx->scratch, recipe, "simulate n_obs=%" PRId64 " n_vars=%" PRId64 " random_seed=0",
                        line->cells, line->genes);
}

static vel_err key_of(vel_ctx *ctx, const char *recipe, uint64_t *key) {
    const char *program;
    size_t n;
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(bench_read_whole(ctx, ctx->scratch, "/proc/self/exe", &program, &n));
    *key = XXH3_64bits(program, n);
    *key = XXH3_64bits_withSeed(recipe, strlen(recipe), *key);
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* Fixtures of the same shape with another key. */
static void remove_older(const char *folder, const char *stem, const char *keep) {
    DIR *dir = opendir(folder);
    if (!dir) return;
    const size_t n = strlen(stem);
    for (const struct dirent *e; (e = readdir(dir));)
        if (strncmp(e->d_name, stem, n) == 0 && strcmp(e->d_name, keep) != 0) unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
}

static vel_err make(vel_ctx *ctx, bench_run *run, bench_line *line, const char *recipe) {
    const char *argv[10];
    const char *const *env;
    int n = 0;
    for (const char *const *word = run->backends[0].command; *word && n < 4; word++) argv[n++] = *word;
    argv[n++] = "--op";
    argv[n++] = recipe;
    argv[n++] = "--result";
    argv[n++] = line->input;
    argv[n++] = line->stand_in ? "--counts" : "--untimed";
    argv[n] = NULL;
    VEL_TRY(bench_thread_environment(ctx, 1, &env));
    bench_child c;
    VEL_TRY(bench_child_run(
        ctx,
        &(bench_job){.argv = argv, .env = env, .limit_s = FIXTURE_SECONDS, .memory = bench_limit_safe(), .threads = 1},
        &c));
    if (c.outcome == BENCH_OK && access(line->input, R_OK) == 0) return VEL_OK;
    const char *story;
    VEL_TRY(bench_child_story(ctx, &c, &story));
    line->state = BENCH_LINE_FIXTURE;
    VEL_TRY(bench_keep(ctx, run->arena, c.words, &line->words));
    return bench_format(ctx, run->arena, &line->reason, "the fixture could not be made: %s", story);
}

vel_err bench_fixture(vel_ctx *ctx, bench_run *run, bench_line *line) {
    const char *recipe;
    uint64_t key;
    char stem[NAME], name[2 * NAME];
    VEL_TRY(recipe_of(ctx, line, &recipe));
    VEL_TRY(key_of(ctx, recipe, &key));
    snprintf(stem, sizeof stem, "%s-%" PRId64 "x%" PRId64 "-", line->stand_in ? "counts" : "moments", line->cells,
             line->genes);
    snprintf(name, sizeof name, "%s%016" PRIx64 ".h5ad", stem, key);
    VEL_TRY(bench_make_folder(ctx, run->request.cache));
    VEL_TRY(bench_format(ctx, run->arena, &line->input, "%s/%s", run->request.cache, name));
    if (access(line->input, R_OK) == 0) return VEL_OK;
    remove_older(run->request.cache, stem, name);
    return make(ctx, run, line, recipe);
}
