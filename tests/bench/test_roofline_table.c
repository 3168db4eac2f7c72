#include "bench/roofline_table.h"

#include "tests/bench/made_roofline.h"

static void every_kernel_has_its_share_and_its_limit(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_roofline *r = made_roofline();
    const char *text;
    int shares = 0;
    assert_int_equal(bench_roofline_table(ctx, r, &text), VEL_OK);
    for (const char *p = text; (p = strstr(p, "**50 %**")); p++) shares++;
    assert_int_equal(shares, bench_n_kernels);
    assert_null(strstr(text, "nan"));
    made_roofline_free(r);
    made_ctx_free(ctx);
    (void)state;
}

static void every_row_has_as_many_cells_as_its_head(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_roofline *r = made_roofline();
    const char *text;
    for (int threads = 1; threads >= 0; threads--) {
        if (!threads) r->all = (bench_speeds){0};
        assert_int_equal(bench_roofline_table(ctx, r, &text), VEL_OK);
        made_rows_are_even(text);
    }
    made_roofline_free(r);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_has_its_share_and_its_limit),
        cmocka_unit_test(every_row_has_as_many_cells_as_its_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
