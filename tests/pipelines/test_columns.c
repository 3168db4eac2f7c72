#include "pipelines/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const float values[6] = {0, 1, 2, 10, 11, 12}; /* two genes of three cells */
static const vel_cmat matrix = {values, VEL_F32, 3, 2, 1, 3};

static void all_cells_are_taken_in_place(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_chosen_cells all;
    const void *x;
    assert_int_equal(vel_choose_cells(&ctx, NULL, 3, &all), VEL_OK);
    assert_int_equal(vel_column_take(&ctx, &matrix, 1, &all, &x), VEL_OK);
    assert_ptr_equal(x, values + 3);
    vel_arena_free(ctx.scratch);
}

static void some_cells_are_gathered_and_put_back(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_chosen_cells some;
    const uint8_t keep[3] = {1, 0, 1};
    const void *x;
    assert_int_equal(vel_choose_cells(&ctx, keep, 3, &some), VEL_OK);
    assert_int_equal(some.n, 2);
    assert_int_equal(vel_column_take(&ctx, &matrix, 1, &some, &x), VEL_OK);
    assert_memory_equal(x, ((float[]){10, 12}), 2 * sizeof(float));
    double out[6] = {-1, -1, -1, -1, -1, -1};
    vel_mat to = {out, VEL_F64, 3, 2, 1, 3};
    vel_column_put(&to, 0, &some, VEL_F32, x);
    assert_memory_equal(out, ((double[]){10, -1, 12, -1, -1, -1}), sizeof out);
    vel_arena_free(ctx.scratch);
}

static void room_is_the_column_itself_if_types_agree(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    double out[6] = {0};
    vel_mat to = {out, VEL_F64, 3, 2, 1, 3};
    vel_chosen_cells all = {NULL, 3};
    void *x;
    assert_int_equal(vel_column_room(&ctx, &to, 1, &all, VEL_F64, &x), VEL_OK);
    assert_ptr_equal(x, out + 3);
    assert_int_equal(vel_column_room(&ctx, &to, 1, &all, VEL_F32, &x), VEL_OK);
    assert_ptr_not_equal(x, out + 3);
    for (int c = 0; c < 3; c++) ((float *)x)[c] = 0.5F + (float)c;
    vel_column_put(&to, 1, &all, VEL_F32, x);
    assert_true(out[3] == 0.5 && out[5] == 2.5);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cells_are_taken_in_place),
        cmocka_unit_test(some_cells_are_gathered_and_put_back),
        cmocka_unit_test(room_is_the_column_itself_if_types_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
