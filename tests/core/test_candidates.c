#include "core/candidates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "tests/context.h"

/* A ring of eight cells, each with its two successors. */
static const int64_t ring_indptr[9] = {0, 2, 4, 6, 8, 10, 12, 14, 16};
static const int32_t ring_indices[16] = {1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 0, 7, 0, 1};
static const vel_neighbor_lists ring = {8, ring_indptr, ring_indices};

static void hops_reach_further_each_time(void **state) {
    vel_ctx *ctx = *state;
    vel_cell_set set;
    int32_t cells[8];
    assert_int_equal(vel_cell_set_make(ctx, 8, &set), VEL_OK);
    assert_int_equal(vel_candidates(&ring, 3, 0, &set, cells), 1);
    assert_int_equal(cells[0], 3);
    assert_int_equal(vel_candidates(&ring, 3, 1, &set, cells), 3);
    assert_memory_equal(cells, ((int32_t[]){3, 4, 5}), 3 * sizeof *cells);
    assert_int_equal(vel_candidates(&ring, 6, 2, &set, cells), 5);
    assert_memory_equal(cells, ((int32_t[]){0, 1, 2, 6, 7}), 5 * sizeof *cells);
    assert_int_equal(vel_candidates(&ring, 0, 50, &set, cells), 8);
}

static void the_set_of_cells_is_sorted_and_emptied(void **state) {
    vel_ctx *ctx = *state;
    enum { M = 20000 };
    vel_cell_set set;
    static int32_t cells[M];
    static uint8_t in[M];
    uint64_t seed = 5;
    assert_int_equal(vel_cell_set_make(ctx, M, &set), VEL_OK);
    for (int round = 0; round < 20; round++) {
        memset(in, 0, sizeof in);
        int64_t count = 0;
        for (int i = 0; i < 1 << round % 12; i++) {
            int32_t cell = (int32_t)(random_bits(&seed) % M);
            assert_true(vel_cell_set_add(&set, cell) == !in[cell]);
            count += !in[cell];
            in[cell] = 1;
        }
        assert_int_equal(vel_cell_set_take(&set, cells), count);
        for (int64_t i = 0; i < count; i++) assert_true(in[cells[i]] && (i == 0 || cells[i] > cells[i - 1]));
    }
}

static void rows_keep_their_nearest(void **state) {
    vel_ctx *ctx = *state;
    const int64_t indptr[4] = {0, 2, 5, 8};
    const int32_t indices[8] = {1, 2, 0, 1, 2, 0, 1, 2};
    const double d[8] = {3, 1, 5, 4, 6, 0, 2, 1};
    vel_neighbor_lists lists;
    vel_neighbor_report r;
    vel_csr g = {3, 3, indptr, indices, d, VEL_F64};
    assert_int_equal(vel_neighbor_lists_make(ctx, &g, 0, &lists, &r), VEL_OK);
    assert_int_equal(r.k, 2);
    assert_memory_equal(lists.indices, ((int32_t[]){1, 2, 0, 1, 0, 2}), 6 * sizeof(int32_t));
    assert_int_equal(vel_neighbor_lists_make(ctx, &g, 1, &lists, &r), VEL_OK);
    assert_int_equal(r.k, 1);
    assert_memory_equal(lists.indices, ((int32_t[]){2, 1, 0}), 3 * sizeof(int32_t));
}

static void duplicates_at_distance_zero_are_neighbours(void **state) {
    vel_ctx *ctx = *state;
    const int64_t indptr[4] = {0, 2, 4, 6};
    const int32_t indices[6] = {1, 2, 0, 2, 0, 1};
    const float d[6] = {0, 0, 0, 1, 0, 1};
    vel_neighbor_lists lists;
    vel_neighbor_report r;
    assert_int_equal(vel_neighbor_lists_make(ctx, &(vel_csr){3, 3, indptr, indices, d, VEL_F32}, 0, &lists, &r),
                     VEL_OK);
    assert_memory_equal(lists.indices, indices, sizeof indices);
    assert_int_equal(r.n_coincident, 1);
    assert_int_equal(r.first_coincident, 0);
    assert_int_equal(r.n_lonely, 0);
}

static void a_cell_without_neighbours_does_not_empty_the_others(void **state) {
    vel_ctx *ctx = *state;
    const int64_t indptr[4] = {0, 2, 2, 4};
    const int32_t indices[4] = {1, 2, 0, 1};
    const double d[4] = {1, 2, 1, 2};
    vel_neighbor_lists lists;
    vel_neighbor_report r;
    assert_int_equal(vel_neighbor_lists_make(ctx, &(vel_csr){3, 3, indptr, indices, d, VEL_F64}, 0, &lists, &r),
                     VEL_OK);
    assert_int_equal(r.k, 2);
    assert_int_equal(r.n_lonely, 1);
    assert_int_equal(r.first_lonely, 1);
    assert_memory_equal(lists.indptr, indptr, sizeof indptr);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hops_reach_further_each_time, new_context, free_context),
        cmocka_unit_test_setup_teardown(the_set_of_cells_is_sorted_and_emptied, new_context, free_context),
        cmocka_unit_test_setup_teardown(rows_keep_their_nearest, new_context, free_context),
        cmocka_unit_test_setup_teardown(duplicates_at_distance_zero_are_neighbours, new_context, free_context),
        cmocka_unit_test_setup_teardown(a_cell_without_neighbours_does_not_empty_the_others, new_context, free_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
