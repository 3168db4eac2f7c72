#include "bench/axis.h"

#include <math.h>

#include "tests/bench/made.h"

/* 1e-9 pixels: roundings of a logarithm times some hundred pixels. */
static void equal_ratios_are_equal_distances(void **state) {
    const bench_axis a = bench_axis_padded(2, 700, 50, 400);
    const double step = bench_axis_place(&a, 20) - bench_axis_place(&a, 2);
    assert_true(fabs(bench_axis_place(&a, 500) - bench_axis_place(&a, 50) - step) < 1e-9);
    (void)state;
}

static void every_value_lies_inside(void **state) {
    const double lows[] = {1e-9, 3, 5}, highs[] = {1e9, 4, 5};
    for (int i = 0; i < 3; i++) {
        const bench_axis a = bench_axis_padded(lows[i], highs[i], 300, 20); /* upside down, as y is */
        assert_true(bench_axis_place(&a, lows[i]) < 300 && bench_axis_place(&a, highs[i]) > 20);
        assert_true(bench_axis_place(&a, lows[i]) >= bench_axis_place(&a, highs[i]));
    }
    (void)state;
}

static void decades_hold_the_range(void **state) {
    const bench_axis a = bench_axis_decades(0.2, 40, true, 0, 100);
    assert_true(fabs(a.low - 0.1) < 1e-15 && fabs(a.high - 100) < 1e-12);
    assert_true(fabs(bench_axis_place(&a, 1) - 100.0 / 3) < 1e-9);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_ratios_are_equal_distances),
        cmocka_unit_test(every_value_lies_inside),
        cmocka_unit_test(decades_hold_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
