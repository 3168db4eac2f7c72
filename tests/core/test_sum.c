#include "core/sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/random.h"

enum { MOST = 20000 };

static void of_nothing_is_zero_and_its_mean_is_nan(void **state) {
    (void)state;
    double x[1] = {1}, work[1];
    float xf[1] = {1}, workf[1];
    assert_true(vel_sum_f64(x, 0) == 0 && vel_sum_f32(xf, 0) == 0);
    assert_true(vel_sum_row_f64(x, 0) == 0 && vel_sum_row_f32(xf, 0) == 0);
    assert_true(isnan(vel_mean_f64(x, 0)) && isnan(vel_mean_f32(xf, 0)));
    assert_true(isnan(vel_std_f64(x, 0, work)) && isnan(vel_std_f32(xf, 0, workf)));
}

/* Integers below 2^53 (2^24) are added without rounding, so any order gives the exact sum. */
static void integers_are_summed_exactly(void **state) {
    (void)state;
    uint64_t seed = 1;
    double *x = malloc(MOST * sizeof *x);
    float *xf = malloc(MOST * sizeof *xf);
    assert_non_null(x);
    assert_non_null(xf);
    int64_t total = 0;
    for (int64_t n = 0; n < MOST; n++) {
        if (n < 1200 || n % 997 == 0) {
            assert_true(vel_sum_f64(x, n) == (double)total);
            assert_true(vel_sum_f32(xf, n) == (float)total);
            assert_true(vel_sum_row_f64(x, n) == (double)total);
            assert_true(vel_sum_row_f32(xf, n) == (float)total);
        }
        int64_t value = (int64_t)(random_bits(&seed) % 1601) - 800;
        x[n] = (double)value;
        xf[n] = (float)value;
        total += value;
    }
    free(x);
    free(xf);
}

/* 1 is lost beside 2^53, two of them are not: so the value tells which were added first. */
static void eight_lanes_are_added_pairwise(void **state) {
    (void)state;
    const double big = 0x1p53;
    double pair[8] = {1, 1, big, 0, 0, 0, 0, 0};
    assert_true(vel_sum_f64(pair, 8) == big + 2); /* (1 + 1) + (big + 0) */
    double lanes[16] = {big, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    assert_true(vel_sum_f64(lanes, 16) == big); /* (big + 1) + 1 */
    double few[3] = {big, 1, 1};
    assert_true(vel_sum_f64(few, 3) == big); /* from left to right */
    double tail[9] = {1, 0, 0, 0, 0, 0, 0, 0, big};
    tail[1] = 1;
    assert_true(vel_sum_f64(tail, 9) == big + 2); /* the rest comes last */
}

static void buffers_of_8192_are_added_one_after_the_other(void **state) {
    (void)state;
    double *x = calloc(MOST, sizeof *x);
    assert_non_null(x);
    uint64_t seed = 2;
    for (int i = 0; i < MOST; i++) x[i] = random_between(&seed, -1, 1);
    double sum = 0;
    for (int i = 0; i < MOST; i += VEL_SUM_CHUNK)
        sum += vel_sum_f64(x + i, MOST - i < VEL_SUM_CHUNK ? MOST - i : VEL_SUM_CHUNK);
    assert_true(vel_sum_f64(x, MOST) == sum);
    /* Halves of one long vector: 10000 = 5000 + 5000 if it were not for the buffers. */
    assert_true(vel_sum_row_f64(x, 10001) == x[0] + (vel_sum_f64(x + 1, 5000) + vel_sum_f64(x + 5001, 5000)));
    free(x);
}

static void a_row_sets_its_first_entry_aside(void **state) {
    (void)state;
    double x[4] = {0x1p53, 1, 1, 0};
    assert_true(vel_sum_f64(x, 3) == 0x1p53);
    assert_true(vel_sum_row_f64(x, 3) == 0x1p53 + 2);
}

static void zeros_keep_their_sign_only_in_rows(void **state) {
    (void)state;
    double x[9];
    for (int i = 0; i < 9; i++) x[i] = -0.0;
    assert_false(signbit(vel_sum_f64(x, 9)));
    assert_true(signbit(vel_sum_row_f64(x, 9)));
    assert_true(signbit(vel_sum_row_f64(x, 1)));
}

static void rows_side_by_side_are_each_summed_alike(void **state) {
    (void)state;
    enum { LONGEST = 300, ROWS = 45, STRIDE = ROWS + 1 };
    static const int lengths[] = {0, 1, 7, 8, 9, 127, 128, 129, 200, LONGEST};
    static double x[LONGEST * STRIDE];
    static float xf[LONGEST * STRIDE];
    uint64_t seed = 3;
    for (int i = 0; i < LONGEST * STRIDE; i++) xf[i] = (float)(x[i] = random_between(&seed, -1, 1));
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        double sums[ROWS], row[LONGEST];
        float sums_f[ROWS], row_f[LONGEST];
        vel_sum_across_f64(x, lengths[k], STRIDE, ROWS, sums);
        vel_sum_across_f32(xf, lengths[k], STRIDE, ROWS, sums_f);
        for (int l = 0; l < ROWS; l++) {
            for (int i = 0; i < lengths[k]; i++) row[i] = x[i * STRIDE + l], row_f[i] = xf[i * STRIDE + l];
            assert_true(sums[l] == vel_sum_f64(row, lengths[k]));
            assert_true(sums_f[l] == vel_sum_f32(row_f, lengths[k]));
        }
    }
}

static void rows_side_by_side_tell_raw_counts(void **state) {
    (void)state;
    enum { ROWS = 21 };
    static double x[300 * ROWS], sums[ROWS];
    const int lengths[] = {1, 9, 15, 130, 300};
    for (int i = 0; i < 300 * ROWS; i++) x[i] = i % 5;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        assert_true(vel_sum_across_f64(x, lengths[k], ROWS, ROWS, sums));
        for (int i = 0; i < lengths[k] * ROWS; i++) {
            x[i] += 0.5;
            assert_false(vel_sum_across_f64(x, lengths[k], ROWS, ROWS, sums));
            x[i] -= 0.5;
        }
    }
}

static void nan_and_infinity_propagate(void **state) {
    (void)state;
    double x[20] = {0};
    x[11] = INFINITY;
    assert_true(vel_sum_f64(x, 20) == INFINITY);
    x[17] = NAN;
    assert_true(isnan(vel_sum_f64(x, 20)) && isnan(vel_mean_f64(x, 20)));
}

static void the_standard_deviation_is_that_of_the_population(void **state) {
    (void)state;
    double x[4] = {2, 4, 4, 6}, work[4];
    assert_true(vel_std_f64(x, 4, work) == sqrt(2.0));
    assert_true(x[3] == 6);
    assert_true(vel_std_f64(x, 4, x) == sqrt(2.0)); /* in place */
    float xf[4] = {2, 4, 4, 6};
    assert_true(vel_std_f32(xf, 4, xf) == sqrtf(2.0f));
}

static void a_float_mean_is_rounded_once(void **state) {
    (void)state;
    float x[3] = {1, 0, 0};
    assert_true(vel_mean_f32(x, 3) == (float)(1.0 / 3.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_nothing_is_zero_and_its_mean_is_nan),
        cmocka_unit_test(integers_are_summed_exactly),
        cmocka_unit_test(eight_lanes_are_added_pairwise),
        cmocka_unit_test(buffers_of_8192_are_added_one_after_the_other),
        cmocka_unit_test(a_row_sets_its_first_entry_aside),
        cmocka_unit_test(zeros_keep_their_sign_only_in_rows),
        cmocka_unit_test(rows_side_by_side_are_each_summed_alike),
        cmocka_unit_test(rows_side_by_side_tell_raw_counts),
        cmocka_unit_test(nan_and_infinity_propagate),
        cmocka_unit_test(the_standard_deviation_is_that_of_the_population),
        cmocka_unit_test(a_float_mean_is_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
