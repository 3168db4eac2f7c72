#include "bench/host.h"

#include <ctype.h>

#include "tests/bench/made.h"

static void the_host_is_described(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *line;
    assert_int_equal(bench_host_look(ctx, run), VEL_OK);
    assert_true(run->host.cpus > 0 && run->host.memory_kb > 0 && run->host.n_findings > 0);
    assert_non_null(run->host.kernel);
    assert_non_null(run->host.compiler);
    assert_int_equal(bench_host_line(ctx, &run->host, &line), VEL_OK);
    assert_non_null(strstr(line, "CPUs"));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void the_time_is_utc_in_iso_8601(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *now;
    assert_int_equal(bench_time_now(ctx, ctx->scratch, &now), VEL_OK);
    assert_int_equal(strlen(now), 20);
    assert_true(isdigit((unsigned char)now[0]) && now[10] == 'T' && now[19] == 'Z');
    made_ctx_free(ctx);
    (void)state;
}

static void only_variables_that_are_set_are_told(void **state) {
    const char *name, *value;
    bool seen = false;
    setenv("OMP_PROC_BIND", "close", 1);
    unsetenv("RAYON_NUM_THREADS");
    for (int i = 0; bench_host_variable(i, &name, &value); i++) {
        assert_string_not_equal(name, "RAYON_NUM_THREADS");
        seen = seen || (strcmp(name, "OMP_PROC_BIND") == 0 && strcmp(value, "close") == 0);
    }
    assert_true(seen);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_is_described),
        cmocka_unit_test(the_time_is_utc_in_iso_8601),
        cmocka_unit_test(only_variables_that_are_set_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
