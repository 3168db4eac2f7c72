#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/curves.h"

static const vel_curve curve = {
    .alpha = 5, .beta = 1.3, .gamma = 0.4, .sigma = 2, .switch_at = 3, .u0 = 0.5, .s0 = 0.25};

static void starts_at_the_basal_levels(void **state) {
    (void)state;
    double t = 0, alpha, u, s;
    vel_curve_at(&curve, 1, &t, &alpha, &u, &s);
    assert_true(alpha == 5 && u == 0.5 && s == 0.25);
}

static void is_continuous_at_the_switch(void **state) {
    (void)state;
    double t[] = {3 - 1e-9, 3}, alpha[2], u[2], s[2];
    vel_curve_at(&curve, 2, t, alpha, u, s);
    assert_true(alpha[0] == 5 && alpha[1] == 0);
    assert_true(fabs(u[0] - u[1]) < 1e-7 && fabs(s[0] - s[1]) < 1e-7);
}

static void rises_before_the_switch_and_falls_after(void **state) {
    (void)state;
    double t[] = {1, 2, 4, 5}, u[4], s[4];
    vel_curve_at(&curve, 4, t, NULL, u, s);
    assert_true(u[1] > u[0] && u[3] < u[2]);
}

static void drawn_times_cover_both_branches(void **state) {
    (void)state;
    double t[VEL_CURVE_POINTS];
    vel_curve_times(3, 20, t);
    assert_true(t[0] == 0 && t[499] == 3 && t[500] == 3 && t[999] == 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_the_basal_levels),
        cmocka_unit_test(is_continuous_at_the_switch),
        cmocka_unit_test(rises_before_the_switch_and_falls_after),
        cmocka_unit_test(drawn_times_cover_both_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
