#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/project.h"
#include "tests/core/gene.h"

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
    const vel_points curve = {M, {grid, VEL_DOUBLE}, {curve_u, VEL_DOUBLE}, {curve_s, VEL_DOUBLE}};
    vel_project(1, (vel_vec){&x, VEL_DOUBLE}, (vel_vec){&s, VEL_DOUBLE}, &curve, &out);
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

/* Cells around and far from a curve, many of them at equal distances from several points. */
static void boxes_find_the_points_that_the_plain_search_finds(void **state) {
    (void)state;
    enum { CELLS = 400, POINTS = 499 };
    static double x[CELLS], s[CELLS], u_of[POINTS], s_of[POINTS], times[POINTS], fast[CELLS], plain[CELLS];
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < POINTS; k++) {
            times[k] = k;
            u_of[k] = round == 1 ? floor(k / 30.0) : 5 * exp(-k / 80.0);
            s_of[k] = round == 1 ? (k / 50) % 4 : k * exp(-k / 100.0) / 9;
        }
        if (round == 2) s_of[250] = INFINITY;
        for (int i = 0; i < CELLS; i++) {
            x[i] = 6 * noise(2 * (uint64_t)i) + (i % 5 ? 0 : 1e3);
            s[i] = 6 * noise(2 * (uint64_t)i + 1);
            if (i % 3 == 0) x[i] = u_of[i % POINTS];
            if (i % 3 == 0 && i != 252) s[i] = s_of[i % POINTS];
        }
        x[7] = NAN;
        s[9] = INFINITY;
        vel_vec xs = {x, VEL_DOUBLE}, ss = {s, VEL_DOUBLE}, a = {fast, VEL_WEAK}, b = {plain, VEL_WEAK};
        for (int m = 1; m <= POINTS; m += 83) {
            const vel_points curve = {m, {times, VEL_DOUBLE}, {u_of, VEL_DOUBLE}, {s_of, VEL_DOUBLE}};
            vel_project(CELLS, xs, ss, &curve, &a);
            vel_project_plain(CELLS, xs, ss, &curve, &b);
            assert_memory_equal(fast, plain, sizeof fast);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_the_curve_are_their_own_nearest),
        cmocka_unit_test(the_first_of_several_nearest_wins),
        cmocka_unit_test(nan_is_the_least),
        cmocka_unit_test(boxes_find_the_points_that_the_plain_search_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
