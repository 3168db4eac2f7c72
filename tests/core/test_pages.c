/* Pages: zeros, wherever the memory comes from; content stays unless it is given back. */
#include "core/pages.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MEBI = 1 << 20 };

/* As fields are made: core/field.c. */
static unsigned char *zeroed(size_t bytes) {
    unsigned char *x = aligned_alloc(VEL_LARGE_PAGE, vel_pages_room(bytes));
    assert_non_null(x);
    vel_pages_clear(x, bytes);
    return x;
}

static const size_t sizes[] = {
    1, 4095, 4096, 4097, 2 * MEBI, 2 * MEBI + 1, 4 * MEBI - 1, 4 * MEBI, 4 * MEBI + 4097, 9 * MEBI};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static void an_array_of_any_size_is_zero_and_can_be_written(void **state) {
    (void)state;
    for (int i = 0; i < N_SIZES; i++) {
        unsigned char *x = zeroed(sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) assert_true(x[k] == 0);
        memset(x, 0x5a, sizes[i]);
        free(x);
    }
}

/* malloc then takes arrays out of its heap, where they are not new. */
static void memory_that_was_used_before_is_zero_again(void **state) {
    (void)state;
    mallopt(M_MMAP_THRESHOLD, 32 * MEBI);
    mallopt(M_TRIM_THRESHOLD, 64 * MEBI);
    for (int i = 0; i < N_SIZES; i++)
        for (int again = 0; again < 2; again++) {
            unsigned char *used = malloc(16 * MEBI);
            assert_non_null(used);
            memset(used, 0x5a, 16 * MEBI);
            free(used);
            unsigned char *x = zeroed(sizes[i]), *after = malloc(1000);
            assert_non_null(after);
            memset(after, 0x5a, 1000);
            for (size_t k = 0; k < sizes[i]; k++) assert_true(x[k] == 0);
            for (size_t k = 0; k < 1000; k++) assert_true(after[k] == 0x5a);
            free(x);
            free(after);
        }
}

static void what_is_made_shorter_keeps_its_content(void **state) {
    (void)state;
    unsigned char *x = zeroed(9 * MEBI), *shorter;
    memset(x, 0x5a, 9 * MEBI);
    shorter = realloc(x, 5 * MEBI + 1);
    assert_non_null(shorter);
    for (size_t k = 0; k < 5 * MEBI + 1; k++) assert_true(shorter[k] == 0x5a);
    free(shorter);
}

static void an_array_keeps_its_content_whatever_its_pages(void **state) {
    (void)state;
    unsigned char *x = zeroed(9 * MEBI);
    vel_pages_small(x, 9 * MEBI);
    memset(x, 0x5a, MEBI + 5);
    vel_pages_large(x, MEBI, 5 * MEBI);
    vel_pages_large(x, 5 * MEBI, 5 * MEBI + 3);
    vel_pages_small(x + 1, 100);
    for (size_t k = 0; k < 9 * MEBI; k++) assert_true(x[k] == (k < MEBI + 5 ? 0x5a : 0));
    free(x);
}

static void only_whole_pages_within_are_given_back(void **state) {
    (void)state;
#ifndef __linux__
    skip();
#endif
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), all = 8 * page;
    const size_t ranges[][2] = {{page, 3 * page}, {page + 1, 3 * page - 1}, {page - 1, 3 * page + 1}, {1, page}};
    unsigned char *x = aligned_alloc(page, all);
    assert_non_null(x);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const size_t from = ranges[i][0], to = ranges[i][1];
        const size_t first = (from + page - 1) / page * page, end = to / page * page;
        memset(x, 0x5a, all);
        vel_pages_give_back(x + from, to - from);
        for (size_t k = 0; k < all; k++) assert_true(x[k] == (first <= k && k < end ? 0 : 0x5a));
    }
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_of_any_size_is_zero_and_can_be_written),
        cmocka_unit_test(what_is_made_shorter_keeps_its_content),
        cmocka_unit_test(an_array_keeps_its_content_whatever_its_pages),
        cmocka_unit_test(memory_that_was_used_before_is_zero_again),
        cmocka_unit_test(only_whole_pages_within_are_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
