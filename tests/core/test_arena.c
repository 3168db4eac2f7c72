#include "core/arena.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "tests/pipelines/alloc.h"

static int fresh(void **state) {
    vel_arena *a = vel_arena_new();
    *state = a;
    return a ? 0 : -1;
}

static int finish(void **state) {
    vel_arena_free(*state);
    return 0;
}

static void pieces_are_aligned_and_apart(void **state) {
    vel_arena *a = *state;
    enum { PIECES = 300 };
    unsigned char *piece[PIECES];
    size_t size[PIECES];
    for (int i = 0; i < PIECES; i++) {
        size[i] = (size_t)(i * i) % 5000 + 1;
        piece[i] = vel_arena_alloc(a, size[i], 1);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % 64, 0);
        memset(piece[i], i, size[i]);
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(piece[i][k], (unsigned char)i);
}

static void a_piece_may_be_larger_than_any_block(void **state) {
    char *p = vel_arena_alloc(*state, (size_t)200 << 20, 1);
    assert_non_null(p);
    p[0] = p[((size_t)200 << 20) - 1] = 1;
}

static void a_release_gives_back_what_came_after_the_mark(void **state) {
    vel_arena *a = *state;
    char *kept = vel_arena_alloc(a, 100, 1);
    memset(kept, 7, 100);
    vel_mark mark = vel_arena_mark(a);
    void *first = vel_arena_alloc(a, 1000, 1);
    for (int i = 0; i < 100; i++) assert_non_null(vel_arena_alloc(a, 10000, 1));
    vel_arena_release(a, mark);
    assert_ptr_equal(vel_arena_alloc(a, 1000, 1), first);
    for (int i = 0; i < 100; i++) assert_int_equal(kept[i], 7);
}

static void a_repeated_piece_costs_no_new_memory(void **state) {
    vel_arena *a = *state;
    vel_mark mark = vel_arena_mark(a);
    assert_non_null(vel_arena_alloc(a, 1 << 20, 1));
    vel_arena_release(a, mark);
    alloc_arm(0);
    for (int i = 0; i < 1000; i++) {
        assert_non_null(vel_arena_alloc(a, 1 << 20, 1));
        vel_arena_release(a, mark);
    }
    assert_int_equal(alloc_count, 0);
}

static void a_reset_keeps_only_the_first_block(void **state) {
    vel_arena *a = *state;
    long live = alloc_live;
    for (int i = 0; i < 50; i++) assert_non_null(vel_arena_alloc(a, 100000, 1));
    assert_true(alloc_live > live);
    vel_arena_reset(a);
    assert_int_equal(alloc_live, live);
}

static void a_trim_gives_back_what_releases_kept(void **state) {
    vel_arena *a = *state;
    long live = alloc_live;
    vel_mark mark = vel_arena_mark(a);
    vel_arena_alloc(a, 1000000, 1);
    vel_arena_release(a, mark);
    assert_true(alloc_live > live);
    vel_arena_trim(a);
    assert_int_equal(alloc_live, live);
    vel_arena_trim(a);
    char *p = vel_arena_alloc(a, 1000000, 1);
    assert_non_null(p);
    memset(p, 1, 1000000);
}

/* Of a block that holds something else the pages beyond it. */
static void a_trim_gives_back_pages_beyond_what_is_in_use(void **state) {
    enum { PAGE = 4096, KEPT = 100000, GIVEN = 20 * PAGE };
    vel_arena *a = *state;
    unsigned char resident = 1;
    vel_arena_alloc(a, KEPT, 1); /* the next block is twice as large */
    char *kept = vel_arena_alloc(a, KEPT, 1);
    memset(kept, 3, KEPT);
    vel_mark mark = vel_arena_mark(a);
    char *gone = vel_arena_alloc(a, GIVEN, 1);
    memset(gone, 7, GIVEN);
    vel_arena_release(a, mark);
    vel_arena_trim(a);
    char *page = gone + PAGE - (uintptr_t)gone % PAGE;
    assert_int_equal(mincore(page, PAGE, &resident), 0);
    assert_false(resident & 1);
    for (int i = 0; i < KEPT; i++) assert_int_equal(kept[i], 3);
    assert_ptr_equal(vel_arena_alloc(a, GIVEN, 1), gone);
    memset(gone, 9, GIVEN);
}

static void helpers_stay_until_a_trim_or_the_end(void **state) {
    vel_arena *a = *state;
    long live = alloc_live;
    vel_arena *third = vel_arena_helper(a, 2), *first = vel_arena_helper(a, 0);
    assert_non_null(third);
    assert_ptr_not_equal(third, first);
    vel_mark mark = vel_arena_mark(third);
    void *piece = vel_arena_alloc(third, 1000000, 1);
    vel_arena_release(third, mark);
    assert_ptr_equal(vel_arena_helper(a, 2), third);
    assert_ptr_equal(vel_arena_alloc(third, 1000000, 1), piece);
    vel_arena_trim(a);
    assert_int_equal(alloc_live, live);
    assert_non_null(vel_arena_helper(a, 0)); /* goes with the arena */
}

static void stacks_come_and_go_with_their_marks_and_lie_apart(void **state) {
    vel_arena *a = *state;
    enum { STACK = 64 << 10 };
    char *kept = vel_arena_alloc(a, 100, 1);
    memset(kept, 7, 100);
    for (int again = 0; again < 3; again++) {
        vel_mark mark = vel_arena_mark(a);
        char *first = vel_arena_stack(a, STACK), *second = vel_arena_stack(a, STACK),
             *piece = vel_arena_alloc(a, 100, 1);
        for (int k = 0; k < STACK; k++) assert_true(first[k] == 0 && second[k] == 0);
        memset(first, 1, STACK);
        memset(second, 2, STACK);
        memset(piece, 3, 100);
        for (int k = 0; k < STACK; k++) assert_true(first[k] == 1 && second[k] == 2);
        vel_arena_release(a, mark);
    }
    for (int i = 0; i < 100; i++) assert_int_equal(kept[i], 7);
    assert_non_null(vel_arena_stack(a, STACK)); /* goes with the arena */
}

static void zeroed_pieces_are_zero_in_used_memory_too(void **state) {
    vel_arena *a = *state;
    vel_mark mark = vel_arena_mark(a);
    memset(vel_arena_alloc(a, 4096, 1), 255, 4096);
    vel_arena_release(a, mark);
    const unsigned char *p = vel_arena_zalloc(a, 512, 8);
    for (int i = 0; i < 4096; i++) assert_int_equal(p[i], 0);
}

static void sizes_that_overflow_are_refused(void **state) {
    assert_null(vel_arena_alloc(*state, SIZE_MAX, 2));
    assert_null(vel_arena_alloc(*state, SIZE_MAX / 4, 8));
    assert_null(vel_arena_zalloc(*state, (size_t)-1, sizeof(double)));
    assert_non_null(vel_arena_alloc(*state, 0, 8));
}

static void text_is_copied(void **state) {
    char text[] = "Ins1";
    const char *copy = vel_arena_strdup(*state, text);
    text[0] = 'X';
    assert_string_equal(copy, "Ins1");
}

static void texts_lie_close_together_and_what_follows_is_aligned(void **state) {
    const char *first = vel_arena_strdup(*state, "Ins1"), *second = vel_arena_strdup(*state, "Gcg");
    assert_ptr_equal(second, first + strlen("Ins1") + 1);
    char *piece = vel_arena_alloc(*state, 100, 1);
    assert_int_equal((uintptr_t)piece % 64, 0);
    memset(piece, 1, 100);
    assert_string_equal(first, "Ins1");
    assert_string_equal(second, "Gcg");
}

static void blocks_end_where_texts_and_pieces_meet(void **state) {
    char text[64];
    const char *copies[4000];
    for (int i = 0; i < 4000; i++) {
        snprintf(text, sizeof text, "cell_%d", i);
        copies[i] = vel_arena_strdup(*state, text);
        memset(vel_arena_alloc(*state, 1 + (size_t)i % 130, 1), 1, 1 + (size_t)i % 130);
    }
    for (int i = 0; i < 4000; i++) {
        snprintf(text, sizeof text, "cell_%d", i);
        assert_string_equal(copies[i], text);
    }
}

static void a_failing_allocation_leaves_the_arena_usable(void **state) {
    (void)state;
    long live = alloc_live;
    for (long k = 1; k < 12; k++) {
        alloc_arm(k);
        vel_arena *a = vel_arena_new();
        for (int i = 0; a && i < 4; i++) {
            char *p = vel_arena_alloc(a, 100000u << i, 1);
            if (p) memset(p, 1, 100000u << i);
        }
        alloc_arm(0);
        if (a) assert_non_null(vel_arena_alloc(a, 1000000, 1));
        alloc_arm(k);
        if (a && vel_arena_helper(a, 1)) assert_non_null(vel_arena_helper(a, 1));
        alloc_arm(0);
        vel_arena_free(a);
        assert_int_equal(alloc_live, live);
    }
    vel_arena_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pieces_are_aligned_and_apart, fresh, finish),
        cmocka_unit_test_setup_teardown(a_piece_may_be_larger_than_any_block, fresh, finish),
        cmocka_unit_test_setup_teardown(a_release_gives_back_what_came_after_the_mark, fresh, finish),
        cmocka_unit_test_setup_teardown(a_repeated_piece_costs_no_new_memory, fresh, finish),
        cmocka_unit_test_setup_teardown(a_reset_keeps_only_the_first_block, fresh, finish),
        cmocka_unit_test_setup_teardown(a_trim_gives_back_what_releases_kept, fresh, finish),
        cmocka_unit_test_setup_teardown(a_trim_gives_back_pages_beyond_what_is_in_use, fresh, finish),
        cmocka_unit_test_setup_teardown(helpers_stay_until_a_trim_or_the_end, fresh, finish),
        cmocka_unit_test_setup_teardown(stacks_come_and_go_with_their_marks_and_lie_apart, fresh, finish),
        cmocka_unit_test_setup_teardown(zeroed_pieces_are_zero_in_used_memory_too, fresh, finish),
        cmocka_unit_test_setup_teardown(sizes_that_overflow_are_refused, fresh, finish),
        cmocka_unit_test_setup_teardown(text_is_copied, fresh, finish),
        cmocka_unit_test_setup_teardown(texts_lie_close_together_and_what_follows_is_aligned, fresh, finish),
        cmocka_unit_test_setup_teardown(blocks_end_where_texts_and_pieces_meet, fresh, finish),
        cmocka_unit_test(a_failing_allocation_leaves_the_arena_usable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
