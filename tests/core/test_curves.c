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

static void many_times_are_those_one_by_one(void **state) {
    (void)state;
    enum { N = 1207 };
    static double t[N], u[N], s[N], alpha[N];
    for (int i = 0; i < N; i++) t[i] = (double)(i * 37 % N) / 120;
    vel_curve_at(&curve, N, t, alpha, u, s);
    for (int i = 0; i < N; i++) {
        double tau = t[i] < 3 ? t[i] : t[i] - 3, one_alpha, one_u, one_s;
        vel_curve_at(&curve, 1, &t[i], &one_alpha, &one_u, &one_s);
        assert_true(u[i] == one_u && s[i] == one_s && alpha[i] == one_alpha);
        if (t[i] < 3) assert_true(fabs(u[i] - (5 / 1.3 * (1 - exp(-1.3 * tau)) * 2 + 0.5)) < 1e-14 * u[i]);
    }
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
        cmocka_unit_test(many_times_are_those_one_by_one),
        cmocka_unit_test(drawn_times_cover_both_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
