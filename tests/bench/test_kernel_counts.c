#include "bench/kernel_counts.h"

#include <math.h>

#include "tests/bench/made.h"

static const bench_shape small = {
    .cells = 211, .genes = 20, .wide = 40, .neighbors = 11, .dims = 5, .points = 100, .queries = 4, .candidates = 30};

static void the_gram_matrix_has_variances_on_its_diagonal_and_none_covaries_more(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    assert_int_equal(bench_run_gram(ctx, &d), VEL_OK);
    const double *gram = d.counts->gram;
    for (int64_t i = 0; i < small.wide; i++) {
        assert_true(gram[i * small.wide + i] > 0);
        for (int64_t j = 0; j < i; j++) {
            const double both = gram[i * small.wide + i] * gram[j * small.wide + j], ij = gram[i * small.wide + j];
            assert_true(ij * ij <= both);
        }
    }
    made_ctx_free(ctx);
    (void)state;
}

/* The factors are 1.5: a value times the reciprocal, rounded to single. */
static void normalising_divides_every_stored_value(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    assert_int_equal(bench_run_normalize(ctx, &d), VEL_OK);
    for (int64_t e = 0; e < vel_counts_stored(&d.counts->sparse); e++)
        assert_true(fabs((double)d.counts->sparse_out[e] * 1.5 - vel_counts_value(&d.counts->sparse, e)) < 1e-5);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gram_matrix_has_variances_on_its_diagonal_and_none_covaries_more),
        cmocka_unit_test(normalising_divides_every_stored_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
