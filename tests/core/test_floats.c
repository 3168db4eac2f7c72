#include "core/floats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/flushing.h"

static void subnormals_are_kept_to_the_end_of_the_scope(void **state) {
    (void)state;
    if (!flush_subnormals(true)) skip();
    assert_true(half_of_least() == 0);
    {
        VEL_PLAIN_FLOATS;
        assert_true(half_of_least() > 0);
    }
    assert_true(half_of_least() == 0);
    flush_subnormals(false);
    assert_true(half_of_least() > 0);
}

static void numbers_are_rounded_to_nearest_in_it(void **state) {
    (void)state;
    volatile double third = 1, three = 3;
    double nearest = third / three;
    fesetround(FE_UPWARD);
    assert_true(third / three > nearest);
    {
        VEL_PLAIN_FLOATS;
        assert_true(third / three == nearest);
    }
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subnormals_are_kept_to_the_end_of_the_scope),
        cmocka_unit_test(numbers_are_rounded_to_nearest_in_it),
    };
    return cmocka_run_group_tests_name("core/floats", tests, NULL, NULL);
}
