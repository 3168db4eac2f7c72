#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/gaps.h"

enum { N = 400 };

static void close_both(int64_t n_on, double *on, int64_t n_off, double *off, vel_tag tag) {
    double sorted_on[N], sorted_off[N], work[4 * N];
    vel_gaps gaps_on, gaps_off;
    memcpy(sorted_on, on, (size_t)n_on * sizeof *on);
    memcpy(sorted_off, off, (size_t)n_off * sizeof *off);
    vel_find_gaps(n_on, sorted_on, n_off, sorted_off, work, &gaps_on, &gaps_off);
    for (int i = 0; i < n_on; i++) on[i] = vel_closed(&gaps_on, tag, on[i]);
    for (int i = 0; i < n_off; i++) off[i] = vel_closed(&gaps_off, tag, off[i]);
}

static void close_one_branch(int64_t n, double *t, vel_tag tag) { close_both(n, t, 0, t, tag); }

/* 1/64 apart, so that all differences are exact. */
static void even_times(double *t) {
    for (int i = 0; i < N; i++) t[i] = (i + 1) / 64.0;
}

static void even_times_have_no_gap(void **state) {
    (void)state;
    double t[N], before[N];
    even_times(t);
    memcpy(before, t, sizeof t);
    close_one_branch(N, t, VEL_DOUBLE);
    assert_memory_equal(t, before, sizeof t);
}

static void a_gap_is_closed_whole(void **state) {
    (void)state;
    double t[N];
    even_times(t);
    for (int i = 300; i < N; i++) t[i] += 7;
    close_one_branch(N, t, VEL_DOUBLE);
    assert_true(t[299] == 300 / 64.0);
    assert_true(t[300] == t[299]); /* moved by the whole increment, the usual one included */
    assert_true(t[N - 1] == (N - 1) / 64.0);
}

static void a_late_start_is_a_gap(void **state) {
    (void)state;
    double t[N];
    even_times(t);
    for (int i = 0; i < N; i++) t[i] += 5;
    close_one_branch(N, t, VEL_DOUBLE);
    assert_true(t[0] == 0);
}

static void order_of_the_cells_does_not_matter(void **state) {
    (void)state;
    double t[N], shuffled[N];
    even_times(t);
    for (int i = 0; i < N; i++) t[i] += i > 100 ? 9 : 0;
    for (int i = 0; i < N; i++) shuffled[i] = t[(i * 7) % N];
    close_one_branch(N, t, VEL_DOUBLE);
    close_one_branch(N, shuffled, VEL_DOUBLE);
    for (int i = 0; i < N; i++) assert_true(shuffled[i] == t[(i * 7) % N]);
}

static void the_bound_is_common_to_both_branches(void **state) {
    (void)state;
    double on[N], off[10];
    even_times(on);
    for (int i = 0; i < 10; i++) off[i] = i + 1; /* alone: no gap; beside the dense branch: increments of 1 are gaps */
    close_one_branch(10, off, VEL_DOUBLE);
    assert_true(off[9] == 10);
    close_both(N, on, 2, off, VEL_DOUBLE);
    assert_true(off[0] == 0 && off[1] == 0);
}

static void nan_leaves_all_as_it_is(void **state) {
    (void)state;
    double t[N];
    even_times(t);
    t[5] = NAN;
    t[N - 1] = 1000;
    close_one_branch(N, t, VEL_DOUBLE);
    assert_true(t[N - 1] == 1000 && isnan(t[5]));
}

static void single_times_stay_single(void **state) {
    (void)state;
    double t[N];
    for (int i = 0; i < N; i++) t[i] = (double)((float)i * 0.1f + (i > 200 ? 3.3f : 0.0f));
    close_one_branch(N, t, VEL_SINGLE);
    assert_true(t[N - 1] < 40);
    for (int i = 0; i < N; i++) assert_true(t[i] == (double)(float)t[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_times_have_no_gap),
        cmocka_unit_test(a_gap_is_closed_whole),
        cmocka_unit_test(a_late_start_is_a_gap),
        cmocka_unit_test(order_of_the_cells_does_not_matter),
        cmocka_unit_test(the_bound_is_common_to_both_branches),
        cmocka_unit_test(nan_leaves_all_as_it_is),
        cmocka_unit_test(single_times_stay_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
