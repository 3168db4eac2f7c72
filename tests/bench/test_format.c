#include "bench/format.h"

#include "tests/bench/made.h"

static void a_text_of_any_length_fits(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *text;
    assert_int_equal(bench_format(ctx, ctx->scratch, &text, "%05d|%10000s", 42, "x"), VEL_OK);
    assert_int_equal(strlen(text), 10006);
    assert_int_equal(strncmp(text, "00042|", 6), 0);
    made_ctx_free(ctx);
    (void)state;
}

static void a_copy_is_another_and_null_stays_null(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *copy, *from = "words";
    assert_int_equal(bench_keep(ctx, ctx->scratch, from, &copy), VEL_OK);
    assert_string_equal(copy, from);
    assert_ptr_not_equal(copy, from);
    assert_int_equal(bench_keep(ctx, ctx->scratch, NULL, &copy), VEL_OK);
    assert_null(copy);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_of_any_length_fits),
        cmocka_unit_test(a_copy_is_another_and_null_stays_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
