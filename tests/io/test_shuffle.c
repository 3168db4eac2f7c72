/* vel_shuffle and vel_unshuffle: where each byte goes; no tolerance, bytes are moved. */
#include "io/shuffle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 200, SIZES = 16, AROUND = 8 };

static char elements[MOST * SIZES + AROUND], shuffled[sizeof elements], back[sizeof elements];

static void fill(char *x, unsigned seed) {
    for (size_t i = 0; i < sizeof elements; i++) x[i] = (char)((seed = seed * 1664525 + 1013904223) >> 24);
}

static void each(void (*check)(size_t n, size_t size)) {
    static const size_t lengths[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 100, MOST};
    for (size_t size = 1; size <= SIZES; size++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) check(lengths[k], size);
}

static void check_places(size_t n, size_t size) {
    fill(elements, 1);
    fill(shuffled, 2);
    fill(back, 2);
    vel_shuffle(elements, shuffled, n, size);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < size; b++) assert_int_equal(shuffled[b * n + i], elements[i * size + b]);
    assert_memory_equal(shuffled + n * size, back + n * size, AROUND);
}

static void every_byte_is_where_the_filter_has_it(void **state) {
    (void)state;
    each(check_places);
}

static void check_back(size_t n, size_t size) {
    fill(elements, 3);
    fill(back, 4);
    vel_shuffle(elements, shuffled, n, size);
    char after[AROUND];
    memcpy(after, back + n * size, AROUND);
    vel_unshuffle(shuffled, back, n, size);
    assert_memory_equal(back, elements, n * size);
    assert_memory_equal(back + n * size, after, AROUND);
}

static void unshuffled_it_is_itself(void **state) {
    (void)state;
    each(check_back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_where_the_filter_has_it),
        cmocka_unit_test(unshuffled_it_is_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
