#include "core/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void draws_what_numpy_draws_for_the_same_seed(void **state) {
    (void)state;
    const double uniform[] = {0x1.7f8771e5f51ecp-2, 0x1.e6c4068bbd654p-1, 0x1.76c7e8f1e6751p-1, 0x1.32835d6632cb0p-1};
    const double normal[] = {0x1.fca2a28a9307cp-2, -0x1.1b2a505de052ap-3, 0x1.4b9dd50245e68p-1, 0x1.85e548e01aa2bp+0,
                             -0x1.df8bcdf57a640p-3};
    vel_rng r;
    vel_rng_seed_numpy(&r, 42);
    for (int i = 0; i < 4; i++) assert_true(vel_rng_uniform(&r) == uniform[i]);
    vel_rng_seed_numpy(&r, 42);
    for (int i = 0; i < 5; i++) assert_true(vel_rng_gauss(&r) == normal[i]);
    vel_rng_seed_numpy(&r, 5);
    assert_int_equal(vel_rng_bits(&r), 953453411u);
    assert_int_equal(vel_rng_bits(&r), 236996814u);
}

/* The number by which the C++ standard tells its mt19937 from another generator, [rand.predef]. */
static void the_ten_thousandth_word_is_the_standard_one(void **state) {
    (void)state;
    vel_rng r;
    vel_rng_seed_numpy(&r, 5489);
    for (int i = 1; i < 10000; i++) vel_rng_bits(&r);
    assert_int_equal(vel_rng_bits(&r), 4123659995u);
}

static void draws_what_python_draws_for_the_same_seed(void **state) {
    (void)state;
    const double small[] = {0x1.4b9ad0f953a6ep-2, 0x1.34f0696513270p-3, 0x1.4d474883171ffp-1};
    const double two_words[] = {0x1.c21fbe0f92b60p-3, 0x1.1953f8b55c5c9p-1, 0x1.8387c721ffc40p-4};
    vel_rng r;
    vel_rng_seed_python(&r, 7);
    for (int i = 0; i < 3; i++) assert_true(vel_rng_uniform(&r) == small[i]);
    vel_rng_seed_python(&r, ((uint64_t)1 << 40) + 3);
    for (int i = 0; i < 3; i++) assert_true(vel_rng_uniform(&r) == two_words[i]);
}

/* RandomState(1).permutation(10): Fisher-Yates from the end. */
static void rejection_shuffles_as_numpy_does(void **state) {
    (void)state;
    const int expected[] = {2, 9, 6, 4, 0, 3, 1, 7, 8, 5};
    int x[10];
    vel_rng r;
    vel_rng_seed_numpy(&r, 1);
    for (int i = 0; i < 10; i++) x[i] = i;
    for (int i = 9; i > 0; i--) {
        int j = (int)vel_rng_upto(&r, (uint32_t)i), swap = x[i];
        x[i] = x[j];
        x[j] = swap;
    }
    assert_memory_equal(x, expected, sizeof x);
}

static void uniform_numbers_fill_the_interval(void **state) {
    (void)state;
    enum { N = 100000 };
    vel_rng r;
    vel_rng_seed_numpy(&r, 3);
    double sum = 0, low = 1, high = 0;
    for (int i = 0; i < N; i++) {
        double x = vel_rng_uniform(&r);
        sum += x;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    assert_true(low >= 0 && low < 1e-3 && high < 1 && high > 1 - 1e-3);
    assert_true(fabs(sum / N - 0.5) < 5 * sqrt(1.0 / 12 / N)); /* five standard errors */
}

static void seeding_forgets_the_kept_gaussian(void **state) {
    (void)state;
    vel_rng r;
    vel_rng_seed_numpy(&r, 9);
    double first = vel_rng_gauss(&r);
    vel_rng_seed_numpy(&r, 9);
    assert_true(vel_rng_gauss(&r) == first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_what_numpy_draws_for_the_same_seed),
        cmocka_unit_test(the_ten_thousandth_word_is_the_standard_one),
        cmocka_unit_test(draws_what_python_draws_for_the_same_seed),
        cmocka_unit_test(rejection_shuffles_as_numpy_does),
        cmocka_unit_test(uniform_numbers_fill_the_interval),
        cmocka_unit_test(seeding_forgets_the_kept_gaussian),
    };
    return cmocka_run_group_tests_name("core/rng", tests, NULL, NULL);
}
