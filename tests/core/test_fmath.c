#include "core/fmath.h"

#include <gnu/libc-version.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/fmath_bodies.h"
#include "tests/random.h"

enum { BLOCK = 1024 };

/* How many arguments a test tries; VEL_TEST_MANY asks for more than the 300,000 of a daily run. */
static uint64_t many(void) {
    const char *wish = getenv("VEL_TEST_MANY");
    return wish ? strtoull(wish, NULL, 10) : 300000;
}

/* Arguments where something changes: ends of ranges, subnormals, halfway cases of the reductions, neighbours of 1. */
static double structured(uint64_t k) {
    static const double points[] = {
        0.0,
        3.0,
        3.0 + 0x1p-20,
        0x1p-1074,
        0x1p-1022,
        0x1p-54,
        0x1p-29,
        0x1p-28,
        1.0,
        0x1.62e42fefa39efp-1,
        1 - 0x1p-4,
        1 + 0x1.09p-4,
        512,
        708.3964185322641,
        709.782712893384,
        744.4400719213812,
        745.1332191019412,
        1024,
        0x1.8p-1,
        0x1.6p-1,
        0.41421356,
        0.29289321,
        56 * 0x1.62e42fefa39efp-1,
        88.72283935546875,
        103.97208404541015625,
        0x1p1023,
        INFINITY,
        NAN,
    };
    enum { POINTS = sizeof points / sizeof *points };
    double x = points[k % POINTS];
    int64_t steps = (int64_t)(k / POINTS % 17) - 8;
    for (; steps > 0; steps--) x = nextafter(x, INFINITY);
    for (; steps < 0; steps++) x = nextafter(x, -INFINITY);
    return k / POINTS / 17 % 2 ? -x : x;
}

static double halfway(uint64_t *seed, double low, double high) {
    double step = 0x1.62e42fefa39efp-1 / 128;
    return (floor(random_between(seed, low, high) / step) + 0.5) * step + random_between(seed, -1, 1) * 0x1p-46;
}

/* The i-th of a mix of arguments that covers the range of exp and log. */
static double argument(uint64_t i, uint64_t *seed) {
    switch (i % 6) {
        case 0:
            return random_double(seed);
        case 1:
            return random_between(seed, -750, 715);
        case 2:
            return random_between(seed, 0, 2);
        case 3:
            return structured(i / 6);
        case 4:
            return halfway(seed, -745, 710);
        default:
            return fabs(random_double(seed));
    }
}

static bool libm_is_the_reference(void) {
    int major = 0, minor = 0;
    sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor);
    return __builtin_cpu_supports("fma") && (major > 2 || minor >= 28);
}

static void check_double(const char *name, double x, double found, double expected) {
    if (!same_double(found, expected)) fail_msg("%s(%a) = %a, expected %a", name, x, found, expected);
}

static void check_float(const char *name, float x, float found, float expected) {
    if (!same_float(found, expected))
        fail_msg("%s(%a) = %a, expected %a", name, (double)x, (double)found, (double)expected);
}

static void exp_and_log_have_the_values_everyone_knows(void **state) {
    (void)state;
    assert_true(vel_exp(0) == 1 && vel_exp(1) == 0x1.5bf0a8b145769p+1 && vel_exp(-INFINITY) == 0);
    assert_true(vel_exp(INFINITY) == INFINITY && vel_exp(710) == INFINITY && vel_exp(-746) == 0 && isnan(vel_exp(NAN)));
    assert_true(vel_exp(-745.13) == 0x1p-1074);
    assert_true(vel_log(1) == 0 && vel_log(2) == 0x1.62e42fefa39efp-1 && vel_log(0) == -INFINITY &&
                vel_log(-0.0) == -INFINITY);
    assert_true(vel_log(INFINITY) == INFINITY && isnan(vel_log(-1)) && isnan(vel_log(NAN)));
    assert_true(vel_log(0x1p-1074) == -0x1.74385446d71c3p+9);
    assert_true(signbit(vel_log1p(-0.0)) && signbit(vel_expm1(-0.0)));
    assert_true(vel_log1p(-1) == -INFINITY && isnan(vel_log1p(-2)) && vel_expm1(-INFINITY) == -1 &&
                vel_expm1(710) == INFINITY);
    assert_true(vel_erfc(0) == 1 && vel_erfc(-INFINITY) == 2 && vel_erfc(INFINITY) == 0 && isnan(vel_erfc(NAN)));
}

static void exp_and_log_equal_the_c_library(void **state) {
    (void)state;
    if (!libm_is_the_reference()) skip();
    uint64_t seed = 11;
    for (uint64_t i = 0, n = many(); i < n; i++) {
        double x = argument(i, &seed);
        check_double("exp", x, vel_exp(x), exp(x));
        check_double("log", x, vel_log(x), log(x));
    }
}

static void float_functions_equal_the_c_library(void **state) {
    (void)state;
    if (!libm_is_the_reference()) skip();
    uint64_t seed = 13;
    for (uint64_t i = 0, n = many(); i < n; i++) {
        float x = i % 2 ? random_float(&seed) : (float)argument(i / 2, &seed);
        check_float("expf", x, vel_expf(x), expf(x));
        check_float("log1pf", x, vel_log1pf(x), log1pf(x));
        check_float("expm1f", x, vel_expm1f(x), expm1f(x));
    }
}

/* glibc's choice of fused products in log1p and expm1 is that of the version whose bits are the contract. */
static void log1p_and_expm1_equal_glibc_2_36(void **state) {
    (void)state;
    if (!libm_is_the_reference() || strcmp(gnu_get_libc_version(), "2.36") != 0) skip();
    uint64_t seed = 17;
    for (uint64_t i = 0, n = many(); i < n; i++) {
        double x = i % 2 ? random_between(&seed, -1, 4) : argument(i / 2, &seed);
        check_double("log1p", x, vel_log1p(x), log1p(x));
        check_double("expm1", x, vel_expm1(x), expm1(x));
    }
}

static void check_body_double(const vel_fmath_bodies *body, const vel_fmath_bodies *plain, int64_t n, const double *x) {
    double y[BLOCK], z[BLOCK];
    body->exp_n(n, x, y);
    body->log_n(n, x, z);
    for (int64_t i = 0; i < n; i++) {
        double e = plain->exp(x[i]), l = plain->log(x[i]);
        check_double("exp", x[i], body->exp(x[i]), e);
        check_double("log", x[i], body->log(x[i]), l);
        check_double("log1p", x[i], body->log1p(x[i]), plain->log1p(x[i]));
        check_double("expm1", x[i], body->expm1(x[i]), plain->expm1(x[i]));
        check_double("exp_n", x[i], y[i], e);
        check_double("log_n", x[i], z[i], l);
    }
}

static void check_body_float(const vel_fmath_bodies *body, const vel_fmath_bodies *plain, int64_t n, const float *x) {
    float y[BLOCK], z[BLOCK];
    body->npy_expf_n(n, x, y);
    body->npy_logf_n(n, x, z);
    for (int64_t i = 0; i < n; i++) {
        float e = plain->npy_expf(x[i]), l = plain->npy_logf(x[i]);
        check_float("expf", x[i], body->expf(x[i]), plain->expf(x[i]));
        check_float("npy_expf", x[i], body->npy_expf(x[i]), e);
        check_float("npy_logf", x[i], body->npy_logf(x[i]), l);
        check_float("npy_expf_n", x[i], y[i], e);
        check_float("npy_logf_n", x[i], z[i], l);
    }
}

static void every_body_equals_the_plain_one(void **state) {
    (void)state;
    const vel_fmath_bodies *plain = vel_fmath_at(VEL_CPU_PLAIN);
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++) {
        const vel_fmath_bodies *body = vel_fmath_at((vel_cpu)level);
        uint64_t seed = 19;
        double x[BLOCK];
        float xf[BLOCK];
        for (uint64_t i = 0, n = many() / BLOCK; i < n; i++) {
            for (uint64_t k = 0; k < BLOCK; k++) {
                /* Some blocks hold no special argument at all: there the fast path must be right, too. */
                x[k] = i % 2 ? argument(i * BLOCK + k, &seed) : random_between(&seed, 0x1p-40, 20);
                xf[k] = k % 2 || i % 2 == 0 ? (float)x[k] : random_float(&seed);
            }
            check_body_double(body, plain, BLOCK, x);
            check_body_float(body, plain, BLOCK, xf);
        }
    }
}

/* All 2^32 of them, in a few minutes: only if VEL_TEST_EXHAUSTIVE is set. */
static void every_float_argument_is_right(void **state) {
    (void)state;
    if (!getenv("VEL_TEST_EXHAUSTIVE")) skip();
    const vel_fmath_bodies *plain = vel_fmath_at(VEL_CPU_PLAIN), *body = vel_fmath_at(vel_cpu_level());
    float x[BLOCK];
    for (uint64_t i = 0; i < UINT64_C(1) << 32; i += BLOCK) {
        for (uint32_t k = 0; k < BLOCK; k++) {
            uint32_t bits = (uint32_t)i + k;
            memcpy(x + k, &bits, sizeof bits);
            if (!libm_is_the_reference()) continue;
            check_float("expf", x[k], vel_expf(x[k]), expf(x[k]));
            check_float("log1pf", x[k], vel_log1pf(x[k]), log1pf(x[k]));
            check_float("expm1f", x[k], vel_expm1f(x[k]), expm1f(x[k]));
        }
        check_body_float(body, plain, BLOCK, x);
    }
}

/* Counts, small numbers, those around a power of two less one, around the ends of the common path, and what is none. */
static double log1p_argument(uint64_t i, uint64_t *seed) {
    static const double odd[] = {0,       -0.0,    NAN,     INFINITY, -INFINITY, -1,      -0.3, -3,    0x1p-30,
                                 0x1p-55, 0x1p-25, 0x1p53,  0x1p54,   1e300,     12.999,  13.5, 14.99, 15.5,
                                 0.41421, 0.41422, 0.34657, 0.34658,  1.0397,    1.03973, 700,  800,   0x1p-1060};
    enum { ODD = sizeof odd / sizeof *odd };
    if (i % 8 == 0) return odd[i / 8 % ODD];
    if (i % 8 == 1) return (double)(int)random_between(seed, 0, 40);
    if (i % 8 == 2) return ldexp(1 + random_between(seed, -1e-6, 1e-6), (int)(i / 8 % 20)) - 1;
    if (i % 8 == 3) return ldexp(random_between(seed, 0.5, 1), -(int)(i / 8 % 64));
    return random_between(seed, 0, i % 8 < 6 ? 1.5 : 16);
}

static void log1p_and_expm1_of_arrays_are_those_of_numbers(void **state) {
    (void)state;
    uint64_t seed = 19;
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++) {
        const vel_fmath_bodies *body = vel_fmath_at((vel_cpu)level);
        for (uint64_t i = 0, n = many(); i < n; i += BLOCK) {
            double x[BLOCK], y[BLOCK], z[BLOCK];
            float xf[BLOCK], yf[BLOCK], zf[BLOCK];
            for (int k = 0; k < BLOCK; k++) xf[k] = (float)(x[k] = log1p_argument(i + (uint64_t)k, &seed));
            body->log1p_n(BLOCK - 3, x, y);
            body->expm1_n(BLOCK - 3, x, z);
            body->log1pf_n(BLOCK - 3, xf, yf);
            body->expm1f_n(BLOCK - 3, xf, zf);
            for (int k = 0; k < BLOCK - 3; k++) {
                check_double("log1p_n", x[k], y[k], vel_log1p(x[k]));
                check_double("expm1_n", x[k], z[k], vel_expm1(x[k]));
                check_float("log1pf_n", xf[k], yf[k], vel_log1pf(xf[k]));
                check_float("expm1f_n", xf[k], zf[k], vel_expm1f(xf[k]));
            }
        }
    }
}

static void the_array_functions_run_the_body_of_this_cpu(void **state) {
    (void)state;
    double x[3] = {-2, 0.3, 5}, y[3], z[3];
    float xf[3] = {-2, 0.3f, 5}, yf[3], zf[3];
    vel_exp_n(3, x, y);
    vel_log_n(3, x, z);
    vel_npy_expf_n(3, xf, yf);
    vel_npy_logf_n(3, xf, zf);
    for (int i = 0; i < 3; i++) {
        check_double("exp_n", x[i], y[i], vel_exp(x[i]));
        check_double("log_n", x[i], z[i], vel_log(x[i]));
        check_float("npy_expf_n", xf[i], yf[i], vel_npy_expf(xf[i]));
        check_float("npy_logf_n", xf[i], zf[i], vel_npy_logf(xf[i]));
    }
}

static void arrays_of_every_length_stay_in_their_bounds(void **state) {
    (void)state;
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++) {
        const vel_fmath_bodies *body = vel_fmath_at((vel_cpu)level);
        for (int64_t n = 0; n < 70; n++) {
            double x[71], y[71];
            float xf[71], yf[71];
            for (int64_t i = 0; i < 71; i++) {
                x[i] = (double)(i + 1) / 8;
                xf[i] = (float)x[i];
                y[i] = yf[i] = -5;
            }
            body->exp_n(n, x, y);
            body->npy_logf_n(n, xf, yf);
            for (int64_t i = 0; i < n; i++) assert_true(y[i] == vel_exp(x[i]) && yf[i] == vel_npy_logf(xf[i]));
            assert_true(y[n] == -5 && yf[n] == -5);
            body->log_n(n, y, y); /* in place */
            body->npy_expf_n(n, yf, yf);
            for (int64_t i = 0; i < n; i++)
                assert_true(y[i] == vel_log(vel_exp(x[i])) && yf[i] == vel_npy_expf(vel_npy_logf(xf[i])));
            assert_true(y[n] == -5 && yf[n] == -5);
        }
    }
}

/* numpy.exp and numpy.log (2.2.6, AVX2) of float32. */
static void float32_exp_and_log_have_the_reference_bits(void **state) {
    (void)state;
    static const float exps[][2] = {
        {0x1.960b620000000p+5f, 0x1.2b29f00000000p+73f},   {0x1.9a88960000000p+5f, 0x1.062a880000000p+74f},
        {-0x1.24a90c0000000p+2f, 0x1.5274620000000p-7f},   {-0x1.834ba60000000p+5f, 0x1.1d4ce20000000p-70f},
        {-0x1.72cc040000000p+6f, 0x1.3340000000000p-134f}, {-0x1.dc6cba0000000p+4f, 0x1.0779d00000000p-43f},
        {-0x1.8fb4b40000000p+4f, 0x1.f1b44e0000000p-37f},  {-0x1.7968e60000000p+6f, 0x1.d690000000000p-137f},
        {-0x1.76bfc60000000p+6f, 0x1.c990000000000p-136f}, {0x1.5f5edc0000000p+6f, 0x1.a8a6c80000000p+126f},
        {-0x1.9f999a0000000p+6f, 0x1.0000000000000p-149f}, {-0x1.5e00000000000p+6f, 0x1.b2caf00000000p-127f},
        {0x1.62cccc0000000p+6f, 0x1.f46ffa0000000p+127f},  {0x1.5798ee0000000p-27f, 0x1.0000000000000p+0f},
        {-0x1.0624de0000000p-10f, 0x1.ff7cfe0000000p-1f},
    };
    static const float logs[][2] = {
        {0x1.4e03520000000p+0f, 0x1.1062ec0000000p-2f},    {0x1.e046e20000000p-2f, -0x1.83a3cc0000000p-1f},
        {0x1.bd62e40000000p-1f, -0x1.1d74a80000000p-3f},   {0x1.f2c8880000000p+0f, 0x1.5580480000000p-1f},
        {0x1.cb9c660000000p+0f, 0x1.2b9fb60000000p-1f},    {0x1.b03f0c0000000p+0f, 0x1.0c31e20000000p-1f},
        {0x1.91d2880000000p-1f, -0x1.f0428e0000000p-3f},   {0x1.f8db060000000p-1f, -0x1.cc76de0000000p-7f},
        {0x1.b93d2a0000000p+40f, 0x1.c453220000000p+4f},   {0x1.8951f60000000p-102f, -0x1.1916160000000p+6f},
        {0x1.c822b20000000p+12f, 0x1.1ca6f20000000p+3f},   {0x1.2f26f20000000p-53f, -0x1.248abe0000000p+5f},
        {0x1.8da5340000000p+87f, 0x1.e5f4180000000p+5f},   {0x1.16c2000000000p-133f, -0x1.7069e40000000p+6f},
        {0x1.0000000000000p-149f, -0x1.9d1da00000000p+6f}, {0x1.fffffe0000000p-1f, -0x1.0000020000000p-24f},
        {0x1.0000020000000p+0f, 0x1.fffffc0000000p-24f},
    };
    for (size_t i = 0; i < sizeof exps / sizeof *exps; i++)
        check_float("npy_expf", exps[i][0], vel_npy_expf(exps[i][0]), exps[i][1]);
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        check_float("npy_logf", logs[i][0], vel_npy_logf(logs[i][0]), logs[i][1]);
    assert_true(vel_npy_expf(88.72284f) == INFINITY && vel_npy_expf(-103.98f) == 0 && isnan(vel_npy_expf(NAN)));
    assert_true(vel_npy_logf(0) == -INFINITY && isnan(vel_npy_logf(-1)) && vel_npy_logf(INFINITY) == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_and_log_have_the_values_everyone_knows),
        cmocka_unit_test(exp_and_log_equal_the_c_library),
        cmocka_unit_test(float_functions_equal_the_c_library),
        cmocka_unit_test(log1p_and_expm1_equal_glibc_2_36),
        cmocka_unit_test(every_body_equals_the_plain_one),
        cmocka_unit_test(every_float_argument_is_right),
        cmocka_unit_test(log1p_and_expm1_of_arrays_are_those_of_numbers),
        cmocka_unit_test(the_array_functions_run_the_body_of_this_cpu),
        cmocka_unit_test(arrays_of_every_length_stay_in_their_bounds),
        cmocka_unit_test(float32_exp_and_log_have_the_reference_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
