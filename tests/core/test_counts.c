#include "core/counts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/core/counts_pair.h"

static void every_storage_gives_the_same_tile(void **state) {
    (void)state;
    counts_pair p;
    counts_pair_make(&p, 1, 0.5);
    const vel_counts *all[] = {&p.sparse, &p.sparse_f64, &p.row_major, &p.gene_major};
    for (int m = 0; m < 4; m++) {
        double tile[5 * PAIR_COLS];
        vel_counts_tile(all[m], 11, 5, tile);
        assert_memory_equal(tile, p.dense + 11 * PAIR_COLS, sizeof tile);
    }
}

static void sizes_and_gene_sums_of_whole_counts_are_exact(void **state) {
    counts_pair p;
    counts_pair_make(&p, 2, 1);
    const vel_counts *all[] = {&p.sparse, &p.sparse_f64, &p.row_major, &p.gene_major};
    for (int m = 0; m < 4; m++) {
        double sizes[PAIR_ROWS], sum[PAIR_COLS];
        int64_t positive[PAIR_COLS];
        assert_int_equal(vel_counts_sizes(*state, all[m], sizes), VEL_OK);
        assert_int_equal(vel_counts_gene_sums(*state, all[m], sum, positive), VEL_OK);
        double size = 0, gene = 0;
        int64_t seen = 0;
        for (int j = 0; j < PAIR_COLS; j++) size += p.dense[3 * PAIR_COLS + j];
        for (int i = 0; i < PAIR_ROWS; i++) {
            gene += p.dense[i * PAIR_COLS + 4];
            seen += p.dense[i * PAIR_COLS + 4] > 0;
        }
        assert_true((all[m]->type == VEL_F32 ? (double)((float *)sizes)[3] : sizes[3]) == size);
        assert_true(sum[4] == gene);
        assert_int_equal(positive[4], seen);
    }
}

/* Sums in float32 round after each addition, cells in order. */
static void gene_sums_round_in_the_type_of_the_matrix(void **state) {
    counts_pair p;
    counts_pair_make(&p, 3, 0.1);
    double sum[PAIR_COLS];
    int64_t positive[PAIR_COLS];
    float genes[PAIR_CELLS];
    for (int e = 0; e < PAIR_CELLS; e++) genes[e] = (float)p.genes_f64[e];
    const vel_counts gene_major = {PAIR_ROWS, PAIR_COLS, VEL_F32, genes, NULL, NULL, true, false};
    const vel_counts *all[] = {&p.sparse, &p.row_major, &gene_major};
    for (int m = 0; m < 3; m++) {
        assert_int_equal(vel_counts_gene_sums(*state, all[m], sum, positive), VEL_OK);
        for (int j = 0; j < PAIR_COLS; j++) {
            float expected = 0;
            for (int i = 0; i < PAIR_ROWS; i++) expected += p.rows_f32[i * PAIR_COLS + j];
            assert_true(sum[j] == (double)expected);
        }
    }
}

static void sizes_of_some_genes_leave_the_others_out(void **state) {
    counts_pair p;
    counts_pair_make(&p, 4, 1);
    const uint8_t keep[PAIR_COLS] = {1, 0, 1, 0, 0, 1, 1, 0, 0};
    float sparse[PAIR_ROWS], dense[PAIR_ROWS];
    assert_int_equal(vel_counts_sizes_of(*state, &p.sparse, keep, sparse), VEL_OK);
    assert_int_equal(vel_counts_sizes_of(*state, &p.row_major, keep, dense), VEL_OK);
    for (int i = 0; i < PAIR_ROWS; i++) {
        const float *row = p.rows_f32 + i * PAIR_COLS;
        assert_true(sparse[i] == row[0] + row[2] + row[5] + row[6]);
        assert_true(dense[i] == sparse[i]);
    }
}

static void rows_stored_by_columns_are_summed_from_the_left(void **state) {
    counts_pair p;
    float sizes[PAIR_ROWS];
    counts_pair_make(&p, 8, 0.1);
    p.sparse.by_columns = true;
    assert_int_equal(vel_counts_sizes(*state, &p.sparse, sizes), VEL_OK);
    for (int i = 0; i < PAIR_ROWS; i++) {
        float expected = 0;
        for (int j = 0; j < PAIR_COLS; j++) expected += p.rows_f32[i * PAIR_COLS + j];
        assert_true(sizes[i] == expected);
    }
}

static void a_survey_tells_raw_counts_and_takes_no_others_for_such(void **state) {
    counts_pair whole, halves;
    double sizes[PAIR_ROWS], surveyed[PAIR_ROWS];
    bool raw;
    counts_pair_make(&whole, 9, 1);
    counts_pair_make(&halves, 9, 0.5);
    const vel_counts *all[] = {&whole.gene_major, &halves.gene_major, &halves.row_major, &halves.sparse};
    for (int m = 0; m < 4; m++) {
        memset(sizes, 0, sizeof sizes), memset(surveyed, 0, sizeof sizes);
        assert_int_equal(vel_counts_sizes(*state, all[m], sizes), VEL_OK);
        assert_int_equal(vel_counts_survey(*state, all[m], surveyed, &raw), VEL_OK);
        assert_memory_equal(sizes, surveyed, sizeof sizes);
        assert_int_equal(raw, m == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_gives_the_same_tile),
        cmocka_unit_test(sizes_and_gene_sums_of_whole_counts_are_exact),
        cmocka_unit_test(gene_sums_round_in_the_type_of_the_matrix),
        cmocka_unit_test(sizes_of_some_genes_leave_the_others_out),
        cmocka_unit_test(rows_stored_by_columns_are_summed_from_the_left),
        cmocka_unit_test(a_survey_tells_raw_counts_and_takes_no_others_for_such),
    };
    return cmocka_run_group_tests_name("core/counts", tests, new_context, free_context);
}
