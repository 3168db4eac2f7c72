#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/align.h"

static void the_span_of_moving_cells_becomes_t_max(void **state) {
    (void)state;
    /* transient: 2 on, 4 - 3 off; one cell of four rests at the switch */
    double t[] = {2, 4, 3, 1};
    assert_true(vel_align_factor(4, t, 3, 20) == 20 / ((2 + 1) / 0.75));
}

static void cells_at_rest_only_have_the_span_one(void **state) {
    (void)state;
    double t[] = {0, 3, 0};
    assert_true(vel_align_factor(3, t, 3, 20) == 20);
}

static void aligning_keeps_rate_times_time(void **state) {
    (void)state;
    double t[] = {1, 2}, tau[] = {1, 0}, tau_off[] = {0.5, 0.25};
    vel_dynamics_solution s = {
        .alpha = 3, .beta = 2, .gamma = 1, .switch_at = 1.5, .sigma = 7, .t = t, .tau = tau, .tau_off = tau_off};
    vel_align(2, 4, &s);
    assert_true(s.alpha == 0.75 && s.beta == 0.5 && s.gamma == 0.25 && s.switch_at == 6 && s.sigma == 7);
    assert_true(t[1] == 8 && tau[0] == 4 && tau_off[1] == 1);
}

static void nan_times_give_nan(void **state) {
    (void)state;
    double t[] = {1, NAN, 2};
    assert_true(isnan(vel_align_factor(3, t, 1.5, 20)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_span_of_moving_cells_becomes_t_max),
        cmocka_unit_test(cells_at_rest_only_have_the_span_one),
        cmocka_unit_test(aligning_keeps_rate_times_time),
        cmocka_unit_test(nan_times_give_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
