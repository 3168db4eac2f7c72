#include "bench/result.h"

#include <math.h>

#include "tests/bench/made.h"

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

static void a_step_has_a_share_of_its_results_and_a_process_of_its_inputs_too(void **state) {
    bench_run *run = made_run();
    bench_line *lean = &run->lines[2];
    const bench_row whole = {.name = "whole_x", .kind = BENCH_WHOLE};
    assert_true(fabs(bench_share(lean, &lean->cell[0]) - 22.0 / 16) < 1e-9); /* 22 MB for 16 MB of results */
    lean->row = &whole;
    assert_true(isnan(bench_share(lean, &lean->cell[0]))); /* no inputs told */
    lean->bytes.inputs = 4 << 20;
    for (int i = 0; i < lean->cell[0].n; i++) lean->cell[0].samples[i].peak_rss_kb = 30 << 10;
    bench_conclude_line(run, lean);
    assert_true(fabs(lean->cell[0].share - 30.0 / 20) < 1e-9);
    lean->bytes.results = 1000; /* less than a ratio needs */
    lean->bytes.inputs = 1000;
    assert_true(isnan(bench_share(lean, &lean->cell[0])));
    made_run_free(run);
    (void)state;
}

static void the_gain_of_threads_is_over_the_same_work_with_one(void **state) {
    bench_run *run = made_run();
    bench_line *one = &run->lines[0], *two = &run->lines[1];
    two->threads = 2;
    two->cells = 49999; /* of other work */
    bench_conclude_run(run);
    assert_true(isnan(two->cell[0].gain));
    two->row = one->row;
    two->cells = one->cells;
    two->op = one->op;
    bench_conclude_run(run);
    assert_true(fabs(two->cell[0].gain - one->cell[0].wall_s.median / two->cell[0].wall_s.median) < 1e-12);
    assert_true(isnan(one->cell[0].gain));
    made_run_free(run);
    (void)state;
}

static void reading_and_writing_are_weighed_against_what_the_disk_takes(void **state) {
    static const bench_row read = {.cold = true}, write = {0};
    double plain_s[] = {0.4, 0.9, 0.5}, load_s[] = {0.5, 1.0, 0.6};
    bench_line line = {.row = &read, .plain_s = plain_s, .load_s = load_s, .n_plain = 3};
    bench_cell cell = {.n = 3, .wall_s = {.median = 0.625}};
    assert_true(bench_plain_s(&line) == 0.5);
    assert_true(bench_disk_share(&line, &cell) == 0.8);
    assert_true(bench_load_s(&line) == 0.6);
    assert_true(bench_load_share(&line, &cell) == 0.96);
    line.warm = true;
    assert_true(isnan(bench_disk_share(&line, &cell)) && isnan(bench_load_share(&line, &cell)));
    line = (bench_line){.row = &write, .plain_s = plain_s, .load_s = load_s, .n_plain = 3};
    assert_true(bench_plain_s(&line) == 0.5 && isnan(bench_load_s(&line)));
    line = (bench_line){.row = &read};
    assert_true(isnan(bench_plain_s(&line)) && isnan(bench_load_s(&line)));
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_codes_put_failure_before_drift),
        cmocka_unit_test(ratios_are_the_others_need_over_ours),
        cmocka_unit_test(memory_below_a_megabyte_has_no_ratio),
        cmocka_unit_test(doubtful_samples_are_kept_and_counted),
        cmocka_unit_test(a_step_has_a_share_of_its_results_and_a_process_of_its_inputs_too),
        cmocka_unit_test(the_gain_of_threads_is_over_the_same_work_with_one),
        cmocka_unit_test(reading_and_writing_are_weighed_against_what_the_disk_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
