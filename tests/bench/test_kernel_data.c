#include "bench/kernel_data.h"

#include "tests/bench/made.h"

static const bench_shape small = {
    .cells = 120, .genes = 20, .wide = 40, .neighbors = 9, .dims = 5, .points = 100, .queries = 4, .candidates = 30};

static void neighbours_are_the_nearest_along_the_trajectory(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    for (int64_t c = 0; c < small.cells; c++) {
        assert_int_equal(d.around.indptr[c + 1] - d.around.indptr[c], small.neighbors);
        for (int64_t e = d.around.indptr[c]; e < d.around.indptr[c + 1]; e++) {
            const double apart = d.t[d.around.near16[e]] - d.t[c];
            assert_true(apart * apart * 120 * 120 < 8.5 * 8.5); /* at the ends all eight lie on one side */
        }
    }
    made_ctx_free(ctx);
    (void)state;
}

static void each_state_is_the_least_somewhere(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    bool seen[4] = {false};
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    for (int64_t c = 0; c < small.cells; c++) {
        int best = 0;
        for (int k = 1; k < 4; k++)
            if (d.row[k][c] < d.row[best][c]) best = k;
        seen[best] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
    made_ctx_free(ctx);
    (void)state;
}

static void the_same_shape_gives_the_same_data(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data a, b;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &a), VEL_OK);
    assert_int_equal(bench_kernel_data_make(ctx, &small, &b), VEL_OK);
    assert_memory_equal(a.wide, b.wide, (size_t)(small.cells * small.wide) * sizeof *a.wide);
    assert_memory_equal(a.candidates, b.candidates, (size_t)(4 * 30) * sizeof *a.candidates);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_the_nearest_along_the_trajectory),
        cmocka_unit_test(each_state_is_the_least_somewhere),
        cmocka_unit_test(the_same_shape_gives_the_same_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
