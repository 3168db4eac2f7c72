#include "core/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/fiber.h"
#include "tests/random.h"

enum { MOST = 5000, SHAPES = 6 };

/* Inputs that hurt: random, few values, ascending, descending, organ pipe, with NaN, infinities and zeros of both
 * signs. */
static void fill(int shape, int64_t n, double *x) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0, 1, -1, 0x1p-1074, -0x1p-1074};
    uint64_t seed = (uint64_t)(shape + 1) * 1000 + (uint64_t)n + 1;
    for (int64_t i = 0; i < n; i++) {
        switch (shape) {
            case 0:
                x[i] = random_between(&seed, -1, 1);
                break;
            case 1:
                x[i] = floor(random_between(&seed, -3, 3));
                break;
            case 2:
                x[i] = (double)i;
                break;
            case 3:
                x[i] = (double)-i;
                break;
            case 4:
                x[i] = (double)(i < n / 2 ? i : n - i);
                break;
            default:
                x[i] = odd[random_bits(&seed) % 9];
                break;
        }
    }
}

static int follows(double a, double b) { return a <= b || b != b; }

static int64_t sizes(int64_t k) { return k < 140 ? k : (k - 139) * 607; } /* 0 .. 139, then up to MOST */

/* Ascending, NaN last, and the same multiset: the sums of bits agree. */
static void check_sorted(const double *x, const double *sorted, int64_t n) {
    uint64_t before = 0, after = 0, u;
    for (int64_t i = 0; i < n; i++) {
        memcpy(&u, x + i, sizeof u);
        before += u * u;
        memcpy(&u, sorted + i, sizeof u);
        after += u * u;
        if (i > 0) assert_true(follows(sorted[i - 1], sorted[i]));
    }
    assert_true(before == after);
}

static void sorts_every_kind_of_input(void **state) {
    (void)state;
    double *x = malloc(MOST * sizeof *x), *y = malloc(MOST * sizeof *y), *work = malloc(MOST * sizeof *work);
    assert_true(x && y && work);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int64_t k = 0; k < 148; k++) {
            int64_t n = sizes(k);
            fill(shape, n, x);
            memcpy(y, x, (size_t)n * sizeof *x);
            vel_sort_f64(y, n);
            check_sorted(x, y, n);
            memcpy(y, x, (size_t)n * sizeof *x);
            vel_sort_f64_with(y, n, work);
            check_sorted(x, y, n);
        }
    }
    free(x);
    free(y);
    free(work);
}

static void floats_are_sorted_like_doubles(void **state) {
    (void)state;
    static double x[MOST];
    static float y[MOST], z[MOST], work[MOST];
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int64_t k = 0; k < 148; k++) {
            int64_t n = sizes(k);
            fill(shape, n, x);
            for (int64_t i = 0; i < n; i++) y[i] = z[i] = (float)x[i];
            for (int64_t i = 0; i < n; i++) x[i] = y[i];
            vel_sort_f64(x, n);
            vel_sort_f32(y, n);
            vel_sort_f32_with(z, n, work);
            for (int64_t i = 0; i < n; i++) {
                assert_true((double)y[i] == x[i] || (y[i] != y[i] && x[i] != x[i]));
                assert_true(z[i] == y[i] || (z[i] != z[i] && y[i] != y[i]));
            }
        }
    }
}

static void zeros_of_both_signs_stay_in_order_with_scratch(void **state) {
    (void)state;
    double x[200], work[200];
    uint64_t seed = 5;
    int expected[200], zeros = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t kind = random_bits(&seed) % 4;
        x[i] = kind == 0 ? -0.0 : kind == 1 ? 0.0 : random_between(&seed, -1, 1);
        if (x[i] == 0) expected[zeros++] = signbit(x[i]) != 0;
    }
    vel_sort_f64_with(x, 200, work);
    int seen = 0;
    for (int i = 0; i < 200; i++)
        if (x[i] == 0) assert_int_equal(signbit(x[i]) != 0, expected[seen++]);
    assert_int_equal(seen, zeros);
}

static double middle(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

/* An input that gives the quicksort the worst pivots there are: the sort is played with numbers that are only made up,
 * each below all that follow, when they are looked at as candidates for a pivot. */
static void fill_against_the_pivots(int n, double *x) {
    static int who[MOST];
    for (int i = 0; i < n; i++) {
        who[i] = i;
        x[i] = INFINITY;
    }
    double next = 0;
    for (int first = 0, m = 0; n - first > 9; first += m) {
        int rest = n - first, *w = who + first;
        int at[9] = {0, rest / 8, rest / 4, rest * 3 / 8, rest / 2, rest * 5 / 8, rest * 3 / 4, rest * 7 / 8, rest - 1};
        double c[9];
        for (int k = 0; k < 9; k++) {
            if (x[w[at[k]]] == INFINITY) x[w[at[k]]] = next++;
            c[k] = x[w[at[k]]];
        }
        double pivot = middle(middle(c[0], c[1], c[2]), middle(c[3], c[4], c[5]), middle(c[6], c[7], c[8]));
        m = 0;
        for (int i = 0; i < rest; i++) {
            int t = w[i];
            w[i] = w[m];
            w[m] = t;
            m += x[t] < pivot;
        }
    }
    for (int i = 0; i < n; i++)
        if (x[i] == INFINITY) x[i] = next++;
}

static void an_input_made_against_the_pivots_is_sorted_too(void **state) {
    (void)state;
    static double x[MOST], y[MOST];
    fill_against_the_pivots(MOST, x);
    memcpy(y, x, sizeof x);
    vel_sort_f64(y, MOST);
    for (int i = 0; i < MOST; i++) assert_true(y[i] == i);
    memcpy(y, x, sizeof x);
    vel_select_f64(y, MOST, MOST - 100);
    assert_true(y[MOST - 100] == MOST - 100);
}

static void selects_what_sorting_would_put_there(void **state) {
    (void)state;
    static double x[MOST], sorted[MOST];
    for (int shape = 0; shape < SHAPES - 1; shape++) {
        for (int64_t k = 1; k < 148; k++) {
            int64_t n = sizes(k), rank = (n * 7 + k) % n;
            fill(shape, n, x);
            memcpy(sorted, x, (size_t)n * sizeof *x);
            vel_sort_f64(sorted, n);
            vel_select_f64(x, n, rank);
            assert_true(x[rank] == sorted[rank]);
            for (int64_t i = 0; i < n; i++) assert_true(i < rank ? x[i] <= x[rank] : x[i] >= x[rank]);
        }
    }
}

static void argsort_is_stable_with_nan_last(void **state) {
    (void)state;
    static double x[MOST];
    static int64_t order[MOST], work[MOST];
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int64_t k = 0; k < 148; k++) {
            int64_t n = sizes(k), sum = 0;
            fill(shape, n, x);
            vel_argsort_f64(x, n, order, work);
            for (int64_t i = 0; i < n; i++) sum += order[i];
            assert_true(sum == n * (n - 1) / 2);
            for (int64_t i = 1; i < n; i++) {
                double a = x[order[i - 1]], b = x[order[i]];
                assert_true(follows(a, b));
                if (a == b || (a != a && b != b)) assert_true(order[i - 1] < order[i]);
            }
        }
    }
}

static void nans_move_behind_the_others_which_keep_their_order(void **state) {
    (void)state;
    double x[6] = {3, NAN, 1, NAN, NAN, 2};
    assert_int_equal(vel_nans_last_f64(x, 6), 3);
    assert_true(x[0] == 3 && x[1] == 1 && x[2] == 2 && isnan(x[3]) && isnan(x[4]) && isnan(x[5]));
}

/* Crowds of values in ever finer steps, so that digits tell one crowd from the next only run within run. */
enum { CROWD = 30, CROWDS = 4, FINER = 16, STACK = 64 << 10, BESIDE = 4 << 10 };

static void fill_crowds(double x[CROWDS * CROWD]) {
    for (int k = 0; k < CROWDS * CROWD; k++) {
        uint64_t bits = UINT64_C(0x3ff0000000000000) + ((uint64_t)(k % CROWD + 1) << (FINER * (k / CROWD)));
        memcpy(&x[k], &bits, sizeof bits);
    }
}

static void sort_crowds(void *arg) {
    double x[CROWDS * CROWD], sorted[CROWDS * CROWD], work[CROWDS * CROWD];
    *(const char **)arg = __builtin_frame_address(0);
    fill_crowds(x);
    memcpy(sorted, x, sizeof x);
    vel_sort_f64_with(sorted, CROWDS * CROWD, work);
    check_sorted(x, sorted, CROWDS * CROWD);
}

/* A fit's stack is a fiber's, zeros at first: its lower half stays as it was. */
static void runs_within_runs_take_no_more_stack(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_fiber *fiber;
    const char *near_its_top;
    assert_int_equal(vel_fiber_new(&ctx, sort_crowds, &near_its_top, &fiber), VEL_OK);
    assert_false(vel_fiber_resume(fiber));
    for (size_t k = STACK / 2; k < STACK - BESIDE; k++) assert_int_equal(near_its_top[-(ptrdiff_t)k], 0);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_every_kind_of_input),
        cmocka_unit_test(floats_are_sorted_like_doubles),
        cmocka_unit_test(zeros_of_both_signs_stay_in_order_with_scratch),
        cmocka_unit_test(runs_within_runs_take_no_more_stack),
        cmocka_unit_test(an_input_made_against_the_pivots_is_sorted_too),
        cmocka_unit_test(selects_what_sorting_would_put_there),
        cmocka_unit_test(argsort_is_stable_with_nan_last),
        cmocka_unit_test(nans_move_behind_the_others_which_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
