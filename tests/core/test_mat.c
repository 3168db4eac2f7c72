#include "core/mat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void types_have_the_sizes_of_their_c_types(void **state) {
    (void)state;
    assert_int_equal(vel_type_size(VEL_NOTYPE), 0);
    assert_int_equal(vel_type_size(VEL_BOOL), 1);
    assert_int_equal(vel_type_size(VEL_I16), sizeof(int16_t));
    assert_int_equal(vel_type_size(VEL_U32), sizeof(uint32_t));
    assert_int_equal(vel_type_size(VEL_I64), sizeof(int64_t));
    assert_int_equal(vel_type_size(VEL_F16), 2);
    assert_int_equal(vel_type_size(VEL_F32), sizeof(float));
    assert_int_equal(vel_type_size(VEL_F64), sizeof(double));
}

static void types_have_numpy_s_names_each_its_own(void **state) {
    (void)state;
    assert_string_equal(vel_type_name(VEL_BOOL), "bool");
    assert_string_equal(vel_type_name(VEL_U8), "uint8");
    assert_string_equal(vel_type_name(VEL_F32), "float32");
    for (vel_type a = VEL_NOTYPE; a <= VEL_F64; a++)
        for (vel_type b = VEL_NOTYPE; b < a; b++) assert_string_not_equal(vel_type_name(a), vel_type_name(b));
}

static void only_wide_integers_and_float64_are_loaded_as_float64(void **state) {
    (void)state;
    const vel_type wide[] = {VEL_I32, VEL_I64, VEL_U32, VEL_U64, VEL_F64};
    const vel_type narrow[] = {VEL_BOOL, VEL_I8, VEL_I16, VEL_U8, VEL_U16, VEL_F16, VEL_F32};
    for (int i = 0; i < 5; i++) assert_int_equal(vel_loaded_type(wide[i]), VEL_F64);
    for (int i = 0; i < 7; i++) assert_int_equal(vel_loaded_type(narrow[i]), VEL_F32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_the_sizes_of_their_c_types),
        cmocka_unit_test(types_have_numpy_s_names_each_its_own),
        cmocka_unit_test(only_wide_integers_and_float64_are_loaded_as_float64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
