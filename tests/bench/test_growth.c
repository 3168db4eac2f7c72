#include "bench/growth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 5 };

static const double sizes[N] = {1e3, 3e3, 1e4, 3e4, 1e5};

static bench_growth growth_of_power(double exponent, double factor) {
    double cost[N];
    for (int i = 0; i < N; i++) cost[i] = factor * pow(sizes[i], exponent);
    return bench_growth_of(N, sizes, cost, 0);
}

/* 1e-12: some tens of roundings of logarithms near 10. */
static void a_power_gives_its_exponent_whatever_the_factor(void **state) {
    const double exponents[] = {0, 0.5, 1, 1.5, 2, 3}, factors[] = {1e-9, 1, 1e9};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) {
            const bench_growth g = growth_of_power(exponents[i], factors[k]);
            assert_true(fabs(g.exponent - exponents[i]) < 1e-12 && g.rms < 1e-12);
        }
    (void)state;
}

static void a_law_is_named_within_the_margin_and_not_beyond(void **state) {
    assert_int_equal(growth_of_power(0.89, 1).law, BENCH_LAW_UNDER);
    assert_int_equal(growth_of_power(0.91, 1).law, BENCH_LAW_LINEAR);
    assert_int_equal(growth_of_power(1.09, 1).law, BENCH_LAW_LINEAR);
    assert_int_equal(growth_of_power(1.5, 1).law, BENCH_LAW_POWER);
    assert_int_equal(growth_of_power(1.95, 1).law, BENCH_LAW_QUADRATIC);
    assert_int_equal(growth_of_power(2.3, 1).law, BENCH_LAW_POWER);
    (void)state;
}

static void a_little_more_than_linear_is_n_log_n(void **state) {
    double cost[N];
    for (int i = 0; i < N; i++) cost[i] = pow(sizes[i], 1.06) * log(sizes[i]);
    const bench_growth g = bench_growth_of(N, sizes, cost, 0);
    assert_true(g.exponent > 1.1);
    assert_int_equal(g.law, BENCH_LAW_N_LOG_N);
    (void)state;
}

static void a_fixed_cost_at_small_sizes_does_not_hide_the_growth(void **state) {
    double cost[N];
    for (int i = 0; i < N; i++) cost[i] = 1e-6 * sizes[i] * sizes[i] + 10;
    assert_int_equal(bench_growth_of(N, sizes, cost, 0).law, BENCH_LAW_QUADRATIC);
    (void)state;
}

static void costs_that_do_not_count_are_passed_over(void **state) {
    const double cost[N] = {NAN, 0.5, 3, 9, NAN};
    const bench_growth g = bench_growth_of(N, sizes, cost, 1);
    assert_int_equal(g.n, 2);
    assert_int_equal(g.law, BENCH_LAW_LINEAR);
    assert_int_equal(bench_growth_of(N, sizes, cost, 5).law, BENCH_LAW_UNKNOWN);
    assert_int_equal(bench_growth_of(0, sizes, cost, 0).law, BENCH_LAW_UNKNOWN);
    (void)state;
}

static void the_next_cost_is_never_expected_below_linear(void **state) {
    const double flat[N] = {7, 7, 7, 7, 7}, square[2] = {1, 9};
    assert_true(fabs(bench_growth_next(4, sizes, flat, 1e5) / (7 * 1e5 / 3e4) - 1) < 1e-12);
    assert_true(fabs(bench_growth_next(2, sizes, square, 3e4) / 900 - 1) < 1e-12);
    assert_true(fabs(bench_growth_next(1, sizes, flat, 3e3) / 63 - 1) < 1e-12); /* one size: n^2 */
    assert_true(bench_growth_next(0, sizes, flat, 1e5) == 0);
    (void)state;
}

/* 100 times the cost for 3 times the size is no growth but a sample that was disturbed. */
static void the_next_cost_is_never_expected_above_quadratic(void **state) {
    const double leap[2] = {0.01, 1}, made[3] = {0, 1e-4, 40};
    assert_true(fabs(bench_growth_next(2, sizes, leap, 1e4) / (1e8 / 9e6) - 1) < 1e-12);
    assert_true(fabs(bench_growth_next(3, sizes, made, 3e4) / (40 * 9) - 1) < 1e-12);
    assert_true(fabs(bench_growth_next(1, sizes, leap, 1e4) / (0.01 * 100) - 1) < 1e-12);
    (void)state;
}

static void words_say_the_law(void **state) {
    char text[BENCH_LAW_WORDS];
    bench_growth g = growth_of_power(1.5, 1);
    bench_law_words(&g, text);
    assert_string_equal(text, "n^1.50");
    g = growth_of_power(1, 1);
    bench_law_words(&g, text);
    assert_string_equal(text, "linear");
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_gives_its_exponent_whatever_the_factor),
        cmocka_unit_test(a_law_is_named_within_the_margin_and_not_beyond),
        cmocka_unit_test(a_little_more_than_linear_is_n_log_n),
        cmocka_unit_test(a_fixed_cost_at_small_sizes_does_not_hide_the_growth),
        cmocka_unit_test(costs_that_do_not_count_are_passed_over),
        cmocka_unit_test(the_next_cost_is_never_expected_below_linear),
        cmocka_unit_test(the_next_cost_is_never_expected_above_quadratic),
        cmocka_unit_test(words_say_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
