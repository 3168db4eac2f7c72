#include "core/velocity_kinds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/random.h"

enum { N = 301, ROOM = 304 };

static void the_nearest_state_is_the_likeliest_and_none_if_all_are_far(void **state) {
    (void)state;
    const vel_velocity_engine e = vel_velocity_engine_now();
    uint64_t seed = 5;
    double y[8 * ROOM] = {0};
    uint8_t kinds[VEL_VELOCITY_TOGETHER * N];
    const vel_velocity_likelihood l = vel_velocity_likelihood_of(0.04);
    for (int i = 0; i < 8 * N; i++) y[i] = random_between(&seed, 0, i / 8 % 3 ? 20 : 400);
    vel_velocity_classify(&e, N, &l, y, kinds);
    for (int c = 0; c < N; c++) {
        int best = 0;
        for (int k = 1; k < 4; k++) best = y[8 * c + k] < y[8 * c + best] ? k : best;
        assert_int_equal(kinds[VEL_VELOCITY_TOGETHER * c], y[8 * c + best] < l.limit ? best : VEL_NO_STATE);
    }
}

static void the_first_of_equals_is_taken(void **state) {
    (void)state;
    const vel_velocity_engine e = vel_velocity_engine_now();
    const vel_velocity_likelihood l = vel_velocity_likelihood_of(1);
    const double y[32] = {3, 1, 1, 2};
    uint8_t kind;
    vel_velocity_classify(&e, 1, &l, y, &kind);
    assert_int_equal(kind, VEL_ON);
}

/* Gene 0 alone, and as the second of a pair. */
static void the_genes_of_a_pair_do_not_see_each_other(void **state) {
    (void)state;
    const vel_velocity_engine e = vel_velocity_engine_now();
    const vel_fitted_gene fit = {
        .alpha = 3, .beta = 0.6, .gamma = 0.5, .scaling = 1.25, .switch_at = 4, .std_u = 1.5, .std_s = 1};
    const vel_velocity_model m = vel_velocity_model_make(&fit), models[3] = {m, m, m};
    static _Alignas(64) double x[8 * (N + 1)], y[8 * ROOM];
    static uint8_t kinds[VEL_VELOCITY_TOGETHER * N];
    double u[N], s[N], on[N], off[N];
    uint64_t seed = 9;
    for (int i = 0; i < N; i++) {
        u[i] = random_between(&seed, 0, 4), s[i] = random_between(&seed, 0, 4);
        on[i] = random_between(&seed, 0, 4), off[i] = random_between(&seed, 0, 9);
    }
    const vel_dynamical_gene g = {fit, {N, VEL_F64, u, s}, on, off, NULL, NULL}, genes[3] = {g, g, g};
    const vel_velocity_rooms rooms = {x, y, kinds};
    vel_velocity_kinds(&e, &(vel_dynamical_opts){0}, 0, 2, models, genes, &rooms);
    vel_velocity_kinds(&e, &(vel_dynamical_opts){0}, 2, 1, models, genes, &rooms);
    int seen[5] = {0};
    for (int c = 0; c < N; c++) {
        const uint8_t *k = kinds + VEL_VELOCITY_TOGETHER * c;
        assert_true(k[0] == k[1] && k[0] == k[2]);
        seen[k[0]]++;
    }
    assert_true(seen[VEL_ON] && seen[VEL_OFF]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_state_is_the_likeliest_and_none_if_all_are_far),
        cmocka_unit_test(the_first_of_equals_is_taken),
        cmocka_unit_test(the_genes_of_a_pair_do_not_see_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
