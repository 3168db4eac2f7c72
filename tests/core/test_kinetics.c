#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/kinetics.h"

static const vel_rates rates = {{5, VEL_DOUBLE}, {1.3, VEL_DOUBLE}, {0.4, VEL_DOUBLE}};
static const vel_state origin = {{0, VEL_WEAK}, {0, VEL_WEAK}}, somewhere = {{2, VEL_DOUBLE}, {3, VEL_DOUBLE}};

static void starts_at_the_initial_state(void **state) {
    (void)state;
    vel_state at = vel_kinetics_at(&rates, somewhere, vel_double(0));
    assert_true(at.u.v == 2 && at.s.v == 3);
}

static void ends_at_the_steady_state(void **state) {
    (void)state;
    vel_state at = vel_kinetics_at(&rates, somewhere, vel_double(1e4));
    assert_true(at.u.v == 5 / 1.3 && at.s.v == 5 / 0.4);
}

/* Central differences of step 1e-5: error about 1e-10 from the third derivative, 1e-11 from rounding. */
static void obeys_the_differential_equation(void **state) {
    (void)state;
    const double step = 1e-5;
    for (double tau = 0.1; tau < 10; tau *= 2) {
        vel_state before = vel_kinetics_at(&rates, somewhere, vel_double(tau - step));
        vel_state now = vel_kinetics_at(&rates, somewhere, vel_double(tau));
        vel_state after = vel_kinetics_at(&rates, somewhere, vel_double(tau + step));
        double du = (after.u.v - before.u.v) / (2 * step), ds = (after.s.v - before.s.v) / (2 * step);
        assert_true(fabs(du - (5 - 1.3 * now.u.v)) < 1e-8);
        assert_true(fabs(ds - (1.3 * now.u.v - 0.4 * now.s.v)) < 1e-8);
    }
}

static void equal_rates_give_nan_like_the_reference(void **state) {
    (void)state;
    vel_rates equal = rates;
    equal.gamma = equal.beta;
    vel_state at = vel_kinetics_at(&equal, origin, vel_double(1));
    assert_true(isfinite(at.u.v) && isnan(at.s.v));
}

static void the_vector_form_equals_the_scalar_one(void **state) {
    (void)state;
    for (vel_tag tag = VEL_SINGLE; tag <= VEL_DOUBLE; tag++) {
        vel_rates r = {vel_tagged(5, tag), vel_weak(1), vel_tagged(0.3, tag)};
        double t[50], u[50], s[50];
        vel_vec tau = {t, tag}, us = {u, VEL_WEAK}, ss = {s, VEL_WEAK};
        for (int i = 0; i < 50; i++) t[i] = vel_rounded(0.17 * i, tag);
        vel_kinetics_states(&r, origin, 50, tau, &us, &ss);
        for (int i = 0; i < 50; i++) {
            vel_state at = vel_kinetics_at(&r, origin, vel_at(tau, i));
            assert_true(u[i] == at.u.v && s[i] == at.s.v && us.tag == at.u.tag && ss.tag == at.s.tag);
        }
    }
}

/* The logarithm of 1 - u/u_inf, known to about 1e-16 u_inf, is good to 1e-13 where a tenth of u_inf is left. */
static void times_are_the_inverse_of_states(void **state) {
    (void)state;
    vel_rates slow = rates, fast = rates;
    fast.gamma = vel_double(2.5);
    const vel_rates *both[] = {&slow, &fast}; /* by u and s, by u */
    for (int k = 0; k < 2; k++)
        for (double tau = 0.05; tau < 1.5; tau += 0.2) {
            vel_state at = vel_kinetics_at(both[k], origin, vel_double(tau));
            assert_true(fabs(vel_kinetics_time(both[k], origin, at).v - tau) < 1e-12);
            vel_vec u = {&at.u.v, VEL_DOUBLE}, s = {&at.s.v, VEL_DOUBLE}, out = {&(double){0}, VEL_DOUBLE};
            vel_kinetics_times(both[k], origin, 1, u, s, &out);
            assert_true(out.v[0] == vel_kinetics_time(both[k], origin, (vel_state){vel_at(u, 0), vel_at(s, 0)}).v);
        }
}

static void what_cannot_be_reached_has_a_finite_time(void **state) {
    (void)state;
    double far = vel_kinetics_time_of_u(&rates, vel_weak(0), vel_double(100)).v;
    assert_true(isfinite(far) && far > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_the_initial_state),
        cmocka_unit_test(ends_at_the_steady_state),
        cmocka_unit_test(obeys_the_differential_equation),
        cmocka_unit_test(equal_rates_give_nan_like_the_reference),
        cmocka_unit_test(the_vector_form_equals_the_scalar_one),
        cmocka_unit_test(times_are_the_inverse_of_states),
        cmocka_unit_test(what_cannot_be_reached_has_a_finite_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
