#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/text.h"

static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    return ctx.scratch == NULL;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static const char *printed(vel_value v) {
    vel_text t = vel_text_new(ctx.scratch);
    const char *s;
    vel_text_value(&t, &v);
    assert_int_equal(vel_text_done(&ctx, &t, &s), VEL_OK);
    return s;
}

static const char *printed_real(double x) { return printed((vel_value){.kind = VEL_VREAL, .real = x}); }
static const char *printed_text(const char *s) { return printed((vel_value){.kind = VEL_VTEXT, .text = s}); }

static void grows_over_any_length(void **state) {
    (void)state;
    vel_text t = vel_text_new(ctx.scratch);
    for (int i = 0; i < 1000; i++) vel_text_add(&t, "%03d ", i);
    const char *s;
    assert_int_equal(vel_text_done(&ctx, &t, &s), VEL_OK);
    assert_int_equal(strlen(s), 4000);
    assert_memory_equal(s + 4 * 777, "777 ", 4);
}

static void an_empty_text_is_the_empty_string(void **state) {
    (void)state;
    vel_text t = vel_text_new(ctx.scratch);
    const char *s;
    assert_int_equal(vel_text_done(&ctx, &t, &s), VEL_OK);
    assert_string_equal(s, "");
}

static void what_is_not_utf8_is_replaced_in_json(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"\xff", "\"\\ufffd\""},
        {"\xc3\xa9 \xe7\xb4\xb0 \xf0\x9f\xa7\xac", "\"\xc3\xa9 \xe7\xb4\xb0 \xf0\x9f\xa7\xac\""},
        {"\xc3", "\"\\ufffd\""},                                  /* cut off */
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},                       /* longer than need be */
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* beyond U+10FFFF */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vel_text t = vel_text_new(ctx.scratch);
        const char *s;
        vel_text_json(&t, rows[i][0]);
        assert_int_equal(vel_text_done(&ctx, &t, &s), VEL_OK);
        assert_string_equal(s, rows[i][1]);
    }
}

static void reals_have_the_fewest_digits_that_give_them_back(void **state) {
    (void)state;
    assert_string_equal(printed_real(0.1), "0.1");
    assert_string_equal(printed_real(5), "5.0");
    assert_string_equal(printed_real(1e-5), "1e-05");
    assert_true(strtod(printed_real(1.0 / 3), NULL) == 1.0 / 3);
    assert_true(strtod(printed_real(5e-324), NULL) == 5e-324);
}

static void texts_are_bare_only_where_they_read_back_as_texts(void **state) {
    (void)state;
    assert_string_equal(printed_text("velocity"), "velocity");
    assert_string_equal(printed_text("cell type"), "\"cell type\"");
    assert_string_equal(printed_text("none"), "\"none\"");
    assert_string_equal(printed_text("30"), "\"30\"");
    assert_string_equal(printed_text("a|b"), "\"a|b\"");
    assert_string_equal(printed_text(""), "\"\"");
    assert_string_equal(printed_text("say \"hi\"\\\n"), "\"say \\\"hi\\\"\\\\\\n\"");
}

static void lists_are_json(void **state) {
    (void)state;
    vel_value items[] = {{.kind = VEL_VINT, .integer = 5},
                         {.kind = VEL_VNONE},
                         {.kind = VEL_VBOOL, .boolean = true},
                         {.kind = VEL_VTEXT, .text = "a"}};
    assert_string_equal(printed((vel_value){.kind = VEL_VLIST, .items = items, .n_items = 4}), "[5,null,true,\"a\"]");
}

static void paths_are_put_together_around_a_name(void **state) {
    (void)state;
    const char *path;
    assert_int_equal(vel_path_of(&ctx, "layers/variance_", "velocity", "", &path), VEL_OK);
    assert_string_equal(path, "layers/variance_velocity");
    assert_int_equal(vel_path_of(&ctx, "var/", "velocity", "_genes", &path), VEL_OK);
    assert_string_equal(path, "var/velocity_genes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_over_any_length),
        cmocka_unit_test(an_empty_text_is_the_empty_string),
        cmocka_unit_test(what_is_not_utf8_is_replaced_in_json),
        cmocka_unit_test(reals_have_the_fewest_digits_that_give_them_back),
        cmocka_unit_test(texts_are_bare_only_where_they_read_back_as_texts),
        cmocka_unit_test(lists_are_json),
        cmocka_unit_test(paths_are_put_together_around_a_name),
    };
    return cmocka_run_group_tests_name("core/text", tests, setup, teardown);
}
