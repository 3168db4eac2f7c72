#include "core/err.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_error_has_a_name_words_and_an_exit_code(void **state) {
    (void)state;
    for (vel_err e = VEL_OK; e <= VEL_ETERM; e++) {
        assert_true(strlen(vel_err_name(e)) > 1);
        assert_true(strlen(vel_err_words(e)) > 1);
        assert_true((vel_err_exit(e) == 0) == (e == VEL_OK));
    }
}

static void scripts_may_rely_on_the_exit_codes(void **state) {
    (void)state;
    assert_int_equal(vel_err_exit(VEL_ENONE), 1);
    assert_int_equal(vel_err_exit(VEL_EUSAGE), 2);
    assert_int_equal(vel_err_exit(VEL_EKEY), 3);
    assert_int_equal(vel_err_exit(VEL_EWRITE), 4);
    assert_int_equal(vel_err_exit(VEL_EBUDGET), 5);
    assert_int_equal(vel_err_exit(VEL_EINTR), 130);
    assert_int_equal(vel_err_exit(VEL_ETERM), 143);
    assert_string_equal(vel_err_name(VEL_EKEY), "EKEY");
}

static vel_err twice(vel_err first, vel_err second) {
    VEL_TRY(first);
    VEL_TRY(second);
    return VEL_OK;
}

static void try_returns_the_first_failure(void **state) {
    (void)state;
    assert_int_equal(twice(VEL_OK, VEL_OK), VEL_OK);
    assert_int_equal(twice(VEL_EKEY, VEL_ETYPE), VEL_EKEY);
    assert_int_equal(twice(VEL_OK, VEL_ETYPE), VEL_ETYPE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_has_a_name_words_and_an_exit_code),
        cmocka_unit_test(scripts_may_rely_on_the_exit_codes),
        cmocka_unit_test(try_returns_the_first_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
