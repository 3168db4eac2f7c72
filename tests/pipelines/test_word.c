#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/text.h"
#include "pipelines/word.h"

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

static vel_value value(const char *word) {
    vel_value v;
    ctx.message[0] = 0;
    assert_int_equal(vel_word_value(&ctx, ctx.scratch, "perc", word, &v), VEL_OK);
    return v;
}

static void nothing_has_the_names_of_three_languages(void **state) {
    (void)state;
    assert_int_equal(value("none").kind, VEL_VNONE);
    assert_int_equal(value("None").kind, VEL_VNONE);
    assert_int_equal(value("null").kind, VEL_VNONE);
    assert_int_equal(value("nothing").kind, VEL_VTEXT);
}

static void numbers_are_whole_words(void **state) {
    (void)state;
    assert_int_equal(value("-12").integer, -12);
    assert_true(value("30").real == 30);
    assert_true(value(".5").real == 0.5);
    assert_true(value("1e-3").kind == VEL_VREAL && value("1e-3").real == 1e-3);
    assert_true(isinf(value("-inf").real));
    assert_true(value("9223372036854775808").kind == VEL_VREAL);
    static const char *const texts[] = {"3x", "1.2.3", "0x10", "-", ".", "e5", "1e999", "infinity", "1-2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_int_equal(value(texts[i]).kind, VEL_VTEXT);
}

static void a_number_keeps_its_text(void **state) {
    (void)state;
    assert_string_equal(value("007").text, "007");
    assert_int_equal(value("007").integer, 7);
}

static void quotes_make_texts(void **state) {
    (void)state;
    assert_string_equal(value("\"30\"").text, "30");
    assert_string_equal(value("'30'").text, "30");
    assert_string_equal(value("\"a \\u00e9\"").text, "a \xc3\xa9");
    assert_string_equal(value("''").text, "");
    assert_string_equal(value("'").text, "'");
}

static void lists_may_nest(void **state) {
    (void)state;
    vel_value v = value("[1, [2.5, \"x\"], null, true]");
    assert_int_equal(v.n_items, 4);
    assert_true(v.items[1].items[0].real == 2.5);
    assert_string_equal(v.items[1].items[1].text, "x");
    assert_int_equal(v.items[2].kind, VEL_VNONE);
    assert_true(vel_is_true(&v.items[3]));
    assert_int_equal(value("[]").n_items, 0);
}

static void malformed_json_is_refused_by_the_name_of_the_option(void **state) {
    (void)state;
    static const char *const bad[] = {"[1", "\"open", "[1,]", "{\"a\": 1}", "[nan]", "\"a\" b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vel_value v;
        ctx.message[0] = 0;
        assert_int_equal(vel_word_value(&ctx, ctx.scratch, "perc", bad[i], &v), VEL_EUSAGE);
        assert_int_equal(strncmp(ctx.message, "option perc: ", 13), 0);
    }
}

static void what_is_printed_reads_back_the_same(void **state) {
    (void)state;
    static const char *const words[] = {"none",
                                        "true",
                                        "false",
                                        "-3",
                                        "0.1",
                                        "1e-05",
                                        "inf",
                                        "velocity",
                                        "\"two words\"",
                                        "\"none\"",
                                        "\"[\"",
                                        "[5,95]",
                                        "[null,true,\"a b\",0.5,[1]]",
                                        "\"it's\"",
                                        "\"\""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        vel_value v = value(words[i]);
        vel_text t = vel_text_new(ctx.scratch);
        const char *s;
        vel_text_value(&t, &v);
        assert_int_equal(vel_text_done(&ctx, &t, &s), VEL_OK);
        assert_string_equal(s, words[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_the_names_of_three_languages),
        cmocka_unit_test(numbers_are_whole_words),
        cmocka_unit_test(a_number_keeps_its_text),
        cmocka_unit_test(quotes_make_texts),
        cmocka_unit_test(lists_may_nest),
        cmocka_unit_test(malformed_json_is_refused_by_the_name_of_the_option),
        cmocka_unit_test(what_is_printed_reads_back_the_same),
    };
    return cmocka_run_group_tests_name("pipelines/word", tests, setup, teardown);
}
