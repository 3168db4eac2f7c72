#include "core/steady_sums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/core/gene.h"

enum { N = GENE_CELLS };

#define STD_U 2.5
#define STD_S 3.5
#define TOLERANCE 1e-6 /* by_u, by_s and apart are single */

static vel_trajectory path(double alpha, double sigma) {
    return (vel_trajectory){.rates = {vel_double(alpha), vel_double(0.5), vel_double(0.3)}, .sigma = vel_double(sigma)};
}

static double square(double x) { return x * x; }

/* As core/assign.h has it. */
static double distance(const vel_trajectory *p, double u_inf, double s_inf, double u, double s) {
    return square((u / p->sigma.v - u_inf) / (STD_U / p->sigma.v)) + square((s - s_inf) / STD_S);
}

static void distances_to_any_state_follow_from_those_to_a_centre(void **state) {
    (void)state;
    static gene g;
    double origin[N], centre[N], u[N], s[N];
    vel_steady_sums sums;
    make_gene(&g);
    vel_trajectory first = path(5, 1.2);
    vel_steady_sums_around(&sums, &first, STD_U, STD_S);
    vel_steady_distances(&sums, N, g.u, g.s, origin, centre);
    vel_steady_offsets(&sums, N, g.u, g.s, u, s);
    for (double alpha = 4; alpha < 7; alpha += 0.5)
        for (double sigma = 0.5; sigma < 2; sigma += 0.25) {
            vel_trajectory p = path(alpha, sigma);
            vel_steady_sums_at(&sums, &p);
            for (int i = 0; i < N; i++) {
                double all = centre[i] + sums.apart, far = distance(&p, 0, 0, g.u[i], g.s[i]);
                double d = all + (double)sums.by_u * u[i] + (double)sums.by_s * s[i];
                assert_true(fabs(d - distance(&p, alpha / 0.5, alpha / 0.3, g.u[i], g.s[i])) <= TOLERANCE * all);
                assert_true(fabs(origin[i] - far) <= TOLERANCE * far);
            }
        }
}

static bool is_known(const vel_trajectory *p, double std_u) {
    vel_steady_sums sums;
    vel_trajectory first = path(5, 1);
    vel_steady_sums_around(&sums, &first, std_u, STD_S);
    vel_steady_sums_at(&sums, p);
    return isfinite(sums.by_u) && isfinite(sums.by_s) && isfinite(sums.apart);
}

static void what_float32_or_double_cannot_hold_is_not_known(void **state) {
    (void)state;
    vel_trajectory usual = path(5, 1), wide = path(5, 1e30), narrow = path(5, 1e-30), endless = path(5, 1);
    endless.rates.gamma.v = 0;
    assert_true(is_known(&usual, STD_U));
    assert_false(is_known(&wide, STD_U));
    assert_false(is_known(&narrow, STD_U));
    assert_false(is_known(&endless, STD_U));
    assert_false(is_known(&usual, 0));
    assert_false(is_known(&usual, NAN));
    vel_trajectory rather_wide = path(5, 1e19), rather_narrow = path(5, 1e-19);
    assert_true(is_known(&rather_wide, 1e15));
    assert_false(is_known(&rather_wide, 1e-5));
    assert_true(is_known(&rather_narrow, 1e-15));
    assert_false(is_known(&rather_narrow, 1e5));
}

static void a_centre_that_is_not_finite_is_the_origin(void **state) {
    (void)state;
    vel_steady_sums sums;
    vel_trajectory endless = path(5, 1);
    endless.rates.gamma.v = 0;
    vel_steady_sums_around(&sums, &endless, STD_U, STD_S);
    assert_true(sums.a0 == 10 && sums.b0 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_to_any_state_follow_from_those_to_a_centre),
        cmocka_unit_test(what_float32_or_double_cannot_hold_is_not_known),
        cmocka_unit_test(a_centre_that_is_not_finite_is_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
