#include "core/par.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/flushing.h"
#include "tests/pipelines/alloc.h"

enum { ITEMS = 500, TEAMS = 4 };
static const int teams[TEAMS] = {1, 2, 4, 7};

typedef struct {
    int times[ITEMS];
    double value[ITEMS];
    atomic_long entered;
    volatile sig_atomic_t cancel;
} work;

static vel_ctx with_threads(int threads) { return (vel_ctx){.threads = threads}; }

static vel_err count_item(vel_ctx *ctx, int64_t i, void *arg) {
    work *w = arg;
    assert_int_equal(ctx->threads, 1);
    w->times[i]++;
    return VEL_OK;
}

static void every_item_is_done_once(void **state) {
    (void)state;
    for (int k = 0; k < TEAMS; k++) {
        work w = {0};
        vel_ctx ctx = with_threads(teams[k]);
        assert_int_equal(vel_for(&ctx, NULL, ITEMS, count_item, &w), VEL_OK);
        for (int i = 0; i < ITEMS; i++) assert_int_equal(w.times[i], 1);
    }
}

static void no_items_is_done_at_once(void **state) {
    (void)state;
    vel_ctx ctx = with_threads(4);
    assert_int_equal(vel_for(&ctx, NULL, 0, count_item, NULL), VEL_OK);
}

static vel_err compute_item(vel_ctx *ctx, int64_t i, void *arg) {
    work *w = arg;
    double *x;
    int64_t n = 100 + 37 * i;
    VEL_TRY(VEL_ALLOC(ctx, x, n));
    for (int64_t k = 0; k < n; k++) x[k] = 1 / (double)(k + i + 1);
    for (int64_t k = 0; k < n; k++) w->value[i] += x[k] * x[n - 1 - k];
    return VEL_OK;
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static work one, many;
    memset(&one, 0, sizeof one);
    vel_ctx ctx = with_threads(1);
    assert_int_equal(vel_for(&ctx, NULL, ITEMS, compute_item, &one), VEL_OK);
    for (int k = 1; k < TEAMS; k++) {
        memset(&many, 0, sizeof many);
        ctx = with_threads(teams[k]);
        assert_int_equal(vel_for(&ctx, NULL, ITEMS, compute_item, &many), VEL_OK);
        assert_memory_equal(one.value, many.value, sizeof one.value);
    }
}

static vel_err fail_some(vel_ctx *ctx, int64_t i, void *arg) {
    (void)arg;
    if (i < 123 || i % 3) return VEL_OK;
    return vel_fail(ctx, i == 123 ? VEL_EVALUE : VEL_ETYPE, "item %lld", (long long)i);
}

static void of_several_failures_the_lowest_index_wins(void **state) {
    (void)state;
    for (int k = 0; k < TEAMS; k++) {
        for (int again = 0; again < 20; again++) {
            vel_ctx ctx = with_threads(teams[k]);
            assert_int_equal(vel_for(&ctx, NULL, ITEMS, fail_some, NULL), VEL_EVALUE);
            assert_string_equal(ctx.message, "item 123");
        }
    }
}

static vel_err fail_silently(vel_ctx *ctx, int64_t i, void *arg) {
    (void)ctx;
    (void)arg;
    return i == 7 ? VEL_EREAD : VEL_OK;
}

static void a_failure_without_a_message_gets_the_words_of_its_error(void **state) {
    (void)state;
    vel_ctx ctx = with_threads(2);
    assert_int_equal(vel_for(&ctx, NULL, ITEMS, fail_silently, NULL), VEL_EREAD);
    assert_string_equal(ctx.message, vel_err_words(VEL_EREAD));
}

static vel_err cancel_at_five(vel_ctx *ctx, int64_t i, void *arg) {
    (void)ctx;
    work *w = arg;
    w->entered++;
    if (i == 5) __atomic_store_n(&w->cancel, SIGINT, __ATOMIC_RELAXED);
    return VEL_OK;
}

static void cancelling_stops_the_loop(void **state) {
    (void)state;
    for (int k = 0; k < TEAMS; k++) {
        work w = {0};
        vel_ctx ctx = with_threads(teams[k]);
        ctx.cancel = &w.cancel;
        assert_int_equal(vel_for(&ctx, NULL, ITEMS, cancel_at_five, &w), VEL_EINTR);
        assert_true(w.entered < ITEMS || teams[k] > 1);
        assert_string_equal(ctx.message, "interrupted");
    }
}

static vel_err take_a_megabyte(vel_ctx *ctx, int64_t i, void *arg) {
    (void)arg;
    char *x;
    for (int k = 0; k < 4; k++) {
        VEL_TRY(VEL_ALLOC(ctx, x, 1 << 18));
        x[0] = (char)i;
    }
    return VEL_OK;
}

static void scratch_is_given_back_after_each_item(void **state) {
    (void)state;
    long live = alloc_live;
    alloc_arm(0);
    vel_ctx ctx = with_threads(2);
    assert_int_equal(vel_for(&ctx, NULL, ITEMS, take_a_megabyte, NULL), VEL_OK);
    assert_true(alloc_count < 40); /* a worker settles on its blocks in the first items */
    assert_int_equal(alloc_live, live);
}

static void a_failing_allocation_leaks_nothing_and_is_told(void **state) {
    (void)state;
    long live = alloc_live;
    vel_err e = VEL_ENOMEM;
    for (long k = 1; k < 100; k++) {
        vel_ctx ctx = with_threads(2);
        alloc_arm(k);
        e = vel_for(&ctx, NULL, ITEMS, take_a_megabyte, NULL);
        bool enough = alloc_count < k;
        alloc_arm(0);
        assert_int_equal(alloc_live, live);
        assert_int_equal(e, enough ? VEL_OK : VEL_ENOMEM);
        if (!enough) assert_non_null(strstr(ctx.message, "out of memory"));
    }
    assert_int_equal(e, VEL_OK);
}

static vel_err loops_in_a_row(vel_ctx *ctx) {
    for (int k = 0; k < 3; k++) VEL_TRY(vel_for_next(ctx, NULL, ITEMS, take_a_megabyte, NULL));
    return VEL_OK;
}

static void a_loop_that_follows_takes_the_scratch_of_the_last_one(void **state) {
    (void)state;
    long live = alloc_live;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    assert_int_equal(loops_in_a_row(&ctx), VEL_OK);
    const long grown = alloc_live;
    alloc_arm(0);
    assert_int_equal(loops_in_a_row(&ctx), VEL_OK);
    assert_true(alloc_count < 10); /* the workers themselves */
    assert_int_equal(alloc_live, grown);
    vel_arena_free(ctx.scratch);
    assert_int_equal(alloc_live, live);
}

static void a_failing_allocation_in_loops_that_follow_leaks_nothing(void **state) {
    (void)state;
    long live = alloc_live;
    vel_err e = VEL_ENOMEM;
    for (long k = 1; k < 100; k++) {
        vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 2};
        assert_non_null(ctx.scratch);
        alloc_arm(k);
        e = loops_in_a_row(&ctx);
        alloc_arm(0);
        vel_arena_free(ctx.scratch);
        assert_int_equal(alloc_live, live);
    }
    assert_int_equal(e, VEL_OK);
}

static vel_err note_worker(vel_ctx *ctx, int64_t i, void *arg) {
    (void)ctx;
    work *w = arg;
    w->times[i] = vel_worker();
    return VEL_OK;
}

static vel_err loop_within(vel_ctx *ctx, int64_t i, void *arg) {
    (void)i;
    work w = {0};
    (void)arg;
    VEL_TRY(vel_for(ctx, NULL, 3, note_worker, &w));
    for (int k = 0; k < 3; k++)
        if (w.times[k] != vel_worker()) return vel_fail(ctx, VEL_EVALUE, "another worker");
    return VEL_OK;
}

static void workers_are_numbered_below_the_number_of_threads(void **state) {
    (void)state;
    assert_int_equal(vel_worker(), 0);
    for (int k = 0; k < TEAMS; k++) {
        work w = {0};
        vel_ctx ctx = with_threads(teams[k]);
        assert_int_equal(vel_for(&ctx, NULL, ITEMS, note_worker, &w), VEL_OK);
        for (int i = 0; i < ITEMS; i++) assert_in_range(w.times[i], 0, teams[k] - 1);
        assert_int_equal(vel_for(&ctx, NULL, ITEMS, loop_within, &w), VEL_OK);
    }
}

static void note_progress(void *user, const char *what, int64_t done, int64_t total) {
    int64_t *last = user;
    assert_string_equal(what, "genes");
    assert_int_equal(total, ITEMS);
    assert_in_range(done, *last, ITEMS);
    *last = done;
}

static void progress_goes_up_to_the_total(void **state) {
    (void)state;
    int64_t last = 0;
    work w = {0};
    vel_ctx ctx = {.threads = 1, .sink = {.user = &last, .progress = note_progress}};
    assert_int_equal(vel_for(&ctx, "genes", ITEMS, count_item, &w), VEL_OK);
    assert_int_equal(last, ITEMS);
}

static void there_is_at_least_one_core(void **state) {
    (void)state;
    assert_true(vel_cores() >= 1);
}

static void threads_that_can_be_had_are_never_more_than_wanted(void **state) {
    (void)state;
    assert_int_equal(vel_threads_startable(0), 1);
    assert_int_equal(vel_threads_startable(1), 1);
    int n = vel_threads_startable(3);
    assert_true(n >= 1 && n <= 3);
}

static vel_err halve_item(vel_ctx *ctx, int64_t i, void *arg) {
    (void)ctx;
    ((work *)arg)->value[i] = half_of_least();
    return VEL_OK;
}

/* Threads that were started by one that flushes do so too, and go on to. */
static void workers_keep_subnormals_whoever_started_them(void **state) {
    (void)state;
    for (int k = 0; k < TEAMS; k++) {
        work w = {0};
        vel_ctx ctx = with_threads(teams[k]);
        if (!flush_subnormals(true)) skip();
        assert_int_equal(vel_for(&ctx, NULL, ITEMS, halve_item, &w), VEL_OK);
        assert_true(half_of_least() == 0);
        flush_subnormals(false);
        for (int i = 0; i < ITEMS; i++) assert_true(w.value[i] > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_keep_subnormals_whoever_started_them),
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(no_items_is_done_at_once),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(of_several_failures_the_lowest_index_wins),
        cmocka_unit_test(a_failure_without_a_message_gets_the_words_of_its_error),
        cmocka_unit_test(cancelling_stops_the_loop),
        cmocka_unit_test(scratch_is_given_back_after_each_item),
        cmocka_unit_test(a_failing_allocation_leaks_nothing_and_is_told),
        cmocka_unit_test(a_loop_that_follows_takes_the_scratch_of_the_last_one),
        cmocka_unit_test(a_failing_allocation_in_loops_that_follow_leaks_nothing),
        cmocka_unit_test(workers_are_numbered_below_the_number_of_threads),
        cmocka_unit_test(progress_goes_up_to_the_total),
        cmocka_unit_test(there_is_at_least_one_core),
        cmocka_unit_test(threads_that_can_be_had_are_never_more_than_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
