#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/simplex.h"

static double bowl(void *arg, const vel_num *x) {
    int *calls = arg;
    ++*calls;
    double a = x[0].v - 3, b = x[1].v + 1;
    return a * a + 10 * b * b;
}

static void finds_the_bottom_of_a_bowl(void **state) {
    (void)state;
    int calls = 0;
    vel_simplex problem = {.n = 2, .iterations = 200, .tolerance = 1e-4, .f = bowl, .arg = &calls};
    vel_num x[] = {vel_double(1), vel_double(1)};
    int64_t made = vel_simplex_search(&problem, x);
    assert_true(made > 10 && made < 199);
    /* the tolerance is of the last simplex, which holds the bottom to a few of its sizes */
    assert_true(fabs(x[0].v - 3) < 1e-3 && fabs(x[1].v + 1) < 1e-3);
}

static void a_limit_of_one_evaluates_the_first_simplex_only(void **state) {
    (void)state;
    int calls = 0;
    vel_simplex problem = {.n = 2, .iterations = 1, .tolerance = 0, .f = bowl, .arg = &calls};
    vel_num x[] = {vel_double(2), vel_double(0)};
    assert_int_equal(vel_simplex_search(&problem, x), 0);
    assert_int_equal(calls, 3);
    assert_true(x[0].v == (1 + 0.05) * 2 && x[1].v == 0);
}

static double record(void *arg, const vel_num *x) {
    vel_num *seen = arg;
    *seen = *x;
    return x->v;
}

static void single_entries_stay_single_only_among_themselves(void **state) {
    (void)state;
    vel_num seen, x = vel_tagged(0.3, VEL_SINGLE);
    vel_simplex problem = {.n = 1, .iterations = 3, .f = record, .arg = &seen};
    vel_simplex_search(&problem, &x);
    assert_true(x.tag == VEL_SINGLE && x.v == (double)(float)x.v && seen.tag == VEL_SINGLE);
    vel_num mixed[] = {vel_tagged(0.3, VEL_SINGLE), vel_weak(1)};
    problem.n = 2;
    vel_simplex_search(&problem, mixed);
    assert_int_equal(mixed[0].tag, VEL_DOUBLE);
}

static void count_call(void *arg, const vel_num *best) {
    (void)best;
    ++*(int *)arg;
}

static void the_callback_comes_once_an_iteration(void **state) {
    (void)state;
    int calls = 0;
    vel_simplex problem = {.n = 2, .iterations = 4, .f = bowl, .after = count_call, .arg = &calls};
    vel_num x[] = {vel_double(1), vel_double(1)};
    int with, without;
    int64_t made = vel_simplex_search(&problem, x);
    with = calls;
    calls = 0;
    problem.after = NULL;
    vel_simplex_search(&problem, (vel_num[]){vel_double(1), vel_double(1)});
    without = calls;
    assert_int_equal(with - without, made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_bottom_of_a_bowl),
        cmocka_unit_test(a_limit_of_one_evaluates_the_first_simplex_only),
        cmocka_unit_test(single_entries_stay_single_only_among_themselves),
        cmocka_unit_test(the_callback_comes_once_an_iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
