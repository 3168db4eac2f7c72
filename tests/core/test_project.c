#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/project.h"

enum { M = 50 };

static double grid[M], curve_u[M], curve_s[M];

static void make_curve(void) {
    for (int k = 0; k < M; k++) {
        grid[k] = k / 8.0;
        curve_u[k] = 5 * (1 - exp(-grid[k]));
        curve_s[k] = grid[k] * grid[k] / 20;
    }
}

static double time_of(double x, double s) {
    double at;
    vel_vec out = {&at, VEL_WEAK};
    vel_project(1, (vel_vec){&x, VEL_DOUBLE}, (vel_vec){&s, VEL_DOUBLE}, M, (vel_vec){grid, VEL_DOUBLE},
                (vel_vec){curve_u, VEL_DOUBLE}, (vel_vec){curve_s, VEL_DOUBLE}, &out);
    assert_int_equal(out.tag, VEL_DOUBLE);
    return at;
}

static void points_of_the_curve_are_their_own_nearest(void **state) {
    (void)state;
    make_curve();
    for (int k = 0; k < M; k++) assert_true(time_of(curve_u[k], curve_s[k]) == grid[k]);
}

static void the_first_of_several_nearest_wins(void **state) {
    (void)state;
    make_curve();
    curve_u[20] = curve_u[30];
    curve_s[20] = curve_s[30];
    assert_true(time_of(curve_u[30], curve_s[30]) == grid[20]);
}

static void nan_is_the_least(void **state) {
    (void)state;
    make_curve();
    curve_s[33] = NAN;
    assert_true(time_of(curve_u[2], curve_s[2]) == grid[33]);
    assert_true(time_of(NAN, 1) == grid[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_the_curve_are_their_own_nearest),
        cmocka_unit_test(the_first_of_several_nearest_wins),
        cmocka_unit_test(nan_is_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
