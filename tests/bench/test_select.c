#include "bench/select.h"

#include "bench/result.h"
#include "tests/bench/made.h"

static int count(bench_set set, const char *only) {
    vel_ctx *ctx = made_ctx();
    const bench_row *list[BENCH_MOST_ROWS];
    int n;
    const vel_err e = bench_select(ctx, set, only, list, &n);
    made_ctx_free(ctx);
    assert_true(e == VEL_OK ? n > 0 : n == 0 && e == VEL_EUSAGE);
    return n;
}

static void the_sixteen_published_ones_come_first_and_names_are_unique(void **state) {
    for (int i = 0; i < bench_n_rows; i++) assert_int_equal(bench_rows[i].tier <= BENCH_EXTRA_LONG, i < 16);
    assert_true(bench_n_rows <= BENCH_MOST_ROWS);
    for (int i = 0; i < bench_n_rows; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(bench_rows[i].name, bench_rows[k].name);
    (void)state;
}

static void the_tiers_have_seven_thirteen_three_and_five(void **state) {
    assert_int_equal(count(BENCH_SET_QUICK, NULL), 7);
    assert_int_equal(count(BENCH_SET_LONG, NULL), 13);
    assert_int_equal(count(BENCH_SET_EXTRA_LONG, NULL), 3);
    assert_int_equal(count(BENCH_SET_VENDOR, NULL), 5);
    (void)state;
}

static void long_and_extra_long_are_the_published_ones_once(void **state) {
    vel_ctx *ctx = made_ctx();
    const bench_row *a[BENCH_MOST_ROWS], *b[BENCH_MOST_ROWS];
    int n, m;
    assert_int_equal(bench_select(ctx, BENCH_SET_LONG, NULL, a, &n), VEL_OK);
    assert_int_equal(bench_select(ctx, BENCH_SET_EXTRA_LONG, NULL, b, &m), VEL_OK);
    assert_int_equal(n + m, 16);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) assert_ptr_not_equal(a[i], b[k]);
    made_ctx_free(ctx);
    (void)state;
}

static void every_row_is_in_one_tier(void **state) {
    int n = 16;
    n += count(BENCH_SET_STEPS, NULL);
    n += count(BENCH_SET_STEPS_LONG, NULL);
    assert_int_equal(n, bench_n_rows);
    (void)state;
}

static void a_glob_chooses_within_the_set(void **state) {
    assert_int_equal(count(BENCH_SET_QUICK, "mem_*"), 3);
    assert_int_equal(count(BENCH_SET_LONG, "vendor_*"), 2);
    assert_int_equal(count(BENCH_SET_VENDOR, "vendor_pbmc68k_pipeline"), 1);
    (void)state;
}

static void a_glob_without_a_match_is_wrong_usage_and_says_where_it_would(void **state) {
    vel_ctx *ctx = made_ctx();
    const bench_row *list[BENCH_MOST_ROWS];
    int n;
    assert_int_equal(bench_select(ctx, BENCH_SET_QUICK, "vendor_pbmc*", list, &n), VEL_EUSAGE);
    assert_non_null(strstr(ctx->message, "extra-long"));
    made_ctx_free(ctx);
    (void)state;
}

static void scaling_shrinks_cells_alone_and_keeps_a_few(void **state) {
    assert_int_equal(bench_scaled_cells(&bench_rows[1], 1), 20000);
    assert_int_equal(bench_scaled_cells(&bench_rows[1], 0.05), 1000);
    assert_int_equal(bench_scaled_cells(&bench_rows[0], 0.0001), BENCH_LEAST_CELLS);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sixteen_published_ones_come_first_and_names_are_unique),
        cmocka_unit_test(the_tiers_have_seven_thirteen_three_and_five),
        cmocka_unit_test(long_and_extra_long_are_the_published_ones_once),
        cmocka_unit_test(every_row_is_in_one_tier),
        cmocka_unit_test(a_glob_chooses_within_the_set),
        cmocka_unit_test(a_glob_without_a_match_is_wrong_usage_and_says_where_it_would),
        cmocka_unit_test(scaling_shrinks_cells_alone_and_keeps_a_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
