#include "core/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Calls visit for every vector of n values out of three. */
static void each_pattern(int n, const double *values, void (*visit)(const double *f, int n)) {
    int patterns = 1;
    for (int i = 0; i < n; i++) patterns *= 3;
    for (int p = 0; p < patterns; p++) {
        double f[VEL_ORDER_MOST];
        for (int i = 0, rest = p; i < n; i++, rest /= 3) f[i] = values[rest % 3];
        visit(f, n);
    }
}

static void check_ascending_permutation(const double *f, int n) {
    int order[VEL_ORDER_MOST], seen = 0;
    vel_order_network(f, n, order);
    for (int i = 0; i < n; i++) {
        assert_in_range(order[i], 0, n - 1);
        seen |= 1 << order[i];
        if (i > 0) assert_true(f[order[i - 1]] <= f[order[i]] || f[order[i]] != f[order[i]]);
    }
    assert_int_equal(seen, (1 << n) - 1);
}

static void check_stable(const double *f, int n) {
    int order[VEL_ORDER_MOST];
    vel_order_network(f, n, order);
    for (int i = 1; i < n; i++) {
        double a = f[order[i - 1]], b = f[order[i]];
        if (a == b || (a != a && b != b)) assert_true(order[i - 1] < order[i]);
    }
}

static const double plain[3] = {0, 1, 2}, with_infinity[3] = {-1, 1, INFINITY}, with_nan[3] = {0, 1, NAN};

static void every_pattern_of_ties_gives_an_ascending_permutation(void **state) {
    (void)state;
    for (int n = 0; n <= VEL_ORDER_MOST; n++) {
        each_pattern(n, plain, check_ascending_permutation);
        each_pattern(n, with_infinity, check_ascending_permutation);
        each_pattern(n, with_nan, check_ascending_permutation);
    }
}

static void two_and_three_are_ordered_stably(void **state) {
    (void)state;
    for (int n = 2; n <= 3; n++) each_pattern(n, plain, check_stable);
}

static void a_nan_makes_the_order_stable(void **state) {
    (void)state;
    for (int n = 2; n <= VEL_ORDER_MOST; n++) {
        double f[VEL_ORDER_MOST] = {NAN, 1, 1, NAN, 0, 1, NAN, 0};
        check_stable(f, n);
    }
}

/* A hash of numpy.argsort (2.2.6) over all 3^n vectors of n values out of three: unstable from n = 4 on. */
static uint64_t hash;

static void add_to_hash(const double *f, int n) {
    int order[VEL_ORDER_MOST];
    vel_order_network(f, n, order);
    for (int i = 0; i < n; i++) hash = hash * 31 + (uint64_t)order[i] + 1;
}

static void ties_come_out_as_in_the_reference(void **state) {
    (void)state;
    static const struct {
        int n;
        uint64_t hash;
    } rows[] = {
        {2, UINT64_C(8984441526728446083)},  {3, UINT64_C(7815634290306181826)}, {4, UINT64_C(4052214963926297218)},
        {5, UINT64_C(3120341168206006421)},  {6, UINT64_C(515967755346704247)},  {7, UINT64_C(850153407277032202)},
        {8, UINT64_C(14102427917851976668)},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hash = 0;
        each_pattern(rows[k].n, plain, add_to_hash);
        assert_true(hash == rows[k].hash);
    }
    int order[4];
    vel_order_network((double[]){1, 1, 0, 0}, 4, order);
    assert_true(order[0] == 3 && order[1] == 2 && order[2] == 1 && order[3] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_of_ties_gives_an_ascending_permutation),
        cmocka_unit_test(two_and_three_are_ordered_stably),
        cmocka_unit_test(a_nan_makes_the_order_stable),
        cmocka_unit_test(ties_come_out_as_in_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
