#include "core/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

static void percentiles_interpolate_linearly(void **state) {
    (void)state;
    double x[5] = {10, 20, 30, 40, 50};
    assert_true(vel_percentile_sorted_f64(x, 5, 0) == 10);
    assert_true(vel_percentile_sorted_f64(x, 5, 25) == 20);
    assert_true(vel_percentile_sorted_f64(x, 5, 50) == 30);
    assert_true(vel_percentile_sorted_f64(x, 5, 62.5) == 35);
    assert_true(vel_percentile_sorted_f64(x, 5, 100) == 50);
    assert_true(vel_percentile_sorted_f64(x, 1, 37) == 10);
}

static void percentiles_of_unsorted_equal_those_of_sorted(void **state) {
    (void)state;
    uint64_t seed = 3;
    double x[300], sorted[300], work[300];
    float xf[300], sortedf[300], workf[300];
    for (int n = 1; n <= 300; n++) {
        for (int i = 0; i < n; i++) {
            x[i] = sorted[i] = floor(random_between(&seed, 0, 50)) / 7;
            xf[i] = sortedf[i] = (float)x[i];
        }
        vel_sort_f64(sorted, n);
        vel_sort_f32(sortedf, n);
        for (double p = 0; p <= 100; p += 12.3) {
            assert_true(vel_percentile_f64(x, n, p, work) == vel_percentile_sorted_f64(sorted, n, p));
            assert_true(vel_percentile_f32(xf, n, p, workf) == vel_percentile_sorted_f32(sortedf, n, p));
        }
    }
}

/* Of the highest ranks only the largest values are looked at: in rising order they are found again and again. Long
 * vectors are first looked at by a sample. */
static void high_percentiles_are_right_in_any_order_and_in_place(void **state) {
    (void)state;
    enum { MOST = 4003 };
    static double x[MOST], work[MOST];
    static const double p[] = {76, 90, 99, 99.5, 99.9, 100};
    for (int n = 1000; n <= MOST; n += 3003)
        for (int way = 0; way < 5; way++)
            for (size_t k = 0; k < sizeof p / sizeof *p; k++) {
                for (int i = 0; i < n; i++) {
                    int at[] = {i, n - 1 - i, (i * 7) % n, i % 3, i % 16 ? i : 0}; /* the last: a sample of zeros */
                    x[i] = at[way] > 400 || way >= 3 ? at[way] : -INFINITY;
                }
                memcpy(work, x, sizeof work);
                vel_sort_f64(work, n);
                double expected = vel_percentile_sorted_f64(work, n, p[k]);
                assert_true(vel_percentile_f64(x, n, p[k], work) == expected);
                assert_true(vel_percentile_f64(x, n, p[k], x) == expected);
            }
    for (int n = 1000; n <= MOST; n += 3003) {
        x[990] = NAN;
        assert_true(isnan(vel_percentile_f64(x, n, 99, work)));
    }
}

/* numpy 2.2.6: percentile(arange(n, dtype="f4") ** 2 / 7, 95) and 99.9; a rank in double would give other floats. */
static void float32_percentiles_have_the_reference_bits(void **state) {
    (void)state;
    static const struct {
        int n;
        double p;
        float expected;
    } rows[] = {
        {11, 5, 0x1.24924a0000000p-4f},  {11, 95, 0x1.9db6dc0000000p+3f},   {11, 99.9, 0x1.c846360000000p+3f},
        {97, 5, 0x1.a83a860000000p+1f},  {97, 95, 0x1.290ea00000000p+10f},  {97, 99.9, 0x1.487cee0000000p+10f},
        {300, 5, 0x1.fef8ae0000000p+4f}, {300, 95, 0x1.6832cc0000000p+13f}, {300, 99.9, 0x1.8e50900000000p+13f},
        {523, 5, 0x1.8550760000000p+6f}, {523, 95, 0x1.1275f80000000p+15f}, {523, 99.9, 0x1.2f81060000000p+15f},
        {999, 5, 0x1.63ba840000000p+8f}, {999, 95, 0x1.f59d620000000p+16f}, {999, 99.9, 0x1.1558ee0000000p+17f},
    };
    float x[1000];
    for (int i = 0; i < 1000; i++) x[i] = (float)(i * i) / 7;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_true(vel_percentile_sorted_f32(x, rows[k].n, rows[k].p) == rows[k].expected);
}

/* numpy 2.2.6: percentile(arange(n, dtype="f4") ** 2 / 7, [p])[0] */
static void a_list_of_percentiles_has_the_reference_bits(void **state) {
    (void)state;
    static const struct {
        int n;
        double p, expected;
    } rows[] = {
        {11, 5, 0x1.24924a0000000p-4},  {11, 95, 0x1.9db6db0000000p+3},   {11, 99.9, 0x1.c846374ccccd0p+3},
        {97, 5, 0x1.a83a83999999cp+1},  {97, 95, 0x1.290ea0ccccccbp+10},  {97, 99.9, 0x1.487ced645a1ccp+10},
        {300, 5, 0x1.fef8af0000001p+4}, {300, 95, 0x1.6832cd999999ap+13}, {300, 99.9, 0x1.8e509176c8b45p+13},
        {523, 5, 0x1.855074999999ap+6}, {523, 95, 0x1.1275f96666666p+15}, {523, 99.9, 0x1.2f8103a9fbe78p+15},
        {999, 5, 0x1.63ba836666668p+8}, {999, 95, 0x1.f59d639999998p+16}, {999, 99.9, 0x1.1558ecf5c28f6p+17},
    };
    float x[1000];
    for (int i = 0; i < 1000; i++) x[i] = (float)(i * i) / 7;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_true(vel_percentile_list_f32(x, rows[k].n, rows[k].p) == rows[k].expected);
}

static void nan_anywhere_gives_nan(void **state) {
    (void)state;
    double x[3] = {1, NAN, 2}, sorted[3] = {1, 2, NAN}, work[3];
    float xf[3] = {1, NAN, 2}, workf[3];
    assert_true(isnan(vel_percentile_f64(x, 3, 10, work)) && isnan(vel_percentile_sorted_f64(sorted, 3, 10)));
    assert_true(isnan(vel_median_f64(x, 3, work)) && isnan(vel_median_f32(xf, 3, workf)));
    assert_true(isnan(vel_percentile_f64(x, 0, 10, work)) && isnan(vel_median_f64(x, 0, work)));
}

static void the_median_is_the_middle_or_the_mean_of_two(void **state) {
    (void)state;
    double odd[5] = {5, 1, 4, 2, 3}, even[4] = {4, 1, 3, 2}, work[5];
    assert_true(vel_median_f64(odd, 5, work) == 3);
    assert_true(vel_median_f64(even, 4, work) == 2.5);
    assert_true(odd[0] == 5 && even[0] == 4);
    assert_true(vel_median_f64(odd, 5, odd) == 3); /* in place */
}

static void extremes_are_the_first_and_a_nan_wins(void **state) {
    (void)state;
    double x[6] = {3, 1, 4, 1, 4, 2};
    assert_int_equal(vel_argmin_f64(x, 6), 1);
    assert_int_equal(vel_argmax_f64(x, 6), 2);
    x[3] = x[4] = NAN;
    assert_int_equal(vel_argmin_f64(x, 6), 3);
    assert_int_equal(vel_argmax_f64(x, 6), 3);
    x[0] = NAN;
    assert_int_equal(vel_argmin_f64(x, 6), 0);
    assert_int_equal(vel_argmax_f64(x, 6), 0);
    assert_int_equal(vel_argmin_f64(x, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_interpolate_linearly),
        cmocka_unit_test(percentiles_of_unsorted_equal_those_of_sorted),
        cmocka_unit_test(high_percentiles_are_right_in_any_order_and_in_place),
        cmocka_unit_test(float32_percentiles_have_the_reference_bits),
        cmocka_unit_test(a_list_of_percentiles_has_the_reference_bits),
        cmocka_unit_test(nan_anywhere_gives_nan),
        cmocka_unit_test(the_median_is_the_middle_or_the_mean_of_two),
        cmocka_unit_test(extremes_are_the_first_and_a_nan_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
