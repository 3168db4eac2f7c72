#include "core/decimal.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

static void numbers_have_the_fewest_digits_that_give_them_back(void **state) {
    (void)state;
    const struct {
        double x;
        const char *text;
    } rows[] = {{0, "0"},
                {0.5, "0.5"},
                {-0.1, "-0.1"},
                {10, "1e+01"},
                {1.0 / 3, "0.3333333333333333"},
                {0x1p-1074, "5e-324"},
                {0x1.fffffffffffffp1023, "1.7976931348623157e+308"}};
    char text[VEL_DECIMAL];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vel_decimal_write(rows[i].x, text);
        assert_string_equal(text, rows[i].text);
        assert_true(vel_decimal_read(text, NULL) == rows[i].x);
    }
}

/* Reference: CPython 3.11, repr. */
static void python_s_spelling_is_that_of_its_repr(void **state) {
    (void)state;
    const struct {
        double x;
        const char *text;
    } rows[] = {{0, "0.0"},
                {-0.0, "-0.0"},
                {1, "1.0"},
                {10, "10.0"},
                {-20, "-20.0"},
                {100000, "100000.0"},
                {0.1, "0.1"},
                {-12.5, "-12.5"},
                {123456.789, "123456.789"},
                {0.0001, "0.0001"},
                {0.00001, "1e-05"},
                {0.000012, "1.2e-05"},
                {9007199254740993, "9007199254740992.0"},
                {1e15, "1000000000000000.0"},
                {1e16, "1e+16"},
                {1.25e-300, "1.25e-300"},
                {-0x1.fffffffffffffp1023, "-1.7976931348623157e+308"},
                {0x1p-1074, "5e-324"},
                {NAN, "nan"},
                {INFINITY, "inf"},
                {-INFINITY, "-inf"}};
    char text[VEL_DECIMAL];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vel_decimal_write_python(rows[i].x, text);
        assert_string_equal(text, rows[i].text);
    }
}

static void any_number_comes_back_from_either_spelling(void **state) {
    (void)state;
    char text[VEL_DECIMAL];
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        const double x = random_between(&seed, -1, 1) * exp2(floor(random_between(&seed, -1000, 1000)));
        vel_decimal_write(x, text);
        assert_true(vel_decimal_read(text, NULL) == x);
        vel_decimal_write_python(x, text);
        assert_true(vel_decimal_read(text, NULL) == x);
        assert_non_null(strpbrk(text, ".e"));
    }
}

static void a_locale_with_a_comma_changes_nothing_and_stays(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR", "da_DK.UTF-8", "nl_NL.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) found = setlocale(LC_ALL, names[i]);
    if (!found) skip();
    char text[VEL_DECIMAL], *end;
    assert_true(vel_decimal_read("0.5", &end) == 0.5);
    assert_int_equal(*end, 0);
    vel_decimal_write(0.25, text);
    assert_string_equal(text, "0.25");
    vel_decimal_write_python(2.5, text);
    assert_string_equal(text, "2.5");
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_the_fewest_digits_that_give_them_back),
        cmocka_unit_test(python_s_spelling_is_that_of_its_repr),
        cmocka_unit_test(any_number_comes_back_from_either_spelling),
        cmocka_unit_test(a_locale_with_a_comma_changes_nothing_and_stays),
    };
    return cmocka_run_group_tests_name("core/decimal", tests, NULL, NULL);
}
