#include "core/fused.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/core/centered_pair.h"

static void check_products(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]) {
    double v[CHOSEN], w[CHOSEN], y[PAIR_ROWS], z[PAIR_ROWS], to_genes[CHOSEN] = {0}, twice[CHOSEN] = {0};
    uint64_t seed = 2;
    if (c->m->indptr || !c->m->gene_major) return;
    for (int g = 0; g < CHOSEN; g++) v[g] = random_between(&seed, -1, 1);
    for (int i = 0; i < PAIR_ROWS; i++) y[i] = random_between(&seed, -1, 1);
    assert_int_equal(vel_fused_over_genes(ctx, c, v, w), VEL_OK);
    assert_int_equal(vel_fused_over_cells(ctx, c, y, z), VEL_OK);
    for (int i = 0; i < PAIR_ROWS; i++) {
        double sum = 0;
        for (int g = 0; g < CHOSEN; g++) sum += x[i][g] * v[g];
        for (int g = 0; g < CHOSEN; g++) twice[g] += x[i][g] * sum;
        for (int g = 0; g < CHOSEN; g++) to_genes[g] += x[i][g] * y[i];
    }
    for (int g = 0; g < CHOSEN; g++) assert_true(fabs(w[g] - twice[g]) < 1e-11); /* sums below 1000 */
    for (int i = 0; i < PAIR_ROWS; i++) {
        double sum = 0;
        for (int g = 0; g < CHOSEN; g++) sum += x[i][g] * to_genes[g];
        assert_true(fabs(z[i] - sum) < 1e-11);
    }
}

static void products_are_those_of_the_centred_matrix(void **state) { hold(*state, check_products); }

/* Over genes and over cells, of a whole matrix. */
static void multiply(const vel_counts *m, int threads, const double *v, double *w, double *z) {
    vel_ctx ctx = test_ctx(threads);
    int64_t *all = calloc((size_t)m->cols, sizeof *all);
    vel_centered c;
    for (int64_t g = 0; g < m->cols; g++) all[g] = g;
    assert_int_equal(vel_centered_make(&ctx, m, all, m->cols, &c), VEL_OK);
    assert_int_equal(vel_fused_over_genes(&ctx, &c, v, w), VEL_OK);
    assert_int_equal(vel_fused_over_cells(&ctx, &c, v, z), VEL_OK);
    free(all);
    vel_arena_free(ctx.scratch);
}

/* Runs of cells and groups of genes of which the last are not full; values that float32 has. */
static void bits_depend_neither_on_threads_nor_on_the_type(void **state) {
    enum { CELLS = 1130, GENES = 75 };
    static float narrow[CELLS * GENES];
    static double wide[CELLS * GENES], v[CELLS], w[3][GENES], z[3][CELLS];
    uint64_t seed = 4;
    (void)state;
    for (int i = 0; i < CELLS * GENES; i++) wide[i] = narrow[i] = (float)random_between(&seed, 0, 3);
    for (int i = 0; i < CELLS; i++) v[i] = random_between(&seed, -1, 1);
    const vel_counts f32 = {CELLS, GENES, VEL_F32, narrow, NULL, NULL, true, false},
                     f64 = {CELLS, GENES, VEL_F64, wide, NULL, NULL, true, false};
    multiply(&f64, 1, v, w[0], z[0]);
    multiply(&f64, 3, v, w[1], z[1]);
    multiply(&f32, 2, v, w[2], z[2]);
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(w[0], w[k], sizeof *w);
        assert_memory_equal(z[0], z[k], sizeof *z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_centred_matrix),
        cmocka_unit_test(bits_depend_neither_on_threads_nor_on_the_type),
    };
    return cmocka_run_group_tests_name("core/fused", tests, setup, teardown);
}
