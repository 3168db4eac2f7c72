#include "core/ratios.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { MOST = 35 };

static void every_body_divides_like_the_language(void **state) {
    (void)state;
    uint64_t seed = 1;
    double x[MOST], d[MOST], out[MOST + 1], expected[MOST + 1];
    float xf[MOST], df[MOST], out_f[MOST + 1], expected_f[MOST + 1];
    for (int i = 0; i < MOST; i++) {
        xf[i] = (float)(x[i] = random_between(&seed, -9, 9));
        df[i] = (float)(d[i] = random_between(&seed, 0.1, 3));
    }
    x[3] = xf[3] = 0, d[5] = df[5] = 0, x[7] = xf[7] = INFINITY;
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int n = 0; n <= MOST; n++) {
            const vel_ratios *body = vel_ratios_at((vel_cpu)level);
            memset(out, 0, sizeof out), memset(expected, 0, sizeof out);
            memset(out_f, 0, sizeof out_f), memset(expected_f, 0, sizeof out_f);
            for (int i = 0; i < n; i++) expected[i] = x[i] / d[i], expected_f[i] = xf[i] / df[i];
            body->each_f64(n, 1, x, d, out);
            body->each_f32(n, 1, xf, df, out_f);
            assert_memory_equal(out, expected, sizeof out);
            assert_memory_equal(out_f, expected_f, sizeof out_f);
            for (int i = 0; i < n; i++) expected[i] = x[i] / 1.7 + d[i] / 0.3;
            for (int i = 0; i < n; i++) expected_f[i] = xf[i] / 1.7F + df[i] / 0.3F;
            body->sum_f64(n, x, 1.7, d, 0.3, out);
            body->sum_f32(n, xf, 1.7F, df, 0.3F, out_f);
            assert_memory_equal(out, expected, sizeof out);
            assert_memory_equal(out_f, expected_f, sizeof out_f);
        }
}

static void columns_side_by_side_are_columns_one_by_one(void **state) {
    (void)state;
    enum { COLUMNS = 11 };
    uint64_t seed = 2;
    double x[COLUMNS * MOST], d[MOST], out[COLUMNS * MOST];
    float xf[COLUMNS * MOST], df[MOST], out_f[COLUMNS * MOST];
    for (int i = 0; i < COLUMNS * MOST; i++) xf[i] = (float)(x[i] = random_between(&seed, -9, 9));
    for (int i = 0; i < MOST; i++) df[i] = (float)(d[i] = random_between(&seed, 0.1, 3));
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int m = 0; m <= COLUMNS; m++)
            for (int n = 1; n <= MOST; n++) {
                vel_ratios_at((vel_cpu)level)->each_f64(n, m, x, d, out);
                vel_ratios_at((vel_cpu)level)->each_f32(n, m, xf, df, out_f);
                for (int e = 0; e < m * n; e++) assert_true(out[e] == x[e] / d[e % n] && out_f[e] == xf[e] / df[e % n]);
            }
}

static void the_result_may_take_the_place_of_an_operand(void **state) {
    (void)state;
    const vel_ratios *body = vel_ratios_at(vel_cpu_level());
    double x[MOST], y[MOST], d[MOST];
    for (int i = 0; i < MOST; i++) x[i] = y[i] = i, d[i] = 3 + i;
    body->each_f64(MOST, 1, x, d, x);
    body->sum_f64(MOST, d, 3, y, 7, y);
    for (int i = 0; i < MOST; i++) assert_true(x[i] == i / d[i] && y[i] == d[i] / 3 + i / 7.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_divides_like_the_language),
        cmocka_unit_test(columns_side_by_side_are_columns_one_by_one),
        cmocka_unit_test(the_result_may_take_the_place_of_an_operand),
    };
    return cmocka_run_group_tests_name("core/ratios", tests, NULL, NULL);
}
