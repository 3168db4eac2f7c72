#include "bench/worker.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "bench/child.h"
#include "bench/wire.h"
#include "io/h5ad.h"
#include "tests/bench/made.h"

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

/* A file of counts to work on, made by an untimed job. */
static void make_input(vel_ctx *ctx, char *path) {
    strcpy(path, "/tmp/velbench-test-XXXXXX");
    close(mkstemp(path));
    const char *const argv[] = {
        "/proc/self/exe", "worker", "--op", "simulate n_obs=200 n_vars=40 random_seed=0", "--result", path, "--untimed",
        "--form",         "csr",    NULL};
    const bench_child c = run(ctx, argv);
    if (c.outcome != BENCH_OK) fail_msg("%s", c.words);
    assert_false(c.timed);
}

static void what_is_to_be_forgotten_is_gone_before_the_clock_starts(void **state) {
    vel_ctx *ctx = made_ctx();
    char input[64], result[64];
    vel_adata *ad;
    make_input(ctx, input);
    strcpy(result, "/tmp/velbench-test-XXXXXX");
    close(mkstemp(result));
    const char *const argv[] = {
        "/proc/self/exe", "worker", "--input",  input,  "--forget", "layers/unspliced,layers/nowhere",
        "--op",           "log1p",  "--result", result, NULL};
    const bench_child c = run(ctx, argv);
    if (c.outcome != BENCH_OK) fail_msg("%s", c.words);
    assert_int_equal(vel_h5ad_open(ctx, result, &ad), VEL_OK);
    assert_true(vel_has(ad, "layers/spliced") && !vel_has(ad, "layers/unspliced"));
    vel_adata_free(ad);
    unlink(input);
    unlink(result);
    made_ctx_free(ctx);
    (void)state;
}

static int64_t told(const bench_child *c, const char *name) {
    json_t *frame = json_loads(c->frame, 0, NULL);
    const int64_t n = json_integer_value(json_object_get(json_object_get(frame, "bytes"), name));
    json_decref(frame);
    return n;
}

static void each_scope_tells_its_bytes(void **state) {
    vel_ctx *ctx = made_ctx();
    char input[64], result[64];
    const char *const scopes[] = {"op", "read", "write", "whole"};
    make_input(ctx, input);
    strcpy(result, "/tmp/velbench-test-XXXXXX");
    close(mkstemp(result));
    for (size_t i = 0; i < 4; i++) {
        const char *const argv[] = {"/proc/self/exe", "worker", "--input",  input,  "--scope", scopes[i],
                                    "--op",           "log1p",  "--result", result, NULL};
        const bench_child c = run(ctx, argv);
        if (c.outcome != BENCH_OK) fail_msg("%s: %s", scopes[i], c.words);
        assert_true(c.timed && c.sample.wall_ns > 0);
        assert_int_equal(told(&c, "data") > 3 * 200 * 8, i == 1 || i == 2);
        assert_int_equal(told(&c, "results") > 200 * 8, i == 0 || i == 3);
        assert_int_equal(told(&c, "inputs") > 200 * 8, i == 3);
        assert_int_equal(told(&c, "budget"), -1);
    }
    unlink(input);
    unlink(result);
    made_ctx_free(ctx);
    (void)state;
}

static void a_budget_is_told_and_kept(void **state) {
    vel_ctx *ctx = made_ctx();
    char input[64], result[64];
    make_input(ctx, input);
    strcpy(result, "/tmp/velbench-test-XXXXXX");
    close(mkstemp(result));
    const char *const argv[] = {"/proc/self/exe", "worker",   "--input", input,  "--scope",
                                "whole",          "--within", "0.5",     "--op", "filter_and_normalize | log1p",
                                "--result",       result,     NULL};
    const bench_child c = run(ctx, argv);
    if (c.outcome != BENCH_OK) fail_msg("%s", c.words);
    assert_true(told(&c, "budget") > 0 && told(&c, "estimate") > 0);
    unlink(input);
    unlink(result);
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
        cmocka_unit_test(what_is_to_be_forgotten_is_gone_before_the_clock_starts),
        cmocka_unit_test(each_scope_tells_its_bytes),
        cmocka_unit_test(a_budget_is_told_and_kept),
        cmocka_unit_test(a_recipe_that_fails_is_an_exit_status_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
