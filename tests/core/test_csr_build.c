#include "core/csr_build.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Row i of the test has entries in columns 0, 1, …, i % BOUND - 1, of changing sign; column 3 gets 0, column 4 NaN. */
enum { ROWS = 1000, BOUND = 9 };

static float entry(int64_t row, int32_t column) {
    if (column == 3) return 0;
    if (column == 4) return NAN;
    return (row + column) % 3 ? (float)(row + 1) / 8 : -(float)(column + 1);
}

static vel_err begin(vel_ctx *ctx, const void *arg, int64_t first, int64_t count, void **state) {
    (void)ctx, (void)first, (void)count;
    *state = (void *)(uintptr_t)arg;
    return VEL_OK;
}

static int64_t make_row(void *state, int64_t row, int32_t *columns, float *values) {
    (void)state;
    for (int32_t c = 0; c < row % BOUND; c++) {
        columns[c] = c;
        values[c] = entry(row, c);
    }
    return row % BOUND;
}

static vel_err refuse(vel_ctx *ctx, const void *arg, int64_t first, int64_t count, void **state) {
    (void)arg, (void)state;
    return first + count > 700 ? vel_fail(ctx, VEL_EVALUE, "row %lld", (long long)first) : VEL_OK;
}

static const vel_row_maker maker = {"rows", ROWS, BOUND, NULL, begin, make_row, NULL};

typedef struct {
    int64_t indptr[ROWS + 1];
    int32_t indices[ROWS * BOUND];
    float values[ROWS * BOUND];
} matrix;

static vel_csr_room room(matrix *m) { return (vel_csr_room){m->indptr, m->indices, m->values}; }

static vel_err build(int threads, const vel_row_maker *m, matrix *positive, matrix *negative) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = threads};
    vel_csr_room p = room(positive), n = negative ? room(negative) : (vel_csr_room){0};
    vel_err e = vel_csr_build(&ctx, m, &p, negative ? &n : NULL);
    vel_arena_free(ctx.scratch);
    return e;
}

/* Entries of a row with the sign (0: any but 0 and NaN) are there, in order, and no others. */
static void check(const matrix *m, int sign) {
    int64_t at = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        assert_int_equal(m->indptr[i], at);
        for (int32_t c = 0; c < i % BOUND; c++) {
            float x = entry(i, c);
            if (!(sign > 0 ? x > 0 : sign < 0 ? x < 0 : x > 0 || x < 0)) continue;
            assert_int_equal(m->indices[at], c);
            assert_true(m->values[at++] == x);
        }
    }
    assert_int_equal(m->indptr[ROWS], at);
}

static matrix *new_matrix(void) {
    matrix *m = calloc(1, sizeof *m);
    assert_non_null(m);
    return m;
}

static void entries_go_by_their_sign(void **state) {
    (void)state;
    matrix *p = new_matrix(), *n = new_matrix();
    assert_int_equal(build(1, &maker, p, n), VEL_OK);
    check(p, 1);
    check(n, -1);
    free(p);
    free(n);
}

static void without_a_second_matrix_both_signs_stay_together(void **state) {
    (void)state;
    matrix *p = new_matrix();
    assert_int_equal(build(1, &maker, p, NULL), VEL_OK);
    check(p, 0);
    free(p);
}

static void threads_do_not_change_the_result(void **state) {
    (void)state;
    matrix *p1 = new_matrix(), *n1 = new_matrix(), *p3 = new_matrix(), *n3 = new_matrix();
    assert_int_equal(build(1, &maker, p1, n1), VEL_OK);
    assert_int_equal(build(3, &maker, p3, n3), VEL_OK);
    assert_memory_equal(p1, p3, sizeof *p1);
    assert_memory_equal(n1, n3, sizeof *n1);
    free(p1), free(n1), free(p3), free(n3);
}

typedef struct {
    const matrix *made;
    int64_t rows;
} placed_rows;

static vel_err begin_any(vel_ctx *ctx, const void *arg, int64_t first, int64_t count, void **state) {
    (void)ctx, (void)arg, (void)first, (void)count, (void)state;
    return VEL_OK;
}

static void note_placed(const void *arg, int64_t first, int64_t end) {
    placed_rows *p = (placed_rows *)(uintptr_t)arg;
    assert_int_equal(first, p->rows);
    assert_true(end > first && end <= ROWS);
    for (int64_t i = first; i < end; i++)
        if (p->made->indptr[i + 1] > p->made->indptr[i])
            assert_true(p->made->values[p->made->indptr[i]] == entry(i, p->made->indices[p->made->indptr[i]]));
    p->rows = end;
}

static void rows_are_said_to_be_in_their_places_once_they_are(void **state) {
    (void)state;
    matrix *m = new_matrix();
    placed_rows placed = {m, 0};
    vel_row_maker noting = {"rows", ROWS, BOUND, &placed, begin_any, make_row, note_placed};
    assert_int_equal(build(2, &noting, m, NULL), VEL_OK);
    assert_int_equal(placed.rows, ROWS);
    free(m);
}

static void rows_of_a_run_fill_its_buffer_and_are_two_batches_a_thread_at_least(void **state) {
    (void)state;
    int64_t few = vel_csr_rows_a_run(2, 1 << 20, 1 << 20), some = vel_csr_rows_a_run(2, 1 << 20, 512);
    assert_int_equal(few, vel_csr_rows_a_run(1, 1 << 20, 1 << 20) * 2);
    assert_int_equal(some * 512 * 8, 2 << 20);
    assert_int_equal(vel_csr_rows_a_run(2, 100, 512), 128);
}

static void a_failure_is_handed_on(void **state) {
    (void)state;
    matrix *p = new_matrix();
    vel_row_maker failing = maker;
    failing.begin = refuse;
    assert_int_equal(build(2, &failing, p, NULL), VEL_EVALUE);
    free(p);
}

static void no_rows_give_an_empty_matrix(void **state) {
    (void)state;
    matrix *p = new_matrix(), *n = new_matrix();
    vel_row_maker none = maker;
    none.n = 0;
    p->indptr[0] = n->indptr[0] = 7;
    assert_int_equal(build(1, &none, p, n), VEL_OK);
    assert_true(p->indptr[0] == 0 && n->indptr[0] == 0);
    free(p), free(n);
}

static int64_t make_nothing(void *state, int64_t row, int32_t *columns, float *values) {
    (void)state, (void)row, (void)columns, (void)values;
    return 0;
}

static void rows_without_room_for_any_entry_are_empty(void **state) {
    (void)state;
    vel_row_maker empty = maker;
    empty.bound = 0;
    empty.row = make_nothing;
    for (int threads = 1; threads <= 3; threads++) {
        matrix *p = new_matrix(), *n = new_matrix();
        memset(p->indptr, 1, sizeof p->indptr);
        assert_int_equal(build(threads, &empty, p, n), VEL_OK);
        for (int i = 0; i <= ROWS; i++) assert_true(p->indptr[i] == 0 && n->indptr[i] == 0);
        free(p), free(n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_go_by_their_sign),
        cmocka_unit_test(without_a_second_matrix_both_signs_stay_together),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(rows_are_said_to_be_in_their_places_once_they_are),
        cmocka_unit_test(rows_of_a_run_fill_its_buffer_and_are_two_batches_a_thread_at_least),
        cmocka_unit_test(a_failure_is_handed_on),
        cmocka_unit_test(no_rows_give_an_empty_matrix),
        cmocka_unit_test(rows_without_room_for_any_entry_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
