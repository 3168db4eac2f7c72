#include "io/json.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void texts_stay_and_bytes_that_are_no_utf8_are_replaced_one_by_one(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"\xc3\xa9 \"\\\n", "\xc3\xa9 \"\\\n"},
        {"\xff", "\xef\xbf\xbd"},
        {"a\xe9 b.h5ad", "a\xef\xbf\xbd b.h5ad"}, /* Latin-1 */
        {"\xc3\xa9\xc3", "\xc3\xa9\xef\xbf\xbd"}, /* cut off */
        {"\xff\xff\xff\xff", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *made = vel_json_text(rows[i][0]);
        assert_non_null(made);
        assert_string_equal(json_string_value(made), rows[i][1]);
        json_decref(made);
    }
    assert_true(json_is_null(vel_json_text(NULL)));
}

static void numbers_that_are_not_finite_are_null(void **state) {
    (void)state;
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) assert_true(json_is_null(vel_json_real(odd[i])));
    json_t *made = vel_json_real(-0x1.8p-1000);
    assert_true(json_real_value(made) == -0x1.8p-1000);
    json_decref(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_stay_and_bytes_that_are_no_utf8_are_replaced_one_by_one),
        cmocka_unit_test(numbers_that_are_not_finite_are_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
