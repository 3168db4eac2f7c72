#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/tagged.h"

static const vel_num third = {(double)(1.0f / 3), VEL_SINGLE};

static void results_have_the_larger_tag(void **state) {
    (void)state;
    assert_int_equal(vel_add(vel_weak(1), vel_weak(2)).tag, VEL_WEAK);
    assert_int_equal(vel_mul(vel_weak(1), third).tag, VEL_SINGLE);
    assert_int_equal(vel_sub(third, vel_double(1)).tag, VEL_DOUBLE);
}

static void a_weak_operand_is_rounded_when_it_meets_a_single_one(void **state) {
    (void)state;
    assert_true(vel_mul(vel_weak(1.2), third).v == (double)(1.2f * (1.0f / 3)));
    assert_true(vel_mul(vel_weak(1.2), vel_double(third.v)).v == 1.2 * third.v);
    assert_false(vel_less(vel_weak(1.0 / 3), third));
    assert_true(vel_less(vel_double(1.0 / 3), vel_double(third.v)));
}

static void single_results_are_singles(void **state) {
    (void)state;
    vel_num results[] = {vel_add(third, vel_weak(0.1)),
                         vel_sub(third, vel_weak(0.1)),
                         vel_mul(third, third),
                         vel_div(third, vel_weak(7)),
                         vel_num_exp(third),
                         vel_num_clipped_log(third)};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        assert_true(results[i].v == (double)(float)results[i].v);
}

static void the_inverse_of_zero_is_nan(void **state) {
    (void)state;
    assert_true(isnan(vel_inverse(vel_double(0)).v));
    assert_true(vel_inverse(vel_double(4)).v == 0.25);
}

static void clipped_log_stays_inside_its_bounds(void **state) {
    (void)state;
    double x[] = {-1, 0, 1e-9, 0.5, 1, 2, NAN};
    vel_vec v = {x, VEL_DOUBLE};
    vel_vec_clipped_log(7, v);
    assert_true(x[0] == x[1] && x[1] == x[2] && x[0] == vel_num_clipped_log(vel_double(1e-6)).v);
    assert_true(x[4] == x[5] && x[4] < 0 && x[3] > x[2] && x[3] < x[4]);
    assert_true(isnan(x[6]));
}

static void linspace_ends_where_it_is_told(void **state) {
    (void)state;
    double memory[7];
    vel_vec y = {memory, VEL_DOUBLE};
    vel_linspace(vel_weak(-1), vel_weak(1), 4, &y);
    assert_int_equal(y.tag, VEL_DOUBLE);
    assert_true(memory[0] == -1 && memory[3] == 1 && memory[1] == 1 * (2.0 / 3) - 1);
    vel_linspace(vel_weak(0), third, 7, &y);
    assert_int_equal(y.tag, VEL_SINGLE);
    for (int i = 0; i < 7; i++) assert_true(memory[i] == (double)(float)memory[i]);
    assert_true(memory[6] == third.v);
}

static void reductions_run_in_the_precision_of_the_vector(void **state) {
    (void)state;
    double x[] = {(double)0.1f, (double)0.2f, (double)0.7f}, work[3];
    vel_vec single = {x, VEL_SINGLE}, wide = {x, VEL_DOUBLE};
    assert_true(vel_vec_sum(3, single, work).v == (double)((0.1f + 0.2f) + 0.7f));
    assert_true(vel_vec_sum(3, wide, work).v == (x[0] + x[1]) + x[2]);
    assert_true(vel_vec_mean(3, single, work).v == (double)(((0.1f + 0.2f) + 0.7f) / 3));
    assert_true(vel_vec_percentile(3, wide, 50, work).v == x[1]);
}

static void extremes_take_nan(void **state) {
    (void)state;
    double x[] = {2, 1, 3}, y[] = {2, NAN, 3};
    assert_true(vel_vec_min(3, (vel_vec){x, VEL_DOUBLE}).v == 1 && vel_vec_max(3, (vel_vec){x, VEL_DOUBLE}).v == 3);
    assert_true(isnan(vel_vec_min(3, (vel_vec){y, VEL_DOUBLE}).v) && isnan(vel_vec_max(3, (vel_vec){y, VEL_DOUBLE}).v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_have_the_larger_tag),
        cmocka_unit_test(a_weak_operand_is_rounded_when_it_meets_a_single_one),
        cmocka_unit_test(single_results_are_singles),
        cmocka_unit_test(the_inverse_of_zero_is_nan),
        cmocka_unit_test(clipped_log_stays_inside_its_bounds),
        cmocka_unit_test(linspace_ends_where_it_is_told),
        cmocka_unit_test(reductions_run_in_the_precision_of_the_vector),
        cmocka_unit_test(extremes_take_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
