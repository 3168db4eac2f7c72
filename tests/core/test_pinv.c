#include "core/pinv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/nearly.h"
#include "tests/random.h"

static void a_regular_system_is_solved(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < 100; round++) {
        double m[3][3], a[3][3], x[3], b[3] = {0}, found[3];
        int k = 1 + round % 3;
        for (int i = 0; i < 3; i++) {
            x[i] = random_between(&seed, -1, 1);
            for (int j = 0; j < 3; j++) m[i][j] = random_between(&seed, -1, 1) + 3 * (i == j);
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++) b[i] += a[i][j] * x[j];
        vel_pinv_solve(k, (const double(*)[3])a, b, found);
        for (int i = 0; i < k; i++) assert_near(found[i], x[i], 1e-12); /* condition below 100 */
    }
}

static void a_singular_system_gets_its_shortest_solution(void **state) {
    (void)state;
    const double a[3][3] = {{1, 1, 0}, {1, 1, 0}, {0, 0, 0}}, b[3] = {2, 2, 0};
    double x[3];
    vel_pinv_solve(3, a, b, x);
    assert_near(x[0], 1, 1e-14);
    assert_near(x[1], 1, 1e-14);
    assert_true(x[2] == 0);
}

static void one_unknown_is_a_reciprocal(void **state) {
    (void)state;
    const double a[3][3] = {{7}}, b[3] = {3}, zero[3][3] = {{0}};
    double x[3];
    vel_pinv_solve(1, a, b, x);
    assert_true(x[0] == 3 * (1.0 / 7));
    vel_pinv_solve(1, zero, b, x);
    assert_true(x[0] == 0);
}

static void nan_gives_nan(void **state) {
    (void)state;
    const double a[3][3] = {{NAN}}, b[3] = {3};
    double x[3];
    vel_pinv_solve(1, a, b, x);
    assert_true(isnan(x[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regular_system_is_solved),
        cmocka_unit_test(a_singular_system_gets_its_shortest_solution),
        cmocka_unit_test(one_unknown_is_a_reciprocal),
        cmocka_unit_test(nan_gives_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
