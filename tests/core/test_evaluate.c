#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/evaluate.h"
#include "tests/core/gene.h"

static gene g;
static int32_t every[GENE_CELLS];
static vel_ctx ctx;
static vel_evaluator at;
static double room[GENE_CELLS];

static int begin(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    make_gene(&g);
    for (int i = 0; i < GENE_CELLS; i++) every[i] = i;
    at = (vel_evaluator){
        .cells = {GENE_CELLS, {g.u, VEL_DOUBLE}, {g.s, VEL_DOUBLE}, vel_double(2.5), vel_double(4), NULL, true, {0}},
        .room = room,
        .mask = {every, GENE_CELLS, g.u, g.s}};
    return vel_evaluator_new(&ctx, &at) != VEL_OK;
}

static int end(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_trajectory path(double alpha) {
    return (vel_trajectory){{vel_double(alpha), vel_double(0.5), vel_double(0.3)}, vel_double(1), vel_double(10)};
}

static void a_remembered_evaluation_equals_a_fresh_one(void **state) {
    (void)state;
    vel_trajectory p = path(5);
    double t[GENE_CELLS];
    uint8_t on[GENE_CELLS];
    vel_times fresh = {{t, VEL_DOUBLE}, on};
    vel_evaluation *first = vel_evaluate(&at, &p), *again = vel_evaluate(&at, &p);
    assert_ptr_equal(first, again);
    vel_assign(&at.cells, &p, at.mode, at.work, &fresh);
    assert_memory_equal(t, again->times->t.v, sizeof t);
    assert_memory_equal(on, again->times->on, sizeof on);
    assert_true(again->loss == vel_evaluate_loss(&at, &p, fresh.t));
}

static void values_with_other_tags_are_other_parameters(void **state) {
    (void)state;
    vel_trajectory p = path(5), q = path(5);
    q.rates.alpha.tag = VEL_SINGLE;
    assert_ptr_not_equal(vel_evaluate(&at, &p), vel_evaluate(&at, &q));
}

static void a_new_ratio_changes_the_loss_and_not_the_times(void **state) {
    (void)state;
    vel_trajectory p = path(5);
    vel_evaluation *e = vel_evaluate(&at, &p);
    double before = e->loss;
    at.ratio = (vel_ratio){true, vel_double(1)};
    assert_ptr_equal(vel_evaluate(&at, &p), e);
    assert_true(e->loss > before && e->loss == vel_evaluate_loss(&at, &p, e->times->t));
}

static void the_kept_one_outlives_many_others(void **state) {
    (void)state;
    vel_trajectory p = path(5);
    vel_evaluation *kept = vel_evaluate(&at, &p);
    double loss = kept->loss;
    vel_evaluation_keep(&at, kept);
    for (int k = 0; k < 3 * VEL_EVALUATIONS; k++) {
        vel_trajectory q = path(6 + k);
        vel_evaluate(&at, &q);
    }
    assert_ptr_equal(vel_evaluate(&at, &p), kept);
    assert_true(kept->loss == loss);
}

static void projected_times_are_told_from_inverse_ones(void **state) {
    (void)state;
    vel_trajectory p = path(5);
    vel_evaluation *inverse = vel_evaluate(&at, &p);
    at.mode = VEL_ASSIGN_PROJECT; /* beta > gamma: nothing changes */
    assert_ptr_equal(vel_evaluate(&at, &p), inverse);
    at.mode = VEL_ASSIGN_PROJECT_ALL;
    assert_ptr_not_equal(vel_evaluate(&at, &p), inverse);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_remembered_evaluation_equals_a_fresh_one, begin, end),
        cmocka_unit_test_setup_teardown(values_with_other_tags_are_other_parameters, begin, end),
        cmocka_unit_test_setup_teardown(a_new_ratio_changes_the_loss_and_not_the_times, begin, end),
        cmocka_unit_test_setup_teardown(the_kept_one_outlives_many_others, begin, end),
        cmocka_unit_test_setup_teardown(projected_times_are_told_from_inverse_ones, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
