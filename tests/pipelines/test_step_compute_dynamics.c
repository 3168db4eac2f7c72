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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(curves_are_those_of_the_parameters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
