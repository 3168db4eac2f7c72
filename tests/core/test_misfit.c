#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/misfit.h"
#include "tests/core/gene.h"

static gene g;
static int32_t every[GENE_CELLS];
static const vel_mask all = {every, GENE_CELLS, g.u, g.s};
static const vel_ratio none = {.fixed = false};
static double work[4 * GENE_CELLS];

static vel_cells cells(void) {
    make_gene(&g);
    for (int i = 0; i < GENE_CELLS; i++) every[i] = i;
    return (vel_cells){.n = GENE_CELLS,
                       .u = {g.u, VEL_DOUBLE},
                       .s = {g.s, VEL_DOUBLE},
                       .std_u = vel_double(2),
                       .std_s = vel_double(4)};
}

static vel_trajectory truth(void) {
    return (vel_trajectory){{vel_double(5), vel_double(0.5), vel_double(0.3)}, vel_double(1), vel_double(10)};
}

static void cells_on_the_curve_have_no_loss(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    vel_branch on = vel_branch_of(&p, true), off = vel_branch_of(&p, false);
    for (int i = 0; i < GENE_CELLS; i++) {
        double tau;
        const vel_branch *b = vel_branch_time(&p, vel_double(g.t[i]), &tau) ? &on : &off;
        g.u[i] = vel_branch_u(b, exp(-0.5 * tau));
        g.s[i] = vel_branch_s(b, exp(-0.5 * tau), exp(-0.3 * tau));
    }
    /* one ulp of exp at most between the two: squares of 1e-15, 240 of them */
    assert_true(vel_loss(&c, &p, &none, all, (vel_vec){g.t, VEL_DOUBLE}, work) < 1e-24);
}

static void wrong_rates_cost(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth(), q = truth();
    q.rates.gamma = vel_double(0.45);
    vel_vec t = {g.t, VEL_DOUBLE};
    assert_true(vel_loss(&c, &p, &none, all, t, work) < vel_loss(&c, &q, &none, all, t, work));
    assert_true(vel_likelihood(&c, &p, &none, all, t, work) > vel_likelihood(&c, &q, &none, all, t, work));
    assert_true(vel_misfit_variance(&c, &p, all, t, work) < vel_misfit_variance(&c, &q, all, t, work));
}

static void a_kept_ratio_costs_nothing_and_another_does(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    vel_vec t = {g.t, VEL_DOUBLE};
    vel_ratio kept = {true, vel_div(p.rates.gamma, p.rates.beta)}, other = {true, vel_double(1)};
    double loss = vel_loss(&c, &p, &none, all, t, work);
    assert_true(vel_loss(&c, &p, &kept, all, t, work) == loss);
    assert_true(vel_loss(&c, &p, &other, all, t, work) > loss);
}

static void only_cells_above_both_are_kept_with_their_data(void **state) {
    (void)state;
    vel_cells c = cells();
    double room[2 * GENE_CELLS];
    vel_mask some = {.cell = every, .n = GENE_CELLS};
    vel_mask_take(&c, &some, room);
    vel_mask_keep_above(&some, 2, 3);
    int64_t k = 0;
    for (int32_t i = 0; i < GENE_CELLS; i++) {
        if (!(g.u[i] > 2 && g.s[i] > 3)) continue;
        assert_true(some.cell[k] == i && some.u[k] == g.u[i] && some.s[k] == g.s[i]);
        k++;
    }
    assert_true(k == some.n && 0 < k && k < GENE_CELLS);
}

static void an_empty_mask_gives_nan(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    vel_mask empty = {every, 0, g.u, g.s};
    vel_vec t = {g.t, VEL_DOUBLE};
    assert_true(isnan(vel_likelihood(&c, &p, &none, empty, t, work)));
    assert_true(isnan(vel_misfit_variance(&c, &p, empty, t, work)));
    assert_true(vel_loss(&c, &p, &none, empty, t, work) == 0);
}

static void only_the_mask_counts(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    vel_mask half = {every, GENE_CELLS / 2, g.u, g.s};
    vel_vec t = {g.t, VEL_DOUBLE};
    double loss = vel_loss(&c, &p, &none, half, t, work);
    for (int i = GENE_CELLS / 2; i < GENE_CELLS; i++) g.u[i] = 1e6;
    assert_true(vel_loss(&c, &p, &none, half, t, work) == loss);
}

/* Paths that switch early and late, cells at their times and at others: a loss that there is, is never ruled out. */
static void what_is_surely_above_is(void **state) {
    (void)state;
    vel_cells c = cells();
    double other[GENE_CELLS];
    const vel_tag tags[] = {VEL_SINGLE, VEL_DOUBLE};
    for (int tag = 0; tag < 2; tag++) {
        c.u.tag = c.s.tag = tags[tag];
        for (int k = 1; k <= 40; k++) {
            vel_trajectory p = truth();
            p.switch_at = (vel_num){vel_rounded(0.25 * k, tags[tag]), tags[tag]};
            for (int i = 0; i < GENE_CELLS; i++) other[i] = k % 2 ? p.switch_at.v : 20 * noise((uint64_t)(40 * i + k));
            vel_vec times[] = {{g.t, VEL_DOUBLE}, {other, VEL_DOUBLE}};
            for (int v = 0; v < 2; v++)
                assert_false(vel_loss_surely_above(&c, &p, all, vel_loss(&c, &p, &none, all, times[v], work)));
        }
    }
}

static void a_path_that_hardly_rises_is_surely_above(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    double fits = vel_loss(&c, &p, &none, all, (vel_vec){g.t, VEL_DOUBLE}, work);
    p.switch_at = vel_double(0.1);
    assert_true(vel_loss_surely_above(&c, &p, all, fits));
    assert_false(vel_loss_surely_above(&c, &p, all, NAN));
    p.rates.beta = vel_double(-0.5);
    assert_false(vel_loss_surely_above(&c, &p, all, fits));
}

/* Cells that have the u of the switch, and not a bit more. */
static void the_height_of_the_path_is_not_above(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    p.switch_at = vel_double(1);
    for (int i = 0; i < GENE_CELLS; i++) g.u[i] = 10 * (1 - exp(-0.5));
    assert_false(vel_loss_surely_above(&c, &p, all, 0));
    for (int i = 0; i < GENE_CELLS; i++) g.u[i] *= 1.001;
    assert_true(vel_loss_surely_above(&c, &p, all, 0));
}

/* u / sigma loses half of itself in float32; squares of u and of std_u do in double. */
static void what_float32_or_double_cannot_hold_is_not_above(void **state) {
    (void)state;
    vel_cells c = cells();
    vel_trajectory p = truth();
    p.switch_at = vel_double(0.1);
    p.rates.alpha.v = 1e-48;
    c.u.tag = p.sigma.tag = VEL_SINGLE;
    p.sigma.v = (double)1e38F;
    for (int i = 0; i < GENE_CELLS; i++) g.u[i] = (double)2e-7F;
    double loss = vel_loss(&c, &p, &none, all, (vel_vec){g.t, VEL_DOUBLE}, work);
    assert_false(vel_loss_surely_above(&c, &p, all, loss));

    p.rates.alpha.v = 1e-170;
    c.u.tag = p.sigma.tag = VEL_DOUBLE;
    p.sigma.v = 1;
    c.std_u.v = 1e-163;
    for (int i = 0; i < GENE_CELLS; i++) g.u[i] = 1e-161;
    loss = vel_loss(&c, &p, &none, all, (vel_vec){g.t, VEL_DOUBLE}, work);
    assert_false(vel_loss_surely_above(&c, &p, all, loss));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_on_the_curve_have_no_loss),
        cmocka_unit_test(wrong_rates_cost),
        cmocka_unit_test(a_kept_ratio_costs_nothing_and_another_does),
        cmocka_unit_test(only_cells_above_both_are_kept_with_their_data),
        cmocka_unit_test(an_empty_mask_gives_nan),
        cmocka_unit_test(only_the_mask_counts),
        cmocka_unit_test(what_is_surely_above_is),
        cmocka_unit_test(a_path_that_hardly_rises_is_surely_above),
        cmocka_unit_test(the_height_of_the_path_is_not_above),
        cmocka_unit_test(what_float32_or_double_cannot_hold_is_not_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
