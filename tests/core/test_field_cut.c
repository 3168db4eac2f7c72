/* Cutting keeps what is chosen, whatever the order of the matrix, and moves nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/field.h"
#include "tests/context.h"

static size_t rested, largest;

static void *take(void *self, size_t bytes) {
    (void)self;
    return calloc(1, bytes);
}
static void give(void *self, void *array) {
    (void)self;
    free(array);
}
static void rest(void *array, size_t from, size_t bytes) {
    (void)array;
    if (from + bytes > rested) rested = from + bytes;
    if (bytes > largest) largest = bytes;
}

static void a_spilled_layer_leaves_ram_while_it_is_cut(void **state) {
    vel_ctx *ctx = *state;
    enum { CELLS = 1000, GENES = 2000 };
    const vel_spill spill = {.least = 1, .take = take, .give = give, .rest = rest};
    static int32_t places[GENES];
    vel_field f;
    int32_t kept = 0;
    ctx->spill = &spill;
    assert_int_equal(vel_field_dense(ctx, VEL_F32, vel_matrix(CELLS, GENES), &f), VEL_OK);
    ctx->spill = NULL;
    f.gene_major = true;
    for (int64_t i = 0; i < CELLS * GENES; i++) ((float *)f.data)[i] = (float)(i % 100003);
    for (int g = 0; g < GENES; g++) places[g] = g % 3 ? kept++ : -1;
    rested = largest = 0;
    vel_field_cut(&f, NULL, places);
    size_t bytes = (size_t)CELLS * GENES * sizeof(float);
    assert_true(rested > bytes - (2 << 20)); /* but for the last piece */
    assert_true(largest < 2 << 20);
    assert_int_equal(f.cols, kept);
    for (int64_t g = 0; g < GENES; g++)
        for (int64_t c = 0; c < CELLS && places[g] >= 0; c++)
            assert_true(((float *)f.data)[places[g] * CELLS + c] == (float)((g * CELLS + c) % 100003));
    vel_field_free(&f);
}

/* A matrix of 3 x 4 with element (i, j) = 10 i + j; rows 0, 2 and columns 1, 3 are kept. */
static void check_cut(vel_ctx *ctx, bool gene_major, vel_type type) {
    vel_field f;
    assert_int_equal(vel_field_dense(ctx, type, vel_matrix(3, 4), &f), VEL_OK);
    f.gene_major = gene_major;
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 4; j++) {
            int64_t at = gene_major ? j * 3 + i : i * 4 + j;
            if (type == VEL_F64)
                ((double *)f.data)[at] = (double)(10 * i + j);
            else
                ((int8_t *)f.data)[at] = (int8_t)(10 * i + j);
        }
    vel_field_cut(&f, (uint8_t[]){1, 0, 1}, (int32_t[]){-1, 0, -1, 1});
    assert_int_equal(f.rows, 2);
    assert_int_equal(f.cols, 2);
    const double expected[2][2] = {{1, 3}, {21, 23}};
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 2; j++)
            assert_true(vel_field_real(&f, gene_major ? j * 2 + i : i * 2 + j) == expected[i][j]);
    vel_field_free(&f);
}

static void check_sparse_cut(vel_ctx *ctx, vel_type type, const uint8_t *rows, const uint8_t *cols) {
    enum { ROWS = 3, COLS = 4 };
    vel_field f;
    int32_t places[COLS];
    int64_t e = 0;
    assert_int_equal(vel_field_sparse(ctx, type, vel_matrix(ROWS, COLS), ROWS * COLS - 3, &f), VEL_OK);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLS; j++) {
            if (i == j) continue; /* no entry */
            f.indices[e] = j;
            if (type == VEL_F32)
                ((float *)f.data)[e++] = (float)(10 * i + j);
            else
                ((double *)f.data)[e++] = 10 * i + j;
        }
        f.indptr[i + 1] = e;
    }
    if (cols) vel_field_places(cols, COLS, places);
    vel_field_cut(&f, rows, cols ? places : NULL);
    int64_t row = 0, at = 0;
    for (int i = 0; i < ROWS; i++) {
        if (rows && !rows[i]) continue;
        assert_int_equal(f.indptr[row++], at);
        for (int j = 0, place = 0; j < COLS; j++) {
            if (cols && !cols[j]) continue;
            if (i != j) {
                assert_int_equal(f.indices[at], place);
                assert_true((type == VEL_F32 ? (double)((float *)f.data)[at] : ((double *)f.data)[at]) == 10 * i + j);
                at++;
            }
            place++;
        }
    }
    assert_int_equal(f.rows, row);
    assert_int_equal(f.indptr[row], at);
    vel_field_free(&f);
}

static void sparse_matrices_are_cut_by_rows_and_columns(void **state) {
    vel_ctx *ctx = *state;
    const uint8_t rows[] = {0, 1, 1}, cols[] = {1, 0, 1, 1}, none[] = {0, 0, 0, 0};
    for (int wide = 0; wide < 2; wide++) {
        vel_type type = wide ? VEL_F64 : VEL_F32;
        check_sparse_cut(ctx, type, rows, NULL);
        check_sparse_cut(ctx, type, NULL, cols);
        check_sparse_cut(ctx, type, rows, cols);
        check_sparse_cut(ctx, type, NULL, none);
    }
}

static void dense_matrices_are_cut_in_both_orders(void **state) {
    vel_ctx *ctx = *state;
    check_cut(ctx, false, VEL_F64);
    check_cut(ctx, true, VEL_F64);
    check_cut(ctx, false, VEL_I8);
    check_cut(ctx, true, VEL_I8);
}

static void records_are_cut_with_their_columns(void **state) {
    vel_ctx *ctx = *state;
    vel_field f = {.kind = VEL_RECORDS, .ndim = 1, .rows = 2, .cols = 1, .n_columns = 1};
    assert_int_equal(vel_own(ctx, 1, sizeof *f.columns, &f.columns), VEL_OK);
    assert_int_equal(vel_pack_texts(ctx, (const char *const[]){"x"}, 1, &f.names), VEL_OK);
    assert_int_equal(vel_field_dense(ctx, VEL_I32, vel_vector(2), &f.columns[0]), VEL_OK);
    ((int32_t *)f.columns[0].data)[1] = 7;
    vel_field_cut(&f, (uint8_t[]){0, 1}, NULL);
    assert_int_equal(f.rows, 1);
    assert_true(vel_field_real(&f.columns[0], 0) == 7);
    vel_field_free(&f);
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, new_context, free_context)
    const struct CMUnitTest tests[] = {
        CLAIM(a_spilled_layer_leaves_ram_while_it_is_cut),
        CLAIM(sparse_matrices_are_cut_by_rows_and_columns),
        CLAIM(dense_matrices_are_cut_in_both_orders),
        CLAIM(records_are_cut_with_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
