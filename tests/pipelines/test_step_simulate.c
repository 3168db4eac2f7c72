#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "pipelines/run.h"

static const double *layer_of(vel_ctx *ctx, const char *recipe, const char *path, vel_adata **ad) {
    const vel_field *f;
    *ad = NULL;
    assert_int_equal(vel_run_recipe(ctx, recipe, ad), VEL_OK);
    assert_int_equal(vel_get(ctx, *ad, path, &f), VEL_OK);
    return f->data;
}

/* Two switching times serve 16 genes, or are given eight times, which is too many to keep curves for. */
static void genes_that_share_a_curve_are_as_if_each_had_its_own(void **state) {
    (void)state;
    static const char *const models[] = {"normal", "none"};
    static const char *const paths[] = {"X", "layers/unspliced", "layers/spliced"};
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < 3; p++) {
            char shared[160], own[160];
            vel_adata *a, *b;
            snprintf(shared, sizeof shared, "simulate n_obs=51 n_vars=16 noise_model=%s switches=[0.3,0.6]", models[m]);
            snprintf(own, sizeof own, "simulate n_obs=51 n_vars=16 noise_model=%s switches=[%s,%s]", models[m],
                     "0.3,0.6,0.3,0.6,0.3,0.6,0.3,0.6", "0.3,0.6,0.3,0.6,0.3,0.6,0.3,0.6");
            const double *x = layer_of(&ctx, shared, paths[p], &a), *y = layer_of(&ctx, own, paths[p], &b);
            assert_memory_equal(x, y, 51 * 16 * sizeof *x);
            vel_adata_free(a);
            vel_adata_free(b);
        }
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(genes_that_share_a_curve_are_as_if_each_had_its_own),
    };
    return cmocka_run_group_tests_name("pipelines/step_simulate", tests, NULL, NULL);
}
