#include "bench/backend.h"

#include "tests/bench/made.h"

static bench_run *empty_run(void) {
    bench_run *run = calloc(1, sizeof *run);
    run->arena = vel_arena_new();
    run->request.threads = 1;
    return run;
}

static void ours_comes_first_and_self_is_ours_again(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = empty_run();
    assert_int_equal(bench_backends(ctx, run, "self"), VEL_OK);
    assert_int_equal(run->n_backends, 2);
    assert_string_equal(run->backends[0].name, "vel");
    assert_string_equal(run->backends[1].name, "self");
    assert_ptr_equal(run->backends[0].command, run->backends[1].command);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void none_is_alone_and_a_rival_counts_once(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = empty_run();
    assert_int_equal(bench_backends(ctx, run, "none"), VEL_OK);
    assert_int_equal(run->n_backends, 1);
    assert_int_equal(bench_backends(ctx, run, "self,self"), VEL_OK);
    assert_int_equal(run->n_backends, 2);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void an_unknown_rival_is_wrong_usage(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = empty_run();
    assert_int_equal(bench_backends(ctx, run, "self,velocyto"), VEL_EUSAGE);
    assert_non_null(strstr(ctx->message, "velocyto"));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_rival_without_an_interpreter_says_what_to_do(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = empty_run();
    setenv("VELBENCH_PYTHON", "/nowhere/python", 1);
    assert_int_equal(bench_backends(ctx, run, "scvelo"), VEL_OK);
    assert_non_null(strstr(run->backends[1].missing, "velbench rivals --setup"));
    assert_true(run->backends[1].reference);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void an_interpreter_that_does_not_work_is_told(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = empty_run();
    setenv("VELBENCH_PYTHON", "/bin/false", 1);
    assert_int_equal(bench_backends(ctx, run, "scvelo-rs"), VEL_OK);
    assert_non_null(run->backends[1].missing);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void every_library_is_held_to_the_same_threads(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *const *env;
    int n = 0;
    bool rayon = false;
    assert_int_equal(bench_thread_environment(ctx, 3, &env), VEL_OK);
    for (; env[n]; n++) {
        assert_string_equal(strchr(env[n], '='), "=3");
        rayon = rayon || strcmp(env[n], "RAYON_NUM_THREADS=3") == 0;
    }
    assert_true(n >= 5 && rayon);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ours_comes_first_and_self_is_ours_again),
        cmocka_unit_test(none_is_alone_and_a_rival_counts_once),
        cmocka_unit_test(an_unknown_rival_is_wrong_usage),
        cmocka_unit_test(a_rival_without_an_interpreter_says_what_to_do),
        cmocka_unit_test(an_interpreter_that_does_not_work_is_told),
        cmocka_unit_test(every_library_is_held_to_the_same_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
