#include "bench/stat.h"

#include <math.h>

#include "tests/bench/made.h"

static void quantiles_are_of_type_7(void **state) {
    const double x[] = {1, 2, 4, 8};
    /* exact: the products are */
    assert_true(bench_quantile(x, 4, 0) == 1);
    assert_true(bench_quantile(x, 4, 1) == 8);
    assert_true(bench_quantile(x, 4, 0.5) == 3);
    assert_true(bench_quantile(x, 4, 0.25) == 1.75); /* numpy.quantile([1, 2, 4, 8], 0.25) */
    assert_true(isnan(bench_quantile(x, 0, 0.5)));
    (void)state;
}

static void the_interval_of_the_median_attains_the_tabled_coverage(void **state) {
    /* ranks from 1 and coverage of the binomial law; equal to three digits as tabled */
    const struct {
        int n, low, high;
        double coverage;
    } rows[] = {{3, 1, 3, 0.75},   {5, 1, 5, 0.9375},  {6, 1, 6, 0.969},  {8, 1, 8, 0.992},
                {10, 2, 9, 0.979}, {15, 4, 12, 0.965}, {20, 6, 15, 0.959}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int low, high;
        const double coverage = bench_median_ranks(rows[i].n, 0.95, &low, &high);
        assert_int_equal(low + 1, rows[i].low);
        assert_int_equal(high + 1, rows[i].high);
        assert_true(fabs(coverage - rows[i].coverage) < 6e-4);
    }
    (void)state;
}

static void a_summary_leaves_its_input_alone(void **state) {
    const double x[] = {5, 1, 3};
    const bench_summary s = bench_summarise(x, 3);
    assert_true(s.n == 3 && s.median == 3 && s.min == 1 && s.max == 5 && s.mad == 2);
    assert_true(s.low == 1 && s.high == 5 && s.coverage == 0.75);
    assert_true(x[0] == 5 && x[1] == 1);
    (void)state;
}

static void few_values_have_no_interval(void **state) {
    const double x[] = {7};
    const bench_summary one = bench_summarise(x, 1), none = bench_summarise(x, 0);
    assert_true(one.median == 7 && one.mad == 0 && isnan(one.low) && one.coverage == 0);
    assert_true(none.n == 0 && isnan(none.median) && isnan(none.min));
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_of_type_7),
        cmocka_unit_test(the_interval_of_the_median_attains_the_tabled_coverage),
        cmocka_unit_test(a_summary_leaves_its_input_alone),
        cmocka_unit_test(few_values_have_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
