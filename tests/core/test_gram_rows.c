#include "core/gram_rows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { N = 44, STRIDE = 51 };

static void every_body_gives_the_bits_of_the_plain_one(void **state) {
    (void)state;
    double a[VEL_GRAM_ROWS * STRIDE], x[N], by[VEL_GRAM_ROWS];
    uint64_t seed = 6;
    for (int i = 0; i < VEL_GRAM_ROWS * STRIDE; i++) a[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < N; i++) x[i] = random_between(&seed, -1, 1);
    for (int r = 0; r < VEL_GRAM_ROWS; r++) by[r] = random_between(&seed, -1, 1);
    for (int n = 0; n <= N; n += 4)
        for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++) {
            double y[N] = {1, 2}, sum[VEL_GRAM_ROWS] = {3, 4}, z[N] = {1, 2}, total[VEL_GRAM_ROWS] = {3, 4};
            const vel_gram_block b = {n, STRIDE, a, x, by, a};
            vel_gram_rows_plain(&b, y, sum);
            vel_gram_rows_at((vel_cpu)level)(&b, z, total);
            assert_memory_equal(y, z, sizeof y);
            assert_memory_equal(sum, total, sizeof sum);
        }
}

static void rows_and_columns_are_both_served(void **state) {
    (void)state;
    double a[VEL_GRAM_ROWS * N], x[N], y[N] = {0}, by[VEL_GRAM_ROWS] = {1, 2, 3, 4}, sum[VEL_GRAM_ROWS] = {0};
    for (int i = 0; i < VEL_GRAM_ROWS * N; i++) a[i] = i % 7; /* whole numbers: exact */
    for (int i = 0; i < N; i++) x[i] = i % 5;
    vel_gram_rows_plain(&(vel_gram_block){N, N, a, x, by, a}, y, sum);
    for (int r = 0; r < VEL_GRAM_ROWS; r++) {
        double expected = 0;
        for (int j = 0; j < N; j++) expected += a[r * N + j] * x[j];
        assert_true(sum[r] == expected);
    }
    for (int j = 0; j < N; j++) assert_true(y[j] == a[j] + 2 * a[N + j] + 3 * a[2 * N + j] + 4 * a[3 * N + j]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_gives_the_bits_of_the_plain_one),
        cmocka_unit_test(rows_and_columns_are_both_served),
    };
    return cmocka_run_group_tests_name("core/gram_rows", tests, NULL, NULL);
}
