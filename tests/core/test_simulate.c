#include "core/simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double alpha = 5, beta = 0.5, gamma_ = 0.3;

static vel_simulated gene(double switch_time) {
    return (vel_simulated){{&alpha, 0}, {&beta, 0}, {&gamma_, 0}, 0, switch_time};
}

static void starts_at_zero_and_rises_to_the_steady_state(void **state) {
    (void)state;
    double t[] = {0, 1, 200}, work[3], u[3], s[3];
    vel_simulated g = gene(1000);
    vel_simulate_states(&g, 3, t, work, u, s);
    assert_true(u[0] == 0 && s[0] == 0);
    assert_true(u[1] > 0 && s[1] > 0 && s[1] < u[1]);
    assert_true(fabs(u[2] - alpha / beta) < 1e-12 * u[2]); /* e^-100 is below rounding */
    assert_true(fabs(s[2] - alpha / gamma_) < 1e-12 * s[2]);
}

static void falls_after_the_switch(void **state) {
    (void)state;
    double t[] = {0, 5, 10, 15, 100}, work[5], u[5], s[5];
    vel_simulated g = gene(10);
    vel_simulate_states(&g, 5, t, work, u, s);
    assert_true(u[2] > u[1] && u[3] < u[2] && u[4] < 1e-10);
}

/* du/dt = alpha - beta u and ds/dt = beta u - gamma s, by central differences. */
static void obeys_the_differential_equation(void **state) {
    (void)state;
    double h = 1e-4, work[3], u[3], s[3];
    vel_simulated g = gene(4);
    for (double at = 1; at < 9; at += 2) {
        double t[] = {at - h, at, at + h};
        vel_simulate_states(&g, 3, t, work, u, s);
        double rate = at < 4 ? alpha : 0;
        assert_true(fabs((u[2] - u[0]) / (2 * h) - (rate - beta * u[1])) < 1e-6); /* error of order h^2 */
        assert_true(fabs((s[2] - s[0]) / (2 * h) - (beta * u[1] - gamma_ * s[1])) < 1e-6);
    }
}

static void equal_rates_give_nan(void **state) {
    (void)state;
    double t[] = {0, 1}, work[2], u[2], s[2];
    vel_simulated g = gene(10);
    g.gamma = g.beta;
    vel_simulate_states(&g, 2, t, work, u, s);
    assert_true(isnan(s[1]) && !isnan(u[1]));
}

static void one_rate_a_cell_equals_one_for_all(void **state) {
    (void)state;
    double t[] = {0, 1, 2, 3}, betas[] = {0.5, 0.5, 0.5, 0.5}, work[4], u[4], s[4], u2[4], s2[4];
    for (double end = 0; end < 5; end++) {
        vel_simulated g = gene(end), h = g;
        h.beta = (vel_rate){betas, 1};
        vel_simulate_states(&g, 4, t, work, u, s);
        vel_simulate_states(&h, 4, t, work, u2, s2);
        assert_memory_equal(u, u2, sizeof u);
        assert_memory_equal(s, s2, sizeof s);
    }
}

static void times_ascend_and_stretch_to_the_end_given(void **state) {
    (void)state;
    enum { N = 50 };
    double t[N], stretched[N];
    vel_rng r;
    vel_rng_seed_python(&r, 1);
    vel_simulate_times(&r, N, 0, t);
    vel_rng_seed_python(&r, 1);
    vel_simulate_times(&r, N, 25, stretched);
    assert_true(t[0] == 0);
    for (int i = 1; i < N; i++) assert_true(t[i] > t[i - 1]);
    assert_true(fabs(stretched[N - 1] - 25) < 1e-13); /* one rounding of the factor, one of the product */
    assert_true(fabs(stretched[20] / t[20] - stretched[40] / t[40]) < 1e-12);
}

static void the_switch_is_the_last_cell_before_the_fraction(void **state) {
    (void)state;
    double t[] = {0, 1, 2, 3, 4};
    assert_true(vel_simulate_switch(5, t, 0.5) == 1);
    assert_true(vel_simulate_switch(5, t, 0.51) == 2);
    assert_true(vel_simulate_switch(5, t, 1) == 3);
    assert_true(isnan(vel_simulate_switch(5, t, 0)));
}

/* scvelo.datasets.simulation(n_obs=5, n_vars=2, random_seed=3), scVelo 0.3.4, gene 1. */
static void agrees_with_the_reference_bit_for_bit(void **state) {
    (void)state;
    const double u_expected[] = {0, 0x1.8e8f0aec85b1ep-1, 0x1.0e95d9dbfbde5p+0, 0x1.1714eb2af327ap+0,
                                 0x1.cffd737424238p-1};
    const double s_expected[] = {0, 0x1.2f89624db31dcp-6, 0x1.0387e90fef90ep-5, 0x1.b110c641892f1p-4,
                                 0x1.a6b00a03b0700p-4};
    const double fractions[] = {0.4, 0.7};
    double t[5], u[5], s[5], mean_u[5], mean_s[5], work[5];
    vel_rng python, numpy;
    vel_rng_seed_python(&python, 3);
    vel_rng_seed_numpy(&numpy, 3);
    vel_simulate_times(&python, 5, 0, t);
    for (int g = 0; g < 2; g++) {
        vel_simulated x = gene(vel_simulate_switch(5, t, fractions[g]));
        vel_simulate_states(&x, 5, t, work, mean_u, mean_s);
        vel_simulate_noise(&numpy, vel_simulate_spread(5, mean_u, work) / 10, 5, mean_u, u);
        vel_simulate_noise(&numpy, vel_simulate_spread(5, mean_s, work) / 10, 5, mean_s, s);
    }
    assert_memory_equal(u, u_expected, sizeof u);
    assert_memory_equal(s, s_expected, sizeof s);
}

/* simulation(n_obs=12, n_vars=1, random_seed=3, noise_model="gillespie"). */
static void events_agree_with_the_reference(void **state) {
    (void)state;
    const double u_expected[] = {1, 2, 3, 4, 3, 3, 2, 1, 0, 0, 0, 0},
                 s_expected[] = {0, 0, 0, 0, 1, 0, 1, 2, 3, 2, 1, 0};
    double t[12], u[12], s[12];
    vel_rng python, numpy;
    vel_rng_seed_python(&python, 3);
    vel_rng_seed_numpy(&numpy, 3);
    vel_simulate_times(&python, 12, 0, t);
    vel_simulated g = gene(vel_simulate_switch(12, t, 0.4));
    vel_simulate_events(&numpy, &g, 12, t, u, s);
    assert_memory_equal(u, u_expected, sizeof u);
    assert_memory_equal(s, s_expected, sizeof s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_zero_and_rises_to_the_steady_state),
        cmocka_unit_test(falls_after_the_switch),
        cmocka_unit_test(obeys_the_differential_equation),
        cmocka_unit_test(equal_rates_give_nan),
        cmocka_unit_test(one_rate_a_cell_equals_one_for_all),
        cmocka_unit_test(times_ascend_and_stretch_to_the_end_given),
        cmocka_unit_test(the_switch_is_the_last_cell_before_the_fraction),
        cmocka_unit_test(agrees_with_the_reference_bit_for_bit),
        cmocka_unit_test(events_agree_with_the_reference),
    };
    return cmocka_run_group_tests_name("core/simulate", tests, NULL, NULL);
}
