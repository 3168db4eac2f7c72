/* vel_lzf_compress: LibLZF's own decompressor gives back what went in. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_went_in_comes_out),
        cmocka_unit_test(what_repeats_becomes_shorter),
        cmocka_unit_test(what_was_in_the_table_does_not_matter),
        cmocka_unit_test(nothing_is_written_beyond_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
