#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/trajectory.h"

static const vel_trajectory path = {
    {{5, VEL_DOUBLE}, {1.3, VEL_DOUBLE}, {0.4, VEL_DOUBLE}}, {1, VEL_WEAK}, {3, VEL_DOUBLE}};

static void the_branches_meet_at_the_switch(void **state) {
    (void)state;
    vel_branch on = vel_branch_of(&path, true), off = vel_branch_of(&path, false);
    double eu = exp(-1.3 * 3), es = exp(-0.4 * 3);
    assert_true(fabs(vel_branch_u(&on, eu) - vel_branch_u(&off, 1)) < 1e-14);
    assert_true(fabs(vel_branch_s(&on, eu, es) - vel_branch_s(&off, 1, 1)) < 1e-14);
}

static void induction_starts_at_the_origin_and_repression_ends_there(void **state) {
    (void)state;
    vel_branch on = vel_branch_of(&path, true), off = vel_branch_of(&path, false);
    assert_true(vel_branch_u(&on, 1) == 0 && vel_branch_s(&on, 1, 1) == 0);
    assert_true(vel_branch_u(&off, 0) == 0 && vel_branch_s(&off, 0, 0) == 0);
    assert_true(on.alpha == 5 && off.alpha == 0);
}

static void time_starts_anew_at_the_switch(void **state) {
    (void)state;
    double tau;
    assert_true(vel_branch_time(&path, vel_double(2), &tau) && tau == 2);
    assert_true(!vel_branch_time(&path, vel_double(3), &tau) && tau == 0);
    assert_true(!vel_branch_time(&path, vel_double(7.5), &tau) && tau == 4.5);
    vel_branch_time(&path, vel_double(NAN), &tau);
    assert_true(isnan(tau));
}

static void parameters_are_the_same_with_their_precision(void **state) {
    (void)state;
    vel_trajectory other = path, single = path, odd = path;
    other.rates.gamma = vel_double(path.rates.gamma.v * 2);
    single.switch_at.tag = VEL_SINGLE;
    odd.sigma.v = NAN;
    assert_true(vel_trajectory_same(&path, &path));
    assert_false(vel_trajectory_same(&path, &other));
    assert_false(vel_trajectory_same(&path, &single));
    assert_false(vel_trajectory_same(&odd, &odd));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_branches_meet_at_the_switch),
        cmocka_unit_test(induction_starts_at_the_origin_and_repression_ends_there),
        cmocka_unit_test(time_starts_anew_at_the_switch),
        cmocka_unit_test(parameters_are_the_same_with_their_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
