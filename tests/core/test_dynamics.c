#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/dynamics.h"
#include "core/par.h"
#include "tests/core/gene.h"

static gene g;

typedef struct {
    vel_dynamics_solution solution;
    vel_dynamics_info info;
    double t[GENE_CELLS], tau[GENE_CELLS], tau_off[GENE_CELLS];
} result;

typedef struct {
    const vel_dynamics_problem *problem;
    const vel_dynamics_settings *settings;
    result *results;
} job;

static vel_err fit_one(vel_ctx *ctx, int64_t i, void *arg) {
    job *j = arg;
    result *r = &j->results[i];
    r->solution = (vel_dynamics_solution){.t = r->t, .tau = r->tau, .tau_off = r->tau_off};
    return vel_dynamics_fit(ctx, j->problem, j->settings, &r->solution, &r->info);
}

static void fit(const vel_dynamics_problem *p, const vel_dynamics_settings *s, result *r) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    job j = {p, s, r};
    assert_int_equal(fit_one(&ctx, 0, &j), VEL_OK);
    vel_arena_free(ctx.scratch);
}

static vel_dynamics_problem problem(const vel_segments *segments) {
    return (vel_dynamics_problem){
        .n = GENE_CELLS, .u = g.u, .s = g.s, .type_u = VEL_F64, .type_s = VEL_F64, .segments = segments};
}

/* Only ratios are known, time has no unit: gamma / beta within a quarter, and the order of the times. */
static void finds_the_shape_of_a_simulated_gene(void **state) {
    (void)state;
    make_gene(&g);
    vel_dynamics_problem p = problem(NULL);
    vel_dynamics_settings s = vel_dynamics_defaults();
    s.max_iter = 100;
    result r;
    fit(&p, &s, &r);
    assert_int_equal(r.info.status, VEL_FITTED);
    double ratio = r.solution.gamma / (r.solution.beta * r.solution.sigma);
    assert_true(fabs(ratio / 0.6 - 1) < 0.25);
    int before = 0;
    for (int i = 20; i < 60; i++) before += r.t[i] < r.t[i + 80];
    assert_int_equal(before, 40);
}

static void the_history_of_losses_begins_with_the_start(void **state) {
    (void)state;
    make_gene(&g);
    vel_dynamics_problem p = problem(NULL);
    vel_dynamics_settings s = vel_dynamics_defaults();
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    result r;
    job j = {&p, &s, &r};
    assert_int_equal(fit_one(&ctx, 0, &j), VEL_OK);
    assert_true(r.info.updates > 1);
    assert_true(r.solution.loss[r.info.updates - 1] < r.solution.loss[0]);
    vel_arena_free(ctx.scratch);
}

static void two_threads_give_the_bits_of_one(void **state) {
    (void)state;
    static result results[2][6];
    make_gene(&g);
    vel_csr graph = make_neighbors(&g);
    vel_dynamics_settings s = vel_dynamics_defaults();
    for (int threads = 1; threads <= 2; threads++) {
        vel_ctx ctx = {.scratch = vel_arena_new(), .threads = threads};
        vel_segments segments;
        assert_int_equal(vel_segments_make(&ctx, &graph, &segments), VEL_OK);
        vel_dynamics_problem p = problem(&segments);
        job j = {&p, &s, results[threads - 1]};
        assert_int_equal(vel_for(&ctx, NULL, 6, fit_one, &j), VEL_OK);
        vel_arena_free(ctx.scratch);
    }
    for (int i = 0; i < 6; i++) {
        assert_memory_equal(results[0][i].t, results[1][0].t, sizeof results[0][i].t);
        assert_memory_equal(results[0][0].tau_off, results[1][i].tau_off, sizeof results[0][i].tau_off);
        assert_true(results[0][i].solution.likelihood == results[1][i].solution.likelihood);
    }
}

/* Two genes, the second another one, or one that cannot be fitted. */
typedef struct {
    vel_dynamics_problem problem[VEL_VOICES];
    result results[VEL_VOICES];
} two;

static vel_err fit_voice(vel_ctx *ctx, vel_part part, void *arg) {
    two *genes = arg;
    vel_dynamics_settings s = vel_dynamics_defaults();
    vel_dynamics_problem p = genes->problem[part.voice];
    p.part = part;
    job j = {&p, &s, genes->results + part.voice};
    return fit_one(ctx, 0, &j);
}

static void two_genes_together_are_fitted_as_alone(void **state) {
    (void)state;
    static two genes;
    static double u[GENE_CELLS];
    static result alone;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_segments segments;
    vel_dynamics_settings s = vel_dynamics_defaults();
    make_gene(&g);
    vel_csr graph = make_neighbors(&g);
    assert_int_equal(vel_segments_make(&ctx, &graph, &segments), VEL_OK);
    for (int i = 0; i < GENE_CELLS; i++) u[i] = g.u[GENE_CELLS - 1 - i];
    for (int odd = 0; odd < 2; odd++) {
        genes.problem[0] = genes.problem[1] = problem(&segments);
        genes.problem[1].u = u;
        if (odd) u[3] = NAN;
        assert_int_equal(vel_duet_run(&ctx, &segments, VEL_VOICES, fit_voice, &genes), VEL_OK);
        for (int v = 0; v < VEL_VOICES; v++) {
            fit(&genes.problem[v], &s, &alone);
            assert_int_equal(genes.results[v].info.status, alone.info.status);
            if (alone.info.status != VEL_FITTED) continue;
            assert_memory_equal(genes.results[v].t, alone.t, sizeof alone.t);
            assert_memory_equal(genes.results[v].tau_off, alone.tau_off, sizeof alone.tau_off);
            assert_true(genes.results[v].solution.likelihood == alone.solution.likelihood);
        }
    }
    assert_int_equal(genes.results[1].info.status, VEL_NOT_FINITE);
    vel_arena_free(ctx.scratch);
}

static void refuses_what_cannot_be_fitted_and_says_where(void **state) {
    (void)state;
    const struct {
        double value;
        vel_fit_status status;
    } odd[] = {{NAN, VEL_NOT_FINITE}, {INFINITY, VEL_NOT_FINITE}, {-1, VEL_NEGATIVE}};
    vel_dynamics_settings s = vel_dynamics_defaults();
    for (int k = 0; k < 3; k++) {
        make_gene(&g);
        g.s[17] = odd[k].value;
        vel_dynamics_problem p = problem(NULL);
        result r;
        fit(&p, &s, &r);
        assert_int_equal(r.info.status, odd[k].status);
        assert_int_equal(r.info.cell, 17);
    }
    memset(g.u, 0, sizeof g.u);
    memset(g.s, 0, sizeof g.s);
    vel_dynamics_problem p = problem(NULL);
    result r;
    fit(&p, &s, &r);
    assert_int_equal(r.info.status, VEL_FEW_CELLS);
}

static void basal_levels_are_taken_off(void **state) {
    (void)state;
    make_gene(&g);
    for (int i = 0; i < GENE_CELLS; i++) {
        g.u[i] += 0.5;
        g.s[i] += 0.25;
    }
    vel_dynamics_problem p = problem(NULL);
    vel_dynamics_settings s = vel_dynamics_defaults();
    s.basal = true;
    result r;
    fit(&p, &s, &r);
    assert_true(r.solution.u0 >= 0.5 && r.solution.u0 < 0.8 && r.solution.s0 >= 0.25 && r.solution.s0 < 0.6);
}

static void without_iterations_the_start_is_kept(void **state) {
    (void)state;
    make_gene(&g);
    vel_dynamics_problem p = problem(NULL);
    vel_dynamics_settings s = vel_dynamics_defaults();
    s.max_iter = 0;
    s.fit_scaling = s.start.fit_scaling = false;
    s.start.scaling = 1;
    result r;
    fit(&p, &s, &r);
    assert_true(r.solution.beta == 1 && r.solution.sigma == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_shape_of_a_simulated_gene),
        cmocka_unit_test(the_history_of_losses_begins_with_the_start),
        cmocka_unit_test(two_threads_give_the_bits_of_one),
        cmocka_unit_test(two_genes_together_are_fitted_as_alone),
        cmocka_unit_test(refuses_what_cannot_be_fitted_and_says_where),
        cmocka_unit_test(basal_levels_are_taken_off),
        cmocka_unit_test(without_iterations_the_start_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
