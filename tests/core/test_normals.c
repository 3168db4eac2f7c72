#include "core/normals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/normals_bodies.h"

enum { N = 5000 };

static void one_by_one(vel_rng *r, int64_t n, double *z) {
    for (int64_t i = 0; i < n; i++) z[i] = vel_rng_gauss(r);
}

static void assert_same_place(vel_rng a, vel_rng b) {
    assert_int_equal(a.next, b.next);
    assert_int_equal(a.has_gauss, b.has_gauss);
    assert_memory_equal(a.state, b.state, sizeof a.state);
    for (int i = 0; i < 3; i++) assert_true(vel_rng_gauss(&a) == vel_rng_gauss(&b));
}

/* A stream of some words drawn before, as a stream is met between two normals or within a pair. */
static vel_rng stream(uint32_t seed, int words, bool within) {
    vel_rng r;
    vel_rng_seed_numpy(&r, seed);
    if (within) vel_rng_gauss(&r);
    for (int i = 0; i < words; i++) vel_rng_bits(&r);
    return r;
}

static void agrees_with_numpy(void **state) {
    (void)state;
    const double expected[] = {0x1.fca2a28a9307cp-2, -0x1.1b2a505de052ap-3, 0x1.4b9dd50245e68p-1, 0x1.85e548e01aa2bp+0,
                               -0x1.df8bcdf57a640p-3};
    double z[5];
    vel_rng r = stream(42, 0, false);
    vel_normals(&r, 5, z);
    assert_memory_equal(z, expected, sizeof z);
}

static void every_body_draws_what_is_drawn_one_by_one(void **state) {
    (void)state;
    static double z[N], expected[N];
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int words = 0; words < 640; words += words < 8 || words > 615 ? 1 : 37)
            for (int64_t pairs = 0; pairs <= N / 2; pairs += 1 + pairs * 7) {
                vel_rng a = stream(7, words, false), b = a;
                one_by_one(&a, 2 * pairs, expected);
                vel_normals_at((vel_cpu)level)(&b, pairs, z);
                assert_memory_equal(z, expected, (size_t)(2 * pairs) * sizeof *z);
                assert_same_place(a, b);
            }
}

static void any_number_may_be_drawn_from_any_place(void **state) {
    (void)state;
    static double z[N], expected[N];
    for (int within = 0; within < 2; within++)
        for (int64_t n = 0; n < N; n = n < 40 ? n + 1 : 2 * n + 1) {
            vel_rng a = stream(11, (int)n % 5, within), b = a;
            one_by_one(&a, n, expected);
            vel_normals(&b, n, z);
            assert_memory_equal(z, expected, (size_t)n * sizeof *z);
            assert_same_place(a, b);
        }
}

static void nothing_is_written_behind_the_end(void **state) {
    (void)state;
    for (int64_t n = 0; n < 100; n++) {
        double z[120];
        memset(z, 0, sizeof z);
        vel_rng r = stream(3, 0, false);
        vel_normals(&r, n, z);
        for (int64_t i = n; i < 120; i++) assert_true(z[i] == 0);
    }
}

static void they_are_standard_and_normal(void **state) {
    (void)state;
    static double z[100000];
    const int64_t n = sizeof z / sizeof *z;
    double sum = 0, squares = 0, fourth = 0;
    vel_rng r = stream(5, 0, false);
    vel_normals(&r, n, z);
    for (int64_t i = 0; i < n; i++) {
        sum += z[i];
        squares += z[i] * z[i];
        fourth += z[i] * z[i] * z[i] * z[i];
    }
    const double error = 5 / sqrt((double)n); /* five standard errors: those of z, z^2, z^4 are 1, sqrt(2), sqrt(96) */
    assert_true(fabs(sum / (double)n) < error);
    assert_true(fabs(squares / (double)n - 1) < error * sqrt(2));
    assert_true(fabs(fourth / (double)n - 3) < error * sqrt(96));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_numpy),
        cmocka_unit_test(every_body_draws_what_is_drawn_one_by_one),
        cmocka_unit_test(any_number_may_be_drawn_from_any_place),
        cmocka_unit_test(nothing_is_written_behind_the_end),
        cmocka_unit_test(they_are_standard_and_normal),
    };
    return cmocka_run_group_tests_name("core/normals", tests, NULL, NULL);
}
