#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

/* Even, crowded at 0, in two heaps that leave buckets nothing to tell, with many ties, one value but for one, and
 * farther apart than numbers reach. */
static double time_of(int shape, int i) {
    double t = (double)((i * 7919) % 9973) / 9973;
    switch (shape) {
        case 0:
            return t;
        case 1:
            return t * t * t * t * t * t;
        case 2:
            return i % 2 ? 1e6 + t : t;
        case 3:
            return floor(30 * t) / 7;
        case 4:
            return i == 77 ? 3 : 1;
        default:
            return (t - 0.5) * 0x1.9p1023 * 2;
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void gaps_of_times_in_any_order_are_those_of_sorted_ones(void **state) {
    (void)state;
    enum { MOST = 1500 };
    static double on[MOST], off[MOST], sorted_on[MOST], sorted_off[MOST], work[6 * MOST], sorted_work[6 * MOST];
    for (int shape = 0; shape < 36; shape++)
        for (int64_t n = 3; n <= MOST; n = 2 * n + 1) {
            int64_t m = shape % 2 ? n : n / 3;
            for (int i = 0; i < MOST; i++) {
                on[i] = sorted_on[i] = time_of(shape % 6, i);
                off[i] = sorted_off[i] = time_of(shape / 6, i + 3);
            }
            qsort(sorted_on, (size_t)n, sizeof *on, ascending);
            qsort(sorted_off, (size_t)m, sizeof *off, ascending);
            vel_gaps a[2], b[2];
            vel_find_gaps(n, on, m, off, work, &a[0], &a[1]);
            vel_find_gaps(n, sorted_on, m, sorted_off, sorted_work, &b[0], &b[1]);
            for (int k = 0; k < 2; k++) {
                assert_int_equal(a[k].n, b[k].n);
                assert_memory_equal(a[k].at, b[k].at, (size_t)a[k].n * sizeof(double));
                assert_memory_equal(a[k].width, b[k].width, (size_t)a[k].n * sizeof(double));
            }
        }
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
        cmocka_unit_test(gaps_of_times_in_any_order_are_those_of_sorted_ones),
        cmocka_unit_test(the_bound_is_common_to_both_branches),
        cmocka_unit_test(nan_leaves_all_as_it_is),
        cmocka_unit_test(single_times_stay_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
