/* LibLZF's own decompressor gives back what went into vel_lzf_compress; it is the oracle of vel_lzf_expand too. */
#include "io/lzf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <liblzf/lzf.h>

enum { MOST = 40000 };

static unsigned char in[MOST], out[MOST + MOST / 32 + 2], back[MOST];
static unsigned table[VEL_LZF_TABLE];

/* What repeats little, much, far away, and not at all. */
static void fill(int sort) {
    unsigned seed = 1;
    for (int i = 0; i < MOST; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = sort == 0   ? 0
                : sort == 1 ? (unsigned char)(seed >> 24)
                : sort == 2 ? (unsigned char)(seed >> 30)
                : sort == 3 ? (unsigned char)(i >> 4)
                            : (unsigned char)(i < 9000 ? seed >> 24 : in[i - 8192]);
    }
}

static void what_went_in_comes_out(void **state) {
    (void)state;
    static const size_t lengths[] = {1,   2,   3,   4,   31,   32,   33,   34,    263,
                                     264, 265, 266, 267, 8191, 8192, 8193, 12000, MOST};
    for (int sort = 0; sort < 5; sort++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            fill(sort);
            size_t n = vel_lzf_compress(in, lengths[k], out, sizeof out, table);
            assert_true(n > 0);
            assert_int_equal(lzf_decompress(out, (unsigned)n, back, (unsigned)lengths[k]), lengths[k]);
            assert_memory_equal(back, in, lengths[k]);
        }
}

static void what_repeats_becomes_shorter(void **state) {
    (void)state;
    fill(0);
    assert_in_range(vel_lzf_compress(in, MOST, out, sizeof out, table), 1, MOST / 80);
    fill(3);
    assert_in_range(vel_lzf_compress(in, MOST, out, sizeof out, table), 1, MOST / 2);
}

static void what_was_in_the_table_does_not_matter(void **state) {
    (void)state;
    static unsigned char again[sizeof out];
    fill(2);
    size_t n = vel_lzf_compress(in, MOST, out, sizeof out, table);
    memset(table, 0x15, sizeof table);
    assert_int_equal(vel_lzf_compress(in, MOST, again, sizeof again, table), n);
    assert_memory_equal(again, out, n);
}

static void nothing_is_written_beyond_the_room(void **state) {
    (void)state;
    fill(2);
    size_t n = vel_lzf_compress(in, 2000, out, sizeof out, table);
    for (size_t room = 0; room < n; room++) {
        memset(out, 0xee, sizeof out);
        assert_int_equal(vel_lzf_compress(in, 2000, out, room, table), 0);
        for (size_t i = room; i < n + 40; i++) assert_int_equal(out[i], 0xee);
    }
    assert_int_equal(vel_lzf_compress(in, 2000, out, n, table), n);
}

/* Both, with what is damaged too: the same bytes or none, and nothing beyond them. */
static void check_expanding(size_t n, size_t size) {
    static unsigned char expected[MOST];
    memset(back, 0xee, sizeof back);
    bool good = lzf_decompress(out, (unsigned)n, expected, (unsigned)size) == size;
    assert_int_equal(vel_lzf_expand(out, n, back, size), good);
    if (good) assert_memory_equal(back, expected, size);
    for (size_t i = size; i < size + 40 && i < MOST; i++) assert_int_equal(back[i], 0xee);
}

static void expanding_gives_what_the_library_gives(void **state) {
    (void)state;
    for (int sort = 0; sort < 5; sort++)
        for (size_t length = 1; length < 12000; length += length < 600 ? 1 : 997) {
            fill(sort);
            size_t n = vel_lzf_compress(in, length, out, sizeof out, table);
            check_expanding(n, length);
            if (length > 1) check_expanding(n, length - 1);
            check_expanding(n, length + 1);
            check_expanding(n - 1, length);
        }
}

/* Whatever comes. */
static void damaged_bytes_are_refused_as_by_the_library(void **state) {
    (void)state;
    unsigned seed = 3;
    for (int k = 0; k < 20000; k++) {
        size_t n = 1 + (size_t)(k % 60);
        for (size_t i = 0; i < n; i++) {
            seed = seed * 1664525 + 1013904223;
            out[i] =
                i == 0 ? (unsigned char)(seed >> 27) : (unsigned char)(seed >> 24 & (seed >> 20 & 1 ? 0xff : 0xe3));
        }
        for (size_t size = 1; size < 400; size += 7) check_expanding(n, size);
    }
}

static void periods_of_every_length_are_kept(void **state) {
    (void)state;
    for (size_t period = 1; period < 40; period++) {
        for (size_t i = 0; i < 2000; i++) in[i] = (unsigned char)(i < period ? i * 37 + 1 : in[i - period]);
        for (size_t length = period; length < 700; length += 3)
            check_expanding(vel_lzf_compress(in, length, out, sizeof out, table), length);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_went_in_comes_out),
        cmocka_unit_test(what_repeats_becomes_shorter),
        cmocka_unit_test(what_was_in_the_table_does_not_matter),
        cmocka_unit_test(nothing_is_written_beyond_the_room),
        cmocka_unit_test(expanding_gives_what_the_library_gives),
        cmocka_unit_test(periods_of_every_length_are_kept),
        cmocka_unit_test(damaged_bytes_are_refused_as_by_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
