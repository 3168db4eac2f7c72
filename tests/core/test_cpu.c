#include "core/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_wish_is_granted_if_the_cpu_can(void **state) {
    (void)state;
    setenv("VEL_CPU", "plain", 1); /* before the first question: the answer is kept */
    assert_int_equal(vel_cpu_level(), VEL_CPU_PLAIN);
}

static void the_choice_stays(void **state) {
    (void)state;
    unsetenv("VEL_CPU");
    assert_int_equal(vel_cpu_level(), VEL_CPU_PLAIN);
}

static void levels_have_the_names_that_the_variable_takes(void **state) {
    (void)state;
    assert_string_equal(vel_cpu_name(VEL_CPU_PLAIN), "plain");
    assert_string_equal(vel_cpu_name(VEL_CPU_AVX2), "avx2");
    assert_string_equal(vel_cpu_name(VEL_CPU_AVX512), "avx512");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wish_is_granted_if_the_cpu_can),
        cmocka_unit_test(the_choice_stays),
        cmocka_unit_test(levels_have_the_names_that_the_variable_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
