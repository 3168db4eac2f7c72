#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/curves.h"
#include "pipelines/run.h"
#include "tests/pipelines/genes_toy.h"

static void curves_are_those_of_the_parameters(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad;
    assert_int_equal(moments_make(&ctx, &ad), VEL_OK);
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all | compute_dynamics", &ad), VEL_OK);
    static const char *const names[] = {"var/fit_alpha", "var/fit_beta", "var/fit_gamma", "var/fit_scaling",
                                        "var/fit_t_"};
    double *p[5], u[GENE_CELLS], s[GENE_CELLS];
    for (int k = 0; k < 5; k++) assert_int_equal(vel_get_reals(&ctx, ad, names[k], MOMENT_GENES, &p[k]), VEL_OK);
    const vel_field *t, *fit_u, *fit_s;
    assert_int_equal(vel_get(&ctx, ad, "layers/fit_t", &t), VEL_OK);
    assert_int_equal(vel_get(&ctx, ad, "layers/fit_u", &fit_u), VEL_OK);
    assert_int_equal(vel_get(&ctx, ad, "layers/fit_s", &fit_s), VEL_OK);
    vel_curve curve = {p[0][1], p[1][1] * p[3][1], p[2][1], p[3][1], p[4][1], 0, 0};
    vel_curve_at(&curve, GENE_CELLS, (const double *)t->data + GENE_CELLS, NULL, u, s);
    assert_memory_equal((const double *)fit_u->data + GENE_CELLS, u, sizeof u);
    assert_memory_equal((const double *)fit_s->data + GENE_CELLS, s, sizeof s);
    assert_true(isnan(((const double *)fit_u->data)[4 * GENE_CELLS])); /* the gene that was not fitted */
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
}

static const double *array_of(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t rows, int64_t cols) {
    const vel_field *f;
    assert_int_equal(vel_get(ctx, ad, path, &f), VEL_OK);
    assert_int_equal(f->rows, rows);
    assert_int_equal(f->cols, cols);
    return f->data;
}

static int64_t fitted_genes(vel_ctx *ctx, vel_adata *ad) {
    double *alpha;
    int64_t n = 0;
    assert_int_equal(vel_get_reals(ctx, ad, "var/fit_alpha", MOMENT_GENES, &alpha), VEL_OK);
    for (int g = 0; g < MOMENT_GENES; g++) n += !isnan(alpha[g]);
    return n;
}

static void the_sorted_table_holds_the_layers_by_time(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 2};
    vel_adata *ad;
    assert_int_equal(moments_make(&ctx, &ad), VEL_OK);
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all | compute_dynamics sort=true", &ad), VEL_OK);
    int64_t n = fitted_genes(&ctx, ad);
    assert_true(n > 0 && n < MOMENT_GENES);
    const double *t = array_of(&ctx, ad, "uns/fit_curves/t", GENE_CELLS, n);
    const double *u = array_of(&ctx, ad, "uns/fit_curves/unspliced", GENE_CELLS, n);
    const double *all = array_of(&ctx, ad, "layers/fit_t", GENE_CELLS, MOMENT_GENES);
    const double *all_u = array_of(&ctx, ad, "layers/fit_u", GENE_CELLS, MOMENT_GENES);
    for (int p = 1; p < GENE_CELLS; p++) assert_true(t[p * n] >= t[(p - 1) * n]);
    for (int c = 0; c < GENE_CELLS; c++) { /* every cell of the first gene is there with its value */
        int p = 0;
        while (p < GENE_CELLS && t[p * n] != all[c]) p++;
        assert_true(p < GENE_CELLS);
        assert_true(u[p * n] == all_u[c]);
    }
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
}

static void the_extrapolated_table_runs_from_zero_over_the_switch_to_the_last_time(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad;
    double *switch_at;
    assert_int_equal(moments_make(&ctx, &ad), VEL_OK);
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all | compute_dynamics extrapolate=true", &ad),
                     VEL_OK);
    int64_t n = fitted_genes(&ctx, ad);
    assert_int_equal(vel_get_reals(&ctx, ad, "var/fit_t_", MOMENT_GENES, &switch_at), VEL_OK);
    const double *t = array_of(&ctx, ad, "uns/fit_curves/t", VEL_CURVE_POINTS, n);
    const double *s = array_of(&ctx, ad, "uns/fit_curves/spliced", VEL_CURVE_POINTS, n);
    const double *alpha = array_of(&ctx, ad, "uns/fit_curves/alpha", VEL_CURVE_POINTS, n);
    assert_true(t[0] == 0 && s[0] == 0);
    assert_true(alpha[0] > 0 && alpha[(VEL_CURVE_POINTS - 1) * n] == 0);
    assert_true(t[(VEL_CURVE_POINTS / 2 - 1) * n] == switch_at[0]);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_the_parameters),
        cmocka_unit_test(the_sorted_table_holds_the_layers_by_time),
        cmocka_unit_test(the_extrapolated_table_runs_from_zero_over_the_switch_to_the_last_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
