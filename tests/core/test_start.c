#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/start.h"
#include "tests/core/gene.h"

static gene g;

static vel_start start_of(vel_ctx *ctx, const vel_start_options *o, bool *recoverable) {
    vel_start s = {0};
    vel_vec u = {g.u, VEL_DOUBLE}, v = {g.s, VEL_DOUBLE};
    assert_int_equal(vel_start_mask(ctx, GENE_CELLS, u, v, o->percentile, &s, recoverable), VEL_OK);
    if (*recoverable) assert_int_equal(vel_start_values(ctx, u, v, o, &s), VEL_OK);
    return s;
}

static void cells_without_either_count_do_not_count(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_start_options o = {.percentile = 100, .fit_scaling = true};
    bool recoverable;
    make_gene(&g);
    vel_start s = start_of(&ctx, &o, &recoverable);
    assert_true(recoverable && s.fit.n > GENE_CELLS / 2);
    double most_u = 0, most_s = 0;
    for (int64_t j = 0; j < s.fit.n; j++) {
        assert_true(g.u[s.fit.cell[j]] > 0 && g.s[s.fit.cell[j]] > 0);
        most_u = fmax(most_u, g.u[s.fit.cell[j]]);
        most_s = fmax(most_s, g.s[s.fit.cell[j]]);
    }
    assert_true(s.third_u == most_u / 3 && s.third_s == most_s / 3);
    vel_arena_free(ctx.scratch);
}

static void two_cells_are_too_few(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_start_options o = {.percentile = 99, .fit_scaling = true};
    bool recoverable;
    memset(&g, 0, sizeof g);
    g.u[3] = g.s[3] = g.u[9] = g.s[9] = 1;
    start_of(&ctx, &o, &recoverable);
    assert_false(recoverable);
    g.u[12] = g.s[12] = 1;
    vel_start s = start_of(&ctx, &o, &recoverable);
    assert_true(recoverable);
    assert_true(s.std_u.v == 1 && s.std_u.tag == VEL_WEAK && s.p_steady == 1);
    vel_arena_free(ctx.scratch);
}

static void scaling_is_fitted_or_given(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_start_options o = {.percentile = 99, .fit_scaling = true};
    bool recoverable;
    make_gene(&g);
    vel_start s = start_of(&ctx, &o, &recoverable);
    assert_true(s.p.sigma.v == s.std_u.v / s.std_s.v && s.p.sigma.tag == VEL_DOUBLE);
    o = (vel_start_options){.percentile = 99, .scaling = 0.3};
    s = start_of(&ctx, &o, &recoverable);
    assert_true(s.p.sigma.v == 0.3 && s.p.sigma.tag == VEL_WEAK);
    vel_arena_free(ctx.scratch);
}

/* Cells at the top of the curve are near u/s = gamma/beta = 0.6; noise and late induction move it by a few percent. */
static void gamma_comes_from_the_steady_cells(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_start_options o = {.percentile = 99, .scaling = 1};
    bool recoverable;
    make_gene(&g);
    vel_start s = start_of(&ctx, &o, &recoverable);
    assert_true(fabs(s.p.rates.gamma.v - 0.6) < 0.1 && s.p.rates.beta.v == 1);
    double factors[] = {1, 2, 0.5};
    double before = s.p.rates.gamma.v;
    o.factors = factors;
    s = start_of(&ctx, &o, &recoverable);
    assert_true(s.p.rates.gamma.v == before / 2 && s.p.rates.beta.v == 2);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_without_either_count_do_not_count),
        cmocka_unit_test(two_cells_are_too_few),
        cmocka_unit_test(scaling_is_fitted_or_given),
        cmocka_unit_test(gamma_comes_from_the_steady_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
