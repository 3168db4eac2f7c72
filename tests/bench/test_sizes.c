#include "bench/sizes.h"

#include "tests/bench/made.h"

static void sizes_are_read_as_they_are_written(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_sizes s;
    assert_int_equal(bench_sizes_parse(ctx, "--cells", "50,3k,1.5M", 50, &s), VEL_OK);
    assert_int_equal(s.n, 3);
    assert_true(s.at[0] == 50 && s.at[1] == 3000 && s.at[2] == 1500000);
    assert_int_equal(bench_sizes_parse(ctx, "--cells", "none", 50, &s), VEL_OK);
    assert_int_equal(s.n, 0);
    made_ctx_free(ctx);
    (void)state;
}

static void what_does_not_ascend_or_is_no_size_is_refused(void **state) {
    const char *const lists[] = {"",    ",",    "3k,1k", "1k,1k", "49",
                                 "0",   "-5",   "1.5",   "1kk",   "1k,",
                                 "nan", "1e99", "1k;2k", "x",     "100,200,300,400,500,600,700,800,900,1k,2k,3k,4k"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        vel_ctx *ctx = made_ctx();
        bench_sizes s;
        if (bench_sizes_parse(ctx, "--cells", lists[i], 50, &s) != VEL_EUSAGE) fail_msg("\"%s\" was taken", lists[i]);
        assert_non_null(strstr(ctx->message, "--cells"));
        made_ctx_free(ctx);
    }
    (void)state;
}

static void a_shape_is_two_sizes(void **state) {
    vel_ctx *ctx = made_ctx();
    int64_t cells, genes;
    assert_int_equal(bench_shape_parse(ctx, "--beside", "3kx100", &cells, &genes), VEL_OK);
    assert_true(cells == 3000 && genes == 100);
    assert_int_equal(bench_shape_parse(ctx, "--beside", "3000", &cells, &genes), VEL_EUSAGE);
    assert_int_equal(bench_shape_parse(ctx, "--beside", "x100", &cells, &genes), VEL_EUSAGE);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read_as_they_are_written),
        cmocka_unit_test(what_does_not_ascend_or_is_no_size_is_refused),
        cmocka_unit_test(a_shape_is_two_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
