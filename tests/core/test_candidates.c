#include "core/candidates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/random.h"

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

/* What is in the set comes out ascending, nothing is written past it, and nothing is left. in[n]: 0 or 1. */
static void check_set(vel_ctx *ctx, int32_t n, const uint8_t *in) {
    vel_cell_set set;
    int32_t *cells, count = 0;
    assert_int_equal(vel_cell_set_make(ctx, n, &set), VEL_OK);
    assert_int_equal(VEL_ALLOC(ctx, cells, n + 1), VEL_OK);
    for (int32_t c = n - 1; c >= 0; c--)
        if (in[c]) assert_true(vel_cell_set_add(&set, c));
    for (int32_t c = 0; c < n; c++) {
        if (in[c]) assert_false(vel_cell_set_add(&set, c));
        count += in[c];
    }
    cells[count] = -7;
    assert_int_equal(vel_cell_set_take(&set, cells), count);
    assert_int_equal(cells[count], -7);
    for (int32_t c = 0, k = 0; c < n; c++)
        if (in[c]) assert_int_equal(cells[k++], c);
    assert_int_equal(vel_cell_set_take(&set, cells), 0);
    vel_arena_reset(ctx->scratch);
}

/* Borders of words of 64 cells, and of groups of 64 words. */
static const int32_t border_sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 511, 512, 513, 4095, 4096, 4097, 8191, 8193};
enum { N_BORDERS = sizeof border_sizes / sizeof *border_sizes, LARGEST = 8193 };

static void sets_of_every_density_come_out_whole(void **state) {
    static uint8_t in[LARGEST];
    uint64_t seed = 11;
    for (int b = 0; b < N_BORDERS; b++)
        for (uint64_t one_in = 1; one_in < 1u << 14; one_in *= 4) { /* 1: all */
            for (int32_t c = 0; c < border_sizes[b]; c++) in[c] = random_bits(&seed) % one_in == 0;
            check_set(*state, border_sizes[b], in);
        }
}

static void empty_sets_and_cells_at_borders_come_out_whole(void **state) {
    static uint8_t in[LARGEST];
    for (int b = 0; b < N_BORDERS; b++) {
        check_set(*state, border_sizes[b], in);
        for (int first = 0; first < N_BORDERS; first++)
            for (int last = first; last < N_BORDERS && border_sizes[last] <= border_sizes[b]; last++) {
                in[border_sizes[first] - 1] = in[border_sizes[last] - 1] = 1;
                check_set(*state, border_sizes[b], in);
                in[border_sizes[first] - 1] = in[border_sizes[last] - 1] = 0;
            }
    }
}

/* One to five cells a word: of an odd number the last is alone. */
static void words_of_few_cells_come_out_whole(void **state) {
    static uint8_t in[LARGEST];
    for (int32_t few = 1; few <= 5; few++) {
        for (int32_t c = 0; c < LARGEST; c++) in[c] = c % 64 * 7 % 64 < few;
        check_set(*state, LARGEST, in);
    }
}

/* Of a random graph on enough cells for several groups of words. */
static void two_hops_are_the_neighbours_and_theirs(void **state) {
    vel_ctx *ctx = *state;
    enum { M = 9000, K = 7 };
    static int64_t indptr[M + 1];
    static int32_t indices[M * K], cells[M];
    static uint8_t in[M];
    uint64_t seed = 3;
    vel_cell_set set;
    for (int i = 0; i < M * K; i++) indices[i] = (int32_t)(random_bits(&seed) % M);
    for (int i = 0; i <= M; i++) indptr[i] = (int64_t)i * K;
    assert_int_equal(vel_cell_set_make(ctx, M, &set), VEL_OK);
    for (int32_t i = 0; i < M; i += i < 20 || i > M - 20 ? 1 : 97) {
        memset(in, 0, sizeof in);
        in[i] = 1;
        for (int64_t e = indptr[i]; e < indptr[i + 1]; e++) {
            in[indices[e]] = 1;
            for (int64_t f = indptr[indices[e]]; f < indptr[indices[e] + 1]; f++) in[indices[f]] = 1;
        }
        int64_t count = vel_candidates(&(vel_neighbor_lists){M, indptr, indices}, i, 2, &set, cells), k = 0;
        for (int32_t c = 0; c < M; c++)
            if (in[c]) assert_true(k < count && cells[k++] == c);
        assert_int_equal(k, count);
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
        cmocka_unit_test_setup_teardown(sets_of_every_density_come_out_whole, new_context, free_context),
        cmocka_unit_test_setup_teardown(empty_sets_and_cells_at_borders_come_out_whole, new_context, free_context),
        cmocka_unit_test_setup_teardown(words_of_few_cells_come_out_whole, new_context, free_context),
        cmocka_unit_test_setup_teardown(two_hops_are_the_neighbours_and_theirs, new_context, free_context),
        cmocka_unit_test_setup_teardown(rows_keep_their_nearest, new_context, free_context),
        cmocka_unit_test_setup_teardown(duplicates_at_distance_zero_are_neighbours, new_context, free_context),
        cmocka_unit_test_setup_teardown(a_cell_without_neighbours_does_not_empty_the_others, new_context, free_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
