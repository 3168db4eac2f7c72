#include "core/velocity_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { N = VEL_VELOCITY_CHUNK };

static vel_fitted_gene some_fit(uint64_t *seed) {
    return (vel_fitted_gene){.alpha = random_between(seed, 0.1, 9),
                             .beta = random_between(seed, 0.1, 2),
                             .gamma = random_between(seed, 0.1, 2),
                             .scaling = random_between(seed, 0.2, 3),
                             .switch_at = random_between(seed, 1, 19),
                             .std_u = random_between(seed, 0.1, 2),
                             .std_s = random_between(seed, 0.1, 2),
                             .u0 = random_between(seed, 0, 0.2),
                             .s0 = 0.1};
}

static void fill(uint64_t *seed, double most, double *x) {
    for (int i = 0; i < N; i++) x[i] = random_between(seed, 0, most);
}

static void a_cell_has_the_same_distances_wherever_it_stands(void **state) {
    (void)state;
    uint64_t seed = 5;
    const vel_velocity_engine e = vel_velocity_engine_now();
    for (int round = 0; round < 20; round++) {
        const vel_fitted_gene fit = some_fit(&seed);
        const vel_velocity_model m = vel_velocity_model_make(&fit);
        double u[N], s[N], on[N], off[N];
        fill(&seed, 5, u), fill(&seed, 5, s), fill(&seed, 20, on), fill(&seed, 20, off);
        const vel_dynamical_gene gene = {fit, {N, VEL_F64, u, s}, on, off, NULL, NULL};
        vel_velocity_cells all, one;
        vel_velocity_spread spread = {0}, again = {0};
        vel_velocity_measure_branches(&e, &m, &gene, 0, N, &all, &spread);
        vel_velocity_measure_steady(&e, &m, N, &all);
        for (int i = 0; i < N; i++) {
            vel_velocity_measure_branches(&e, &m, &gene, i, 1, &one, &again);
            vel_velocity_measure(&e, &m, 1, on + i, off + i, &one);
            for (int k = 0; k < VEL_VELOCITY_STATES; k++) assert_memory_equal(&one.row[k][0], &all.row[k][i], 8);
        }
        assert_memory_equal(&spread, &again, sizeof spread);
    }
}

static void at_the_start_on_is_as_far_as_the_steady_state_before_it(void **state) {
    (void)state;
    uint64_t seed = 6;
    const vel_velocity_engine e = vel_velocity_engine_now();
    for (int round = 0; round < 100; round++) {
        const vel_fitted_gene fit = some_fit(&seed);
        const vel_velocity_model m = vel_velocity_model_make(&fit);
        double zero[N] = {0}, off[N];
        vel_velocity_cells x;
        zero[3] = -0.0;
        fill(&seed, 5, x.u), fill(&seed, 5, x.s), fill(&seed, 20, off);
        vel_velocity_measure(&e, &m, N, zero, off, &x);
        assert_memory_equal(x.row[VEL_ON], x.row[VEL_STEADY_OFF], sizeof x.row[0]);
    }
}

/* The loops have the operations of core/passes.h. */
static void distances_are_those_to_the_states_followed(void **state) {
    (void)state;
    uint64_t seed = 8;
    const vel_velocity_engine e = vel_velocity_engine_now();
    for (int round = 0; round < 20; round++) {
        const vel_fitted_gene fit = some_fit(&seed);
        const vel_velocity_model m = vel_velocity_model_make(&fit);
        double tau[2][N], u[N], s[N], row[N];
        vel_velocity_cells x;
        fill(&seed, 5, x.u), fill(&seed, 5, x.s), fill(&seed, 20, tau[0]), fill(&seed, 20, tau[1]);
        vel_velocity_measure(&e, &m, N, tau[VEL_ON], tau[VEL_OFF], &x);
        for (int k = 0; k < 2; k++) {
            vel_velocity_follow(&e, &m, k, N, tau[k], u, s);
            e.passes->distances(N, &(vel_pass_frame){x.u, x.s, m.std_u, m.std_s}, u, s, row);
            assert_memory_equal(row, x.row[k], sizeof row);
        }
    }
}

static void the_branches_meet_at_the_switch(void **state) {
    (void)state;
    uint64_t seed = 7;
    const vel_velocity_engine e = vel_velocity_engine_now();
    const vel_fitted_gene fit = some_fit(&seed);
    const vel_velocity_model m = vel_velocity_model_make(&fit);
    double u[4], s[4], u_off[4], s_off[4];
    vel_velocity_follow(&e, &m, VEL_ON, 1, &fit.switch_at, u, s);
    vel_velocity_follow(&e, &m, VEL_OFF, 1, (const double[4]){0}, u_off, s_off);
    assert_true(u[0] == u_off[0] && s[0] == s_off[0] && u[0] == m.u_switch && s[0] == m.s_switch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_has_the_same_distances_wherever_it_stands),
        cmocka_unit_test(at_the_start_on_is_as_far_as_the_steady_state_before_it),
        cmocka_unit_test(distances_are_those_to_the_states_followed),
        cmocka_unit_test(the_branches_meet_at_the_switch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
