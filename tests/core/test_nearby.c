#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/nearby.h"
#include "tests/core/gene.h"

static void every_cell_has_its_neighbours_filled_up_with_the_empty_one(void **state) {
    (void)state;
    static gene g;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    graph.rows = graph.cols = 100; /* the last rows name cells beyond: drop them below */
    for (int i = 97; i <= 100; i++) g.indptr[i] = g.indptr[97];
    vel_average avg;
    vel_nearby nb;
    assert_int_equal(vel_average_make(&ctx, &graph, &avg), VEL_OK);
    assert_int_equal(vel_nearby_make(&ctx, &graph, &nb), VEL_OK);
    const uint16_t *near = nb.near16;
    const int32_t *cell = nb.cell;
    int seen[100] = {0};
    int64_t blocks = -1;
    for (int64_t k = 0; k < nb.n_runs; k++) {
        assert_true(nb.runs[k].blocks > blocks);
        blocks = nb.runs[k].blocks;
        for (int64_t i = 0; i < nb.runs[k].rows; i++, cell++) {
            int64_t degree = avg.indptr[*cell + 1] - avg.indptr[*cell];
            for (int64_t e = 0; e < blocks * VEL_NEARBY_BLOCK; e++)
                assert_int_equal(*near++, 2 * (e < degree ? nb.place[avg.indices[avg.indptr[*cell] + e]] : 100));
            assert_true(nb.weight[*cell] == avg.weight[*cell]);
            seen[*cell]++;
        }
    }
    int placed[100] = {0};
    for (int i = 0; i < 100; i++) placed[nb.place[i]]++;
    for (int i = 0; i < 100; i++) assert_true(seen[i] == 1 && placed[i] == 1);
    vel_arena_free(ctx.scratch);
}

static void many_cells_have_wide_numbers(void **state) {
    (void)state;
    enum { MANY = 70000 };
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    int64_t *indptr;
    assert_int_equal(VEL_ZALLOC(&ctx, indptr, MANY + 1), VEL_OK);
    vel_csr graph = {.rows = MANY, .cols = MANY, .indptr = indptr};
    vel_nearby nb;
    assert_int_equal(vel_nearby_make(&ctx, &graph, &nb), VEL_OK);
    assert_null(nb.near16);
    assert_int_equal(nb.near32[VEL_NEARBY_BLOCK * (MANY - 1)], 2 * (MANY - 1));
    assert_int_equal(nb.near32[1], 2 * MANY);
    vel_arena_free(ctx.scratch);
}

/* A chain, every hundredth cell of which has ten neighbours more. */
static void a_patch_of_rows_is_done_before_the_next(void **state) {
    (void)state;
    enum { MANY = 3 * VEL_NEARBY_PATCH / 2 };
    static int64_t indptr[MANY + 1];
    static int32_t indices[3 * MANY];
    static uint8_t seen[MANY];
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    for (int32_t i = 0, k = 0; i < MANY; indptr[++i] = k) {
        if (i > 0) indices[k++] = i - 1;
        if (i + 1 < MANY) indices[k++] = i + 1;
        if (i % 100 == 0)
            for (int32_t j = i + 2; j < i + 12 && j < MANY; j++) indices[k++] = j;
    }
    vel_csr graph = {.rows = MANY, .cols = MANY, .indptr = indptr, .indices = indices};
    vel_average avg;
    vel_nearby nb;
    assert_int_equal(vel_average_make(&ctx, &graph, &avg), VEL_OK);
    assert_int_equal(vel_nearby_make(&ctx, &graph, &nb), VEL_OK);
    assert_int_equal(nb.n_runs, 4); /* short and long rows of two patches */
    int64_t k = 0;
    for (int64_t r = 0; r < nb.n_runs; r++)
        for (int64_t i = 0; i < nb.runs[r].rows; i++, k++) {
            int64_t degree = avg.indptr[nb.cell[k] + 1] - avg.indptr[nb.cell[k]];
            assert_int_equal(nb.runs[r].blocks, (degree + VEL_NEARBY_BLOCK - 1) / VEL_NEARBY_BLOCK);
            assert_int_equal(nb.place[nb.cell[k]] / VEL_NEARBY_PATCH, k / VEL_NEARBY_PATCH);
            assert_false(seen[nb.cell[k]]++);
        }
    assert_int_equal(k, MANY);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_has_its_neighbours_filled_up_with_the_empty_one),
        cmocka_unit_test(many_cells_have_wide_numbers),
        cmocka_unit_test(a_patch_of_rows_is_done_before_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
