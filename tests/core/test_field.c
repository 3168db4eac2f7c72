#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/field.h"
#include "tests/context.h"

static void absurd_sizes_are_out_of_memory(void **state) {
    vel_ctx *ctx = *state;
    vel_field f;
    assert_int_equal(vel_field_dense(ctx, VEL_F64, vel_matrix(INT64_MAX, INT64_MAX), &f), VEL_ENOMEM);
    assert_int_equal(f.kind, VEL_ABSENT);
    assert_int_equal(vel_field_dense(ctx, VEL_F64, vel_matrix(-1, 1), &f), VEL_ENOMEM);
    assert_int_equal(vel_field_sparse(ctx, VEL_F64, vel_matrix(3, 3), INT64_MAX, &f), VEL_ENOMEM);
    assert_int_equal(f.kind, VEL_ABSENT);
}

/* A scratch file in memory, which notes how far what has been read and what has been kept rest. */
static void strings_are_packed_with_their_gaps(void **state) {
    vel_ctx *ctx = *state;
    vel_field f;
    assert_int_equal(vel_field_texts(ctx, (const char *const[]){"one", NULL, ""}, 3, &f), VEL_OK);
    assert_string_equal(f.texts[0], "one");
    assert_null(f.texts[1]);
    assert_string_equal(f.texts[2], "");
    vel_field_cut(&f, (uint8_t[]){0, 1, 1}, NULL);
    assert_int_equal(f.rows, 2);
    assert_null(f.texts[0]);
    assert_string_equal(f.texts[1], "");
    vel_field_free(&f);
}

static void duplicates_are_added_in_the_type_of_the_matrix_and_in_order(void **state) {
    vel_ctx *ctx = *state;
    vel_field f;
    const float big = 1 << 24;
    assert_int_equal(vel_field_sparse(ctx, VEL_F32, vel_matrix(2, 3), 5, &f), VEL_OK);
    memcpy(f.indptr, (int64_t[]){0, 4, 5}, sizeof(int64_t[3]));
    memcpy(f.indices, (int32_t[]){2, 0, 2, 2, 1}, sizeof(int32_t[5]));
    memcpy(f.data, (float[]){big, 5, 1, 1, 6}, sizeof(float[5])); /* (2^24 + 1) + 1 is 2^24 in float32 */
    assert_int_equal(vel_field_canonical(ctx, &f), VEL_OK);
    assert_memory_equal(f.indptr, ((int64_t[]){0, 2, 3}), sizeof(int64_t[3]));
    assert_memory_equal(f.indices, ((int32_t[]){0, 2, 1}), sizeof(int32_t[3]));
    assert_memory_equal(f.data, ((float[]){5, big, 6}), sizeof(float[3]));
    vel_field_free(&f);
}

static void every_type_reads_as_a_double(void **state) {
    (void)state;
    const vel_type types[] = {VEL_I8, VEL_I16, VEL_I32, VEL_I64, VEL_U8, VEL_U16, VEL_U32, VEL_U64, VEL_F32, VEL_F64};
    const void *values[] = {(int8_t[]){-3},  (int16_t[]){-3}, (int32_t[]){-3}, (int64_t[]){-3}, (uint8_t[]){3},
                            (uint16_t[]){3}, (uint32_t[]){3}, (uint64_t[]){3}, (float[]){-3},   (double[]){-3}};
    for (int i = 0; i < 10; i++) {
        vel_field f = {.kind = VEL_DENSE, .type = types[i], .data = (void *)(uintptr_t)values[i]};
        assert_true(vel_field_real(&f, 0) == (i >= 4 && i < 8 ? 3 : -3));
    }
    vel_field f = {.kind = VEL_DENSE, .type = VEL_BOOL, .data = (uint8_t[]){2}};
    assert_true(vel_field_real(&f, 0) == 1);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, new_context, free_context)
    const struct CMUnitTest tests[] = {
        CLAIM(absurd_sizes_are_out_of_memory),
        CLAIM(strings_are_packed_with_their_gaps),
        CLAIM(duplicates_are_added_in_the_type_of_the_matrix_and_in_order),
        CLAIM(every_type_reads_as_a_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
