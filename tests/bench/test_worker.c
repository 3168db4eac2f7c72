#include "bench/worker.h"

#include <math.h>
#include <unistd.h>

#include "bench/child.h"
#include "bench/made.h"
#include "bench/wire.h"
#include "io/h5ad.h"

static bench_child run(vel_ctx *ctx, const char *const *argv) {
    bench_child c;
    assert_int_equal(bench_child_run(ctx, &(bench_job){.argv = argv, .limit_s = 120, .threads = 1}, &c), VEL_OK);
    return c;
}

static void a_recipe_is_timed_and_its_result_written(void **state) {
    vel_ctx *ctx = made_ctx();
    char path[64] = "/tmp/velbench-test-XXXXXX";
    vel_adata *ad;
    close(mkstemp(path));
    const char *const argv[] = {"/proc/self/exe", "worker", "--op", "simulate n_obs=60 n_vars=8 random_seed=0",
                                "--result",       path,     NULL};
    const bench_child c = run(ctx, argv);
    if (c.outcome != BENCH_OK) fail_msg("%s", c.words);
    assert_true(c.timed && c.sample.wall_ns > 0);
    assert_non_null(strstr(c.frame, "\"cells\": 60"));
    assert_int_equal(vel_h5ad_open(ctx, path, &ad), VEL_OK);
    assert_int_equal(vel_n_obs(ad), 60);
    assert_true(vel_has(ad, "layers/spliced"));
    vel_adata_free(ad);
    unlink(path);
    made_ctx_free(ctx);
    (void)state;
}

static void counts_are_whole_numbers_with_clusters(void **state) {
    vel_ctx *ctx = made_ctx();
    char path[64] = "/tmp/velbench-test-XXXXXX";
    vel_adata *ad;
    const vel_field *f;
    close(mkstemp(path));
    const char *const argv[] = {"/proc/self/exe", "worker", "--op",     "simulate n_obs=60 n_vars=8 random_seed=0",
                                "--result",       path,     "--counts", NULL};
    const bench_child c = run(ctx, argv);
    if (c.outcome != BENCH_OK) fail_msg("%s", c.words);
    assert_false(c.timed);
    assert_int_equal(vel_h5ad_open(ctx, path, &ad), VEL_OK);
    assert_int_equal(vel_get(ctx, ad, "layers/unspliced", &f), VEL_OK);
    for (int64_t i = 0; i < f->rows * f->cols; i++) assert_true(((double *)f->data)[i] == rint(((double *)f->data)[i]));
    assert_int_equal(vel_get(ctx, ad, "obs/clusters", &f), VEL_OK);
    assert_int_equal(f->n_categories, 5);
    vel_adata_free(ad);
    unlink(path);
    made_ctx_free(ctx);
    (void)state;
}

static void a_recipe_that_fails_is_an_exit_status_with_its_reason(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *const unknown[] = {"/proc/self/exe", "worker", "--op", "no_such_step", NULL};
    const char *const missing[] = {"/proc/self/exe", "worker", "--input", "/nowhere.h5ad", "--op", "log1p", NULL};
    const char *const no_job[] = {"/proc/self/exe", "worker", "--op", NULL};
    bench_child c = run(ctx, unknown);
    assert_true(c.outcome == BENCH_EXIT && c.code == 2 && strstr(c.words, "no_such_step"));
    c = run(ctx, missing);
    assert_true(c.outcome == BENCH_EXIT && c.code == 3 && strstr(c.words, "/nowhere.h5ad"));
    c = run(ctx, no_job);
    assert_true(c.outcome == BENCH_EXIT && c.code == 2);
    made_ctx_free(ctx);
    (void)state;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return bench_worker_main(argc - 1, argv + 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recipe_is_timed_and_its_result_written),
        cmocka_unit_test(counts_are_whole_numbers_with_clusters),
        cmocka_unit_test(a_recipe_that_fails_is_an_exit_status_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
