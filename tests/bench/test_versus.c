#include "bench/versus.h"

#include <math.h>
#include <stdint.h>

#include "tests/bench/made.h"

/* A fixed stream (xorshift64*), uniform in 1 -+ size. */
static double noise(uint64_t *stream, double size) {
    *stream ^= *stream >> 12;
    *stream ^= *stream << 25;
    *stream ^= *stream >> 27;
    return 1 + size * ((double)(*stream * 2685821657736338717u >> 11) / 4503599627370496.0 - 1);
}

static bench_versus pair_from(uint64_t stream, int n, double factor, double size) {
    double a[64], b[64];
    for (int i = 0; i < n; i++) {
        a[i] = noise(&stream, size);
        b[i] = factor * noise(&stream, size);
    }
    return bench_compare(a, b, n);
}

static bench_versus pair(int n, double factor, double size) { return pair_from(1, n, factor, size); }

static void a_program_against_itself_is_the_same(void **state) {
    const bench_versus v = pair(9, 1, 0.004);
    assert_int_equal(v.verdict, BENCH_SAME);
    assert_true(fabs(v.ratio - 1) < 0.01); /* the noise is 0.4 % */
    (void)state;
}

static void noisy_repeats_of_one_program_seldom_give_a_false_verdict(void **state) {
    enum { TRIALS = 1000 };
    int wrong = 0;
    for (uint64_t trial = 1; trial <= TRIALS; trial++) {
        const bench_verdict v = pair_from(trial * 0x9e3779b97f4a7c15u, 3 + (int)(trial % 10), 1, 0.3).verdict;
        wrong += v == BENCH_LESS || v == BENCH_MORE;
    }
    assert_true(wrong <= TRIALS / 20); /* the level of a single test; a run of many is corrected further */
    (void)state;
}

static void a_clear_difference_is_told_with_its_direction(void **state) {
    assert_int_equal(pair(9, 3, 0.02).verdict, BENCH_MORE);
    assert_int_equal(pair(9, 0.4, 0.02).verdict, BENCH_LESS);
    assert_true(pair(9, 3, 0.02).p <= 2.0 / 512); /* all nine signs agree: 2 of 2^9 flips are as extreme */
    assert_true(pair(18, 3, 0.02).p < 0.01);
    (void)state;
}

static void fewer_than_six_pairs_settle_nothing(void **state) {
    assert_int_equal(pair(5, 10, 0.001).verdict, BENCH_INCONCLUSIVE);
    assert_int_equal(pair(1, 10, 0.001).verdict, BENCH_INCONCLUSIVE);
    assert_true(fabs(pair(1, 10, 0).ratio - 10) < 1e-12); /* exp(log(10)): some ulp */
    (void)state;
}

static void what_is_not_positive_has_no_ratio(void **state) {
    const double a[] = {1, 0}, b[] = {1, 1};
    assert_true(isnan(bench_compare(a, b, 2).ratio));
    assert_true(isnan(bench_compare(a, b, 0).ratio));
    (void)state;
}

static void holm_takes_back_what_one_in_many_would_show_by_chance(void **state) {
    bench_versus weak = {.p = 0.03, .verdict = BENCH_MORE}, strong = {.p = 0.001, .verdict = BENCH_LESS};
    bench_versus same = {.p = 0.9, .verdict = BENCH_SAME};
    bench_versus *tests[] = {&weak, &same, &strong};
    bench_correct_verdicts(tests, 3, 0.05);
    assert_int_equal(strong.verdict, BENCH_LESS);       /* 0.001 <= 0.05 / 3 */
    assert_int_equal(weak.verdict, BENCH_INCONCLUSIVE); /* 0.03 > 0.05 / 2 */
    assert_int_equal(same.verdict, BENCH_SAME);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_against_itself_is_the_same),
        cmocka_unit_test(noisy_repeats_of_one_program_seldom_give_a_false_verdict),
        cmocka_unit_test(a_clear_difference_is_told_with_its_direction),
        cmocka_unit_test(fewer_than_six_pairs_settle_nothing),
        cmocka_unit_test(what_is_not_positive_has_no_ratio),
        cmocka_unit_test(holm_takes_back_what_one_in_many_would_show_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
