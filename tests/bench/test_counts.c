#include "bench/counts.h"

#include <math.h>

#include "pipelines/run.h"
#include "tests/bench/made.h"

static vel_adata *simulated(vel_ctx *ctx, bench_form form) {
    vel_adata *ad = NULL;
    assert_int_equal(vel_run_recipe(ctx, "simulate n_obs=60 n_vars=8 random_seed=0", &ad), VEL_OK);
    if (bench_make_counts(ctx, ad, form) != VEL_OK) fail_msg("%s", ctx->message);
    return ad;
}

static double sum_of(vel_ctx *ctx, vel_adata *ad, vel_kind kind, vel_type type) {
    const vel_field *f;
    double sum = 0;
    assert_int_equal(vel_get(ctx, ad, "layers/unspliced", &f), VEL_OK);
    assert_true(f->kind == kind && f->type == type && f->rows == 60 && f->cols == 8);
    const int64_t n = kind == VEL_SPARSE ? f->indptr[f->rows] : f->rows * f->cols;
    for (int64_t i = 0; i < n; i++) {
        const double x = type == VEL_F64 ? ((const double *)f->data)[i] : (double)((const float *)f->data)[i];
        assert_true(x == rint(x) && (kind != VEL_SPARSE || x != 0));
        sum += x * (double)(kind == VEL_SPARSE ? f->indices[i] + 1 : i / f->rows + 1);
    }
    return sum;
}

static void every_form_holds_the_same_counts(void **state) {
    vel_ctx *ctx = made_ctx();
    vel_adata *wide = simulated(ctx, BENCH_COUNTS), *narrow = simulated(ctx, BENCH_COUNTS_F32),
              *sparse = simulated(ctx, BENCH_COUNTS_CSR);
    const double sum = sum_of(ctx, wide, VEL_DENSE, VEL_F64);
    assert_true(sum > 0);
    assert_true(sum_of(ctx, narrow, VEL_DENSE, VEL_F32) == sum); /* whole numbers: exact */
    assert_true(sum_of(ctx, sparse, VEL_SPARSE, VEL_F32) == sum);
    vel_adata_free(wide);
    vel_adata_free(narrow);
    vel_adata_free(sparse);
    made_ctx_free(ctx);
    (void)state;
}

static void clusters_are_the_fifths_of_time(void **state) {
    vel_ctx *ctx = made_ctx();
    vel_adata *ad = simulated(ctx, BENCH_COUNTS);
    const vel_field *f;
    assert_int_equal(vel_get(ctx, ad, "obs/clusters", &f), VEL_OK);
    assert_int_equal(f->n_categories, 5);
    for (int64_t i = 0; i < f->rows; i++) assert_in_range(f->codes[i], 0, 4);
    vel_adata_free(ad);
    made_ctx_free(ctx);
    (void)state;
}

static void as_made_stays_as_it_is(void **state) {
    vel_ctx *ctx = made_ctx();
    vel_adata *ad = simulated(ctx, BENCH_AS_MADE);
    assert_false(vel_has(ad, "obs/clusters"));
    vel_adata_free(ad);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_holds_the_same_counts),
        cmocka_unit_test(clusters_are_the_fifths_of_time),
        cmocka_unit_test(as_made_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
