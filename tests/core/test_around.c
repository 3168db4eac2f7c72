#include "core/around.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/average.h"

/* A ring with entries that do not count and a diagonal here and there. */
static void same_lists_as_the_average_at(int64_t n) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    int64_t *indptr, e = 0;
    int32_t *indices;
    float *values;
    assert_int_equal(VEL_ALLOC(&ctx, indptr, n + 1), VEL_OK);
    assert_int_equal(VEL_ALLOC(&ctx, indices, 5 * n), VEL_OK);
    assert_int_equal(VEL_ALLOC(&ctx, values, 5 * n), VEL_OK);
    for (int64_t c = 0; c < n; c++) {
        indptr[c] = e;
        for (int64_t j = c < 2 ? 0 : c - 2; j < n && j <= c + 2; j++) {
            if (j == c && c % 3) continue;
            indices[e] = (int32_t)j;
            values[e++] = (float)((j + c) % 4) - 1;
        }
    }
    indptr[n] = e;
    const vel_csr graph = {n, n, indptr, indices, values, VEL_F32};
    vel_average avg;
    vel_around around;
    assert_int_equal(vel_average_make(&ctx, &graph, &avg), VEL_OK);
    assert_int_equal(vel_around_make(&ctx, &graph, &around), VEL_OK);
    assert_int_equal(around.n, n);
    assert_memory_equal(around.indptr, avg.indptr, (size_t)(n + 1) * sizeof *avg.indptr);
    assert_memory_equal(around.weight, avg.weight, (size_t)n * sizeof *avg.weight);
    assert_true(!around.near16 == (n > 65536) && !around.near32 == (n <= 65536));
    for (int64_t k = 0; k < avg.indptr[n]; k++)
        assert_int_equal(around.near16 ? around.near16[k] : around.near32[k], avg.indices[k]);
    vel_arena_free(ctx.scratch);
}

static void the_lists_are_those_of_the_average(void **state) {
    (void)state;
    same_lists_as_the_average_at(1);
    same_lists_as_the_average_at(100);
    same_lists_as_the_average_at(65536);
}

static void many_cells_have_wide_numbers(void **state) {
    (void)state;
    same_lists_as_the_average_at(65537);
}

static void a_graph_that_is_not_square_is_refused(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    const int64_t indptr[3] = {0, 0, 0};
    const vel_csr graph = {.rows = 2, .cols = 3, .indptr = indptr};
    vel_around around;
    assert_int_equal(vel_around_make(&ctx, &graph, &around), VEL_ESHAPE);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lists_are_those_of_the_average),
        cmocka_unit_test(many_cells_have_wide_numbers),
        cmocka_unit_test(a_graph_that_is_not_square_is_refused),
    };
    return cmocka_run_group_tests_name("core/around", tests, NULL, NULL);
}
