#include "bench/result.h"

#include <math.h>

#include "bench/made.h"

static void exit_codes_put_failure_before_drift(void **state) {
    bench_run *run = made_run();
    assert_int_equal(bench_exit_code(run), 3); /* a fixture failed, a rival crashed */
    for (int i = 0; i < run->n_lines; i++)
        if (run->lines[i].state == BENCH_LINE_FIXTURE) run->lines[i].state = BENCH_LINE_SKIPPED;
    for (int i = 0; i < run->n_lines; i++)
        if (run->lines[i].cell[1].outcome == BENCH_SIGNAL) run->lines[i].cell[1].outcome = BENCH_OK;
    assert_int_equal(bench_exit_code(run), 0); /* OOM and TIMEOUT of a rival are findings */
    run->lines[1].cell[0].parity.passes = false;
    assert_int_equal(bench_exit_code(run), 1);
    run->lines[0].cell[0].outcome = BENCH_TIMEOUT;
    assert_int_equal(bench_exit_code(run), 3);
    run->interrupted = true;
    assert_int_equal(bench_exit_code(run), 130);
    made_run_free(run);
    (void)state;
}

static void ratios_are_the_others_need_over_ours(void **state) {
    bench_run *run = made_run();
    assert_true(run->lines[0].cell[1].wall.ratio > 50);    /* 30 s over 0.5 s */
    assert_true(run->lines[2].cell[1].memory.ratio > 3.5); /* 82 MB over 22 MB */
    assert_true(isnan(run->lines[3].cell[1].wall.ratio));  /* it ran out of memory */
    assert_true(bench_mean_ratio(run, 1, BENCH_SPEED) > 50);
    assert_true(isnan(bench_mean_ratio(run, 2, BENCH_SPEED)));
    made_run_free(run);
    (void)state;
}

static void memory_below_a_megabyte_has_no_ratio(void **state) {
    bench_run *run = made_run();
    run->lines[2].cell[0].samples[0].peak_added_kb = 100;
    bench_conclude_line(run, &run->lines[2]);
    assert_true(isnan(run->lines[2].cell[1].memory.ratio));
    assert_false(isnan(run->lines[2].cell[1].wall.ratio));
    made_run_free(run);
    (void)state;
}

static void doubtful_samples_are_kept_and_counted(void **state) {
    bench_run *run = made_run();
    const bench_cell *c = &run->lines[0].cell[0];
    assert_int_equal(c->wall_s.n, 3);
    assert_int_equal(c->clean_wall_s.n, 2);
    assert_int_equal(c->doubtful, 1);
    made_run_free(run);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_codes_put_failure_before_drift),
        cmocka_unit_test(ratios_are_the_others_need_over_ours),
        cmocka_unit_test(memory_below_a_megabyte_has_no_ratio),
        cmocka_unit_test(doubtful_samples_are_kept_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
