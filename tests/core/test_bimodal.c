#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/bimodal.h"

enum { N = 300 };

/* Evenly spread about a centre. */
static void heap(double *x, int n, double centre, double width) {
    for (int i = 0; i < n; i++) x[i] = centre + width * (2.0 * i / (n - 1) - 1);
}

static vel_bimodality test_of(double *x, int n) {
    double work[3 * N];
    vel_bimodality b;
    assert_true(vel_bimodality_test(n, (vel_vec){x, VEL_DOUBLE}, work, &b));
    return b;
}

static void two_tight_heaps_have_two_modes(void **state) {
    (void)state;
    double x[N];
    heap(x, N / 2, 0.1, 0.01);
    heap(x + N / 2, N / 2, 0.3, 0.01);
    vel_bimodality b = test_of(x, N);
    assert_true(b.p < 1e-3);
    assert_true(fabs(b.lower.v - 0.1) < 0.02 && fabs(b.upper.v - 0.3) < 0.02);
}

static void one_heap_has_not(void **state) {
    (void)state;
    double x[N];
    heap(x, N, 5, 2);
    assert_true(test_of(x, N).p > 0.1);
}

static void the_modes_follow_a_change_of_scale(void **state) {
    (void)state;
    double x[N], y[N];
    heap(x, N / 2, 1, 0.3);
    heap(x + N / 2, N / 2, 3, 0.2);
    for (int i = 0; i < N; i++) y[i] = 4 * x[i]; /* a power of two: every rounding is the same but those of h */
    assert_true(fabs(4 * test_of(x, N).upper.v - test_of(y, N).upper.v) < 1e-12);
}

static void nothing_to_test_without_variance(void **state) {
    (void)state;
    double x[4] = {0.5, 0.5, 0.5, 0.5}, work[12];
    vel_bimodality b;
    assert_false(vel_bimodality_test(4, (vel_vec){x, VEL_DOUBLE}, work, &b));
    assert_false(vel_bimodality_test(1, (vel_vec){x, VEL_DOUBLE}, work, &b));
    x[2] = NAN;
    assert_false(vel_bimodality_test(4, (vel_vec){x, VEL_DOUBLE}, work, &b));
}

/* scvelo 0.3.4, test_bimodality(arange(1, 41) ** 2 / 4096, kde=True): p differs there in the last digits with the BLAS.
 */
static void agrees_with_the_reference(void **state) {
    (void)state;
    double x[40];
    for (int i = 0; i < 40; i++) x[i] = (i + 1.0) * (i + 1.0) / 4096;
    vel_bimodality b = test_of(x, 40);
    assert_true(fabs(b.p / 0.3373789575355955 - 1) < 1e-12);
    assert_true(b.lower.v == 0x1.83f72c234f72cp-5 && b.upper.v == 0x1.c7634f72c2350p-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_tight_heaps_have_two_modes),     cmocka_unit_test(one_heap_has_not),
        cmocka_unit_test(the_modes_follow_a_change_of_scale), cmocka_unit_test(nothing_to_test_without_variance),
        cmocka_unit_test(agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
