#include "bench/kernels.h"

#include <math.h>

#include "tests/bench/made.h"

/* Small, with the odd sizes that fill no block. */
static const bench_shape small = {
    .cells = 211, .genes = 33, .wide = 72, .neighbors = 11, .dims = 7, .points = 300, .queries = 5, .candidates = 50};

static void every_kernel_runs_on_a_small_shape(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    for (int i = 0; i < bench_n_kernels; i++)
        for (int again = 0; again < 2; again++) assert_int_equal(bench_kernels[i].run(ctx, &d), VEL_OK);
    made_ctx_free(ctx);
    (void)state;
}

static void every_need_grows_with_every_dimension(void **state) {
    for (int i = 0; i < bench_n_kernels; i++) {
        const bench_work before = bench_kernels[i].work(&small);
        for (int k = 0; k < 8; k++) {
            bench_shape larger = small;
            int64_t *const dimensions[] = {&larger.cells, &larger.genes,  &larger.wide,    &larger.neighbors,
                                           &larger.dims,  &larger.points, &larger.queries, &larger.candidates};
            *dimensions[k] *= 2;
            const bench_work after = bench_kernels[i].work(&larger);
            assert_true(after.bytes >= before.bytes && after.flops >= before.flops && after.set >= before.set);
            assert_true(after.gathers >= before.gathers && after.exps >= before.exps && after.chain >= before.chain);
        }
    }
    (void)state;
}

static void every_kernel_moves_bytes_and_says_how_many(void **state) {
    for (int i = 0; i < bench_n_kernels; i++) {
        const bench_work w = bench_kernels[i].work(&bench_shape_default);
        assert_true(w.bytes > 0 && w.set > 0 && w.flops > 0);
        assert_true((w.gathers > 0) == (w.jumps > 0));
        assert_non_null(strstr(bench_kernels[i].formulas, ".bytes ="));
    }
    (void)state;
}

/* The count of the formula against the loops themselves. */
static void the_gram_matrix_costs_two_operations_a_pair_of_genes_and_cell(void **state) {
    for (int i = 0; i < bench_n_kernels; i++) {
        if (strcmp(bench_kernels[i].name, "gram") != 0) continue;
        bench_shape s = small;
        s.wide = 512;
        double counted = 0;
        for (int64_t first = 0; first < s.wide; first += 128) counted += 2.0 * 128 * (double)(first + 128);
        assert_true(bench_kernels[i].work(&s).flops == counted * (double)s.cells);
        return;
    }
    fail_msg("no kernel gram");
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_runs_on_a_small_shape),
        cmocka_unit_test(every_need_grows_with_every_dimension),
        cmocka_unit_test(every_kernel_moves_bytes_and_says_how_many),
        cmocka_unit_test(the_gram_matrix_costs_two_operations_a_pair_of_genes_and_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
