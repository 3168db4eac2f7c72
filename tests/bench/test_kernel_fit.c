#include "bench/kernel_fit.h"

#include <math.h>

#include "tests/bench/made.h"

static const bench_shape small = {
    .cells = 211, .genes = 20, .wide = 40, .neighbors = 11, .dims = 5, .points = 100, .queries = 4, .candidates = 30};

static void every_state_is_chosen_somewhere(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    bool seen[4] = {false};
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    assert_int_equal(bench_run_decide(ctx, &d), VEL_OK);
    for (int64_t c = 0; c < small.cells; c++) {
        assert_true(d.state[c] < 4); /* none is too near to call */
        seen[d.state[c]] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
    made_ctx_free(ctx);
    (void)state;
}

/* 0.1 of the whole on average: the noise of the abundances is a twentieth of them, and they flatten out. */
static void cells_are_projected_near_their_own_time(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    assert_int_equal(bench_run_projection(ctx, &d), VEL_OK);
    double off = 0;
    for (int64_t c = 0; c < small.cells; c++) off += fabs(d.a[c] - d.times[c]) / (double)small.cells;
    assert_true(off < 0.1);
    made_ctx_free(ctx);
    (void)state;
}

static void times_and_losses_are_finite(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_kernel_data d;
    assert_int_equal(bench_kernel_data_make(ctx, &small, &d), VEL_OK);
    assert_int_equal(bench_run_kinetics(ctx, &d), VEL_OK);
    for (int64_t c = 0; c < small.cells; c++) assert_true(isfinite(d.a[c]) && isfinite(d.b[c]));
    assert_int_equal(bench_run_loss_passes(ctx, &d), VEL_OK);
    assert_true(isfinite(d.a[0]) && d.a[0] > 0);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_is_chosen_somewhere),
        cmocka_unit_test(cells_are_projected_near_their_own_time),
        cmocka_unit_test(times_and_losses_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
