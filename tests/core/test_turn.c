/* vel_turn: laws of the transpose; no tolerance, bits are copied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "core/turn_bodies.h"

enum { MOST = 80, AROUND = 3 };

static const size_t sizes[] = {1, 2, 4, 8};
static const int64_t lengths[] = {0, 1, 2, 3, 4, 5, 31, 32, 33, 64, 65, 71};
enum { N_SIZES = sizeof sizes / sizeof *sizes, N_LENGTHS = sizeof lengths / sizeof *lengths };

typedef struct {
    size_t size;
    int64_t rows, cols;
} shape;

static unsigned char from[MOST * MOST * 8], to[MOST * MOST * 8], back[MOST * MOST * 8];

static void fill(unsigned char *x, unsigned seed) {
    for (size_t i = 0; i < sizeof from; i++) x[i] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
}

static void each_shape(void (*check)(const shape *s)) {
    for (int k = 0; k < N_SIZES; k++)
        for (int r = 0; r < N_LENGTHS; r++)
            for (int c = 0; c < N_LENGTHS; c++) check(&(shape){sizes[k], lengths[r], lengths[c]});
}

static const unsigned char *at(const unsigned char *x, size_t size, int64_t i) { return x + (size_t)i * size; }

static void check_elements(const shape *s) {
    int64_t in = s->cols + AROUND, out = s->rows + AROUND;
    fill(from, 1);
    vel_turn(s->size, s->rows, s->cols, from, in, to, out);
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t j = 0; j < s->cols; j++)
            assert_memory_equal(at(to, s->size, j * out + i), at(from, s->size, i * in + j), s->size);
}

static void every_element_is_where_the_transpose_has_it(void **state) {
    (void)state;
    each_shape(check_elements);
}

static void check_around(const shape *s) {
    int64_t out = s->rows + AROUND;
    fill(from, 2);
    fill(to, 3);
    fill(back, 3);
    vel_turn(s->size, s->rows, s->cols, from, s->cols, to, out);
    for (int64_t j = 0; j < s->cols; j++)
        for (int64_t i = s->rows; i < out; i++)
            assert_memory_equal(at(to, s->size, j * out + i), at(back, s->size, j * out + i), s->size);
    size_t end = (size_t)(s->cols * out) * s->size;
    assert_memory_equal(to + end, back + end, sizeof to - end);
}

static void nothing_else_is_touched(void **state) {
    (void)state;
    each_shape(check_around);
}

static void check_twice(const shape *s) {
    size_t bytes = (size_t)(s->rows * s->cols) * s->size;
    fill(from, 4);
    vel_turn(s->size, s->rows, s->cols, from, s->cols, to, s->rows);
    vel_turn(s->size, s->cols, s->rows, to, s->rows, back, s->cols);
    assert_memory_equal(back, from, bytes);
}

static void turned_twice_it_is_itself(void **state) {
    (void)state;
    each_shape(check_twice);
}

typedef struct {
    vel_turn_square *plain, *fast;
} bodies;

static void check_bodies(const bodies *b, int64_t rows, int64_t cols) {
    int64_t in = cols + AROUND, out = rows + AROUND;
    fill(from, 5);
    fill(to, 6);
    fill(back, 6);
    b->plain(rows, cols, from, in, to, out);
    b->fast(rows, cols, from, in, back, out);
    assert_memory_equal(back, to, sizeof to);
}

static void fast_squares_move_what_plain_ones_do(void **state) {
    (void)state;
    static const bodies pairs[] = {{vel_turn_4, vel_turn_4_avx2}, {vel_turn_8, vel_turn_8_avx2}};
    if (vel_cpu_level() == VEL_CPU_PLAIN) skip();
    for (int k = 0; k < 2; k++)
        for (int r = 0; r < N_LENGTHS; r++)
            for (int c = 0; c < N_LENGTHS; c++) check_bodies(&pairs[k], lengths[r], lengths[c]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_where_the_transpose_has_it),
        cmocka_unit_test(nothing_else_is_touched),
        cmocka_unit_test(turned_twice_it_is_itself),
        cmocka_unit_test(fast_squares_move_what_plain_ones_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
