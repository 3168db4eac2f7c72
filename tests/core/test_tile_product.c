#include "core/tile_product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { GENES = 5, CELLS = 19, VECTORS = 11 };

static void every_body_adds_gene_after_gene(void **state) {
    (void)state;
    uint64_t seed = 1;
    double t[GENES * CELLS], v[GENES * VECTORS], start[VECTORS * CELLS + 1];
    for (int i = 0; i < GENES * CELLS; i++) t[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < GENES * VECTORS; i++) v[i] = random_between(&seed, -1, 1);
    for (int i = 0; i <= VECTORS * CELLS; i++) start[i] = random_between(&seed, -1, 1);
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int cells = 0; cells <= CELLS; cells++)
            for (int k = 0; k <= VECTORS; k++) {
                double y[VECTORS * CELLS + 1], expected[VECTORS * CELLS + 1];
                memcpy(y, start, sizeof y);
                memcpy(expected, start, sizeof y);
                for (int j = 0; j < k; j++)
                    for (int i = 0; i < cells; i++)
                        for (int g = 0; g < GENES; g++) expected[j * cells + i] += v[g * k + j] * t[g * cells + i];
                vel_tile_product_at((vel_cpu)level)(&(vel_tile){GENES, cells, k, t, v, y});
                assert_memory_equal(y, expected, sizeof y);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_body_adds_gene_after_gene)};
    return cmocka_run_group_tests_name("core/tile_product", tests, NULL, NULL);
}
