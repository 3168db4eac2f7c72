#include "verify/gap.h"

#include <math.h>
#include <string.h>

#include "tests/verify/fixture.h"

static const vel_tolerance equal_values = {0}, equal_bits = {.bits = true};

static vel_gap gap_of(const vel_tolerance *t, double a, double b) {
    vel_gap g = {0};
    vel_gap_add(&g, t, a, b, 0);
    return g;
}

static void nan_agrees_with_nan_only(void **state) {
    (void)state;
    vel_gap g = gap_of(&equal_bits, NAN, -NAN);
    assert_int_equal(g.outside, 0);
    assert_int_equal(g.same_bits, 1);
    g = gap_of(&(vel_tolerance){.atol = INFINITY}, NAN, 1);
    assert_int_equal(g.outside, 1);
    assert_int_equal(g.nan_differs, 1);
    assert_true(g.max_abs == 0);
}

static void an_infinity_agrees_with_itself_only(void **state) {
    (void)state;
    assert_int_equal(gap_of(&equal_bits, INFINITY, INFINITY).outside, 0);
    assert_int_equal(gap_of(&(vel_tolerance){.rtol = 1}, INFINITY, -INFINITY).outside, 1);
    vel_gap g = gap_of(&(vel_tolerance){.atol = 1, .rtol = 1}, 1, INFINITY);
    assert_int_equal(g.outside, 1);
    assert_true(isinf(g.max_abs) && isinf(g.max_rel));
}

static void zeros_of_both_signs_are_equal_values_but_not_equal_bits(void **state) {
    (void)state;
    assert_int_equal(gap_of(&equal_values, 0.0, -0.0).outside, 0);
    assert_int_equal(gap_of(&equal_values, 0.0, -0.0).same_bits, 0);
    assert_int_equal(gap_of(&equal_bits, 0.0, -0.0).outside, 1);
}

static void the_last_bit_is_seen_when_values_must_be_equal(void **state) {
    (void)state;
    assert_int_equal(gap_of(&equal_values, 1, nextafter(1, 2)).outside, 1);
    assert_int_equal(gap_of(&equal_values, 1, 1).outside, 0);
}

static void the_relative_part_is_of_the_larger_element(void **state) {
    (void)state;
    vel_tolerance t = {.rtol = 0.5};
    assert_int_equal(gap_of(&t, 1, 2).outside, 0);
    assert_int_equal(gap_of(&t, 2, 1).outside, 0);
    assert_int_equal(gap_of(&t, 1, 2.5).outside, 1);
    vel_gap g = gap_of(&t, -1, 3);
    assert_true(g.max_abs == 4);
    assert_true(g.max_rel == 4.0 / 3.0);
}

static void outliers_are_let_through_up_to_their_share(void **state) {
    (void)state;
    vel_gap g = {.n = 100, .outside = 2};
    assert_true(vel_gap_exceeds(&g, &equal_values));
    assert_true(vel_gap_exceeds(&g, &(vel_tolerance){.outliers = 0.019}));
    assert_false(vel_gap_exceeds(&g, &(vel_tolerance){.outliers = 0.02}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_agrees_with_nan_only),
        cmocka_unit_test(an_infinity_agrees_with_itself_only),
        cmocka_unit_test(zeros_of_both_signs_are_equal_values_but_not_equal_bits),
        cmocka_unit_test(the_last_bit_is_seen_when_values_must_be_equal),
        cmocka_unit_test(the_relative_part_is_of_the_larger_element),
        cmocka_unit_test(outliers_are_let_through_up_to_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
