#include "core/weighted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { MOST = 19 };

static void every_body_adds_row_after_row(void **state) {
    (void)state;
    uint64_t seed = 1;
    double x[VEL_WEIGHTED_ROWS], v[VEL_WEIGHTED_ROWS][MOST], start[MOST + 1];
    const double *rows[VEL_WEIGHTED_ROWS];
    for (int r = 0; r < VEL_WEIGHTED_ROWS; r++) {
        x[r] = random_between(&seed, -1, 1);
        rows[r] = v[r];
        for (int j = 0; j < MOST; j++) v[r][j] = random_between(&seed, -1, 1);
    }
    for (int j = 0; j <= MOST; j++) start[j] = random_between(&seed, -1, 1);
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int n = 0; n <= VEL_WEIGHTED_ROWS; n++)
            for (int k = 0; k <= MOST; k++) {
                double y[MOST + 1], expected[MOST + 1];
                memcpy(y, start, sizeof y);
                memcpy(expected, start, sizeof y);
                for (int j = 0; j < k; j++)
                    for (int r = 0; r < n; r++) expected[j] += x[r] * v[r][j];
                vel_weighted_add_at((vel_cpu)level)(n, x, rows, k, y);
                assert_memory_equal(y, expected, sizeof y);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_body_adds_row_after_row)};
    return cmocka_run_group_tests_name("core/weighted", tests, NULL, NULL);
}
