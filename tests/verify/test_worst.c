#include "verify/worst.h"

#include "tests/verify/fixture.h"

static const vel_gap gaps[] = {
    {.n = 9, .outside = 1, .max_abs = 5},
    {.n = 9},
    {.n = 9, .outside = 3, .max_abs = 1},
    {.n = 9, .outside = 1, .max_abs = 7},
    {.n = 9, .max_abs = 9},
    {.n = 9, .outside = 1, .max_abs = 5},
};

static void more_outside_is_worse_then_further_off_then_earlier(void **state) {
    (void)state;
    int64_t order[8];
    const int64_t expected[] = {2, 3, 0, 5, 4};
    assert_int_equal(vel_worst_of(gaps, 6, 8, order), 5);
    for (int k = 0; k < 5; k++) assert_int_equal(order[k], expected[k]);
}

static void no_more_than_asked_for_are_named(void **state) {
    (void)state;
    int64_t order[2];
    assert_int_equal(vel_worst_of(gaps, 6, 2, order), 2);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 3);
    assert_int_equal(vel_worst_of(gaps, 6, 0, order), 0);
}

static void what_agrees_is_not_named(void **state) {
    (void)state;
    int64_t order[1];
    assert_int_equal(vel_worst_of(gaps + 1, 1, 1, order), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_outside_is_worse_then_further_off_then_earlier),
        cmocka_unit_test(no_more_than_asked_for_are_named),
        cmocka_unit_test(what_agrees_is_not_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
