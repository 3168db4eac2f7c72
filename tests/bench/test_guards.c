#include "bench/guards.h"

#include "tests/bench/made.h"

static const bench_sample clean = {.wall_ns = 1000000000, .cpu_ns = 999000000, .nivcsw = 3};

static unsigned doubts_of(bench_sample s, int threads) { return bench_doubts(&s, threads, 1000, 1000); }

static void a_quiet_sample_has_no_doubts(void **state) {
    assert_int_equal(doubts_of(clean, 1), 0);
    (void)state;
}

static void each_disturbance_has_its_own(void **state) {
    bench_sample s = clean;
    s.nivcsw = 101; /* more than 0.1 a millisecond */
    assert_int_equal(doubts_of(s, 1), BENCH_SWITCHED);
    s = clean;
    s.steal_ticks = 1;
    assert_int_equal(doubts_of(s, 1), BENCH_STOLEN);
    s = clean;
    s.cpu_ns = 970000000;
    assert_int_equal(doubts_of(s, 1), BENCH_STARVED);
    assert_int_equal(doubts_of(s, 2), 0); /* several threads may wait for each other */
    s = clean;
    s.majflt = 1;
    assert_int_equal(doubts_of(s, 1), BENCH_PAGED);
    s = clean;
    s.pressure_us = 60000; /* 6 % of the second */
    assert_int_equal(doubts_of(s, 1), BENCH_CROWDED);
    assert_int_equal(bench_doubts(&clean, 1, 1000, 1030), BENCH_SLOWED);
    assert_int_equal(bench_doubts(&clean, 1, 1030, 1000), BENCH_SLOWED);
    (void)state;
}

static void every_doubt_has_a_word_of_its_own(void **state) {
    for (int i = 0; i < BENCH_N_DOUBTS; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(bench_doubt_word(i), bench_doubt_word(k));
    (void)state;
}

static void findings_are_all_told_even_where_the_machine_is_mute(void **state) {
    bench_finding list[BENCH_MOST_FINDINGS];
    const int n = bench_findings(1, list, BENCH_MOST_FINDINGS);
    assert_true(n >= 10);
    for (int i = 0; i < n; i++) assert_true(list[i].name && list[i].value[0]);
    assert_int_equal(bench_findings(1, list, 3), 3);
    (void)state;
}

static void more_threads_than_cpus_is_a_warning(void **state) {
    bench_finding list[BENCH_MOST_FINDINGS];
    const int n = bench_findings(100000, list, BENCH_MOST_FINDINGS);
    bool warned = false;
    for (int i = 0; i < n; i++) warned = warned || (strcmp(list[i].name, "cpus") == 0 && list[i].warn);
    assert_true(warned);
    (void)state;
}

static void the_sentinel_takes_about_a_millisecond(void **state) {
    const int64_t ns = bench_sentinel_ns();
    assert_true(ns > 50000 && ns < 200000000);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_sample_has_no_doubts),
        cmocka_unit_test(each_disturbance_has_its_own),
        cmocka_unit_test(every_doubt_has_a_word_of_its_own),
        cmocka_unit_test(findings_are_all_told_even_where_the_machine_is_mute),
        cmocka_unit_test(more_threads_than_cpus_is_a_warning),
        cmocka_unit_test(the_sentinel_takes_about_a_millisecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
