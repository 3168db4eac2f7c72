#include "bench/table.h"

#include "tests/bench/made.h"

static void the_table_shows_every_status_and_its_reason(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *text;
    assert_int_equal(bench_table_text(ctx, run, &text), VEL_OK);
    const char *const wanted[] = {"## Speed",
                                  "## Memory",
                                  "## Vendor",
                                  "A CPU, 2 CPUs, 24 GB",
                                  "2026-01-02",
                                  "PASS 14/14",
                                  "| OOM |",
                                  "| TIMEOUT |",
                                  "| CRASH |",
                                  "| SKIPPED |",
                                  "| FIXTURE |",
                                  "out of memory (cgroup v1)",
                                  "signal 11",
                                  "it is not installed",
                                  "endocrinogenesis_day15.h5ad",
                                  "1 of 27 samples are doubtful: involuntary-switches 1, steal 1,",
                                  "Geometric mean"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strstr(text, wanted[i])) fail_msg("no \"%s\" in\n%s", wanted[i], text);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void scale_stand_in_and_interruption_are_said(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *text;
    run->request.scale = 0.05;
    run->interrupted = true;
    run->lines[0].stand_in = true;
    assert_int_equal(bench_table_text(ctx, run, &text), VEL_OK);
    assert_non_null(strstr(text, "0.05 of its cells"));
    assert_non_null(strstr(text, "(stand-in)"));
    assert_non_null(strstr(text, "interrupted"));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_shows_every_status_and_its_reason),
        cmocka_unit_test(scale_stand_in_and_interruption_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
