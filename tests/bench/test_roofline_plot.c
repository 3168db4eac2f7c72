#include "bench/roofline_plot.h"

#include "tests/bench/made_roofline.h"

static void every_kernel_is_a_named_point_and_the_bytes_are_the_same_again(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_roofline *r = made_roofline();
    const char *text, *again;
    int points = 0;
    assert_int_equal(bench_roofline_plot(ctx, r, &text), VEL_OK);
    assert_int_equal(bench_roofline_plot(ctx, r, &again), VEL_OK);
    assert_string_equal(text, again);
    for (const char *p = text; (p = strstr(p, "<circle")); p++) points++;
    assert_int_equal(points, bench_n_kernels);
    for (int i = 0; i < bench_n_kernels; i++) assert_non_null(strstr(text, bench_kernels[i].name));
    assert_non_null(strstr(text, "L2, 110 GB/s"));
    made_roofline_free(r);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_a_named_point_and_the_bytes_are_the_same_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
