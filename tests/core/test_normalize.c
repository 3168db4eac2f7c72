#include "core/normalize.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/fmath.h"
#include "tests/context.h"
#include "tests/core/counts_pair.h"

static void factors_are_sizes_over_their_median_and_never_zero(void **state) {
    (void)state;
    double sizes[] = {4, 0, 8, 2}, work[4];
    vel_normalize_factors(4, (vel_sizes){VEL_F64, sizes}, 0, work);
    const double expected[] = {4.0 / 3, 1, 8.0 / 3, 2.0 / 3};
    assert_memory_equal(sizes, expected, sizeof sizes);
    float zeros[] = {0, 0};
    vel_normalize_factors(2, (vel_sizes){VEL_F32, zeros}, 0, work);
    assert_true(zeros[0] == 1 && zeros[1] == 1);
    float targeted[] = {5, 20};
    vel_normalize_factors(2, (vel_sizes){VEL_F32, targeted}, 10, work);
    assert_true(targeted[0] == 0.5f && targeted[1] == 2);
}

static void every_cell_gets_the_median_size(void **state) {
    counts_pair p;
    counts_pair_make(&p, 1, 1);
    float sizes[PAIR_ROWS], after[PAIR_ROWS];
    double work[PAIR_ROWS];
    assert_int_equal(vel_counts_sizes(*state, &p.sparse, sizes), VEL_OK);
    vel_normalize_factors(PAIR_ROWS, (vel_sizes){VEL_F32, sizes}, 10, work);
    assert_int_equal(vel_normalize_rows(*state, &p.sparse, (vel_sizes){VEL_F32, sizes}, p.values), VEL_OK);
    assert_int_equal(vel_counts_sizes(*state, &p.sparse, after), VEL_OK);
    for (int i = 0; i < PAIR_ROWS; i++)
        assert_true(after[i] == 0 || fabsf(after[i] - 10) < 1e-5f); /* a few roundings of float32 */
}

/* The reference multiplies sparse rows by the reciprocal and divides dense ones. */
static void sparse_rows_are_multiplied_and_dense_ones_divided(void **state) {
    counts_pair p;
    float f[PAIR_ROWS], out[PAIR_CELLS];
    counts_pair_make(&p, 2, 1);
    for (int i = 0; i < PAIR_ROWS; i++) f[i] = 0.3f + 0.01f * (float)i;
    const vel_sizes factors = {VEL_F32, f};
    assert_int_equal(vel_normalize_rows(*state, &p.sparse, factors, out), VEL_OK);
    for (int64_t e = p.indptr[9]; e < p.indptr[10]; e++) assert_true(out[e] == p.values[e] * (1 / f[9]));
    assert_int_equal(vel_normalize_rows(*state, &p.row_major, factors, out), VEL_OK);
    for (int e = 9 * PAIR_COLS; e < 10 * PAIR_COLS; e++) assert_true(out[e] == p.rows_f32[e] / f[9]);
    double wide[PAIR_CELLS];
    assert_int_equal(vel_normalize_rows(*state, &p.gene_major, factors, wide), VEL_OK);
    for (int j = 0; j < PAIR_COLS; j++)
        assert_true(wide[j * PAIR_ROWS + 9] == p.genes_f64[j * PAIR_ROWS + 9] / (double)f[9]);
}

static void a_gene_that_dominates_one_cell_is_left_out(void **state) {
    counts_pair p;
    counts_pair_make(&p, 3, 1);
    float sizes[PAIR_ROWS];
    uint8_t keep[PAIR_COLS];
    for (int i = 0; i < PAIR_ROWS; i++) sizes[i] = 100;
    int64_t e = p.indptr[20];
    p.values[e] = 51;
    assert_int_equal(vel_normalize_modest(*state, &p.sparse, (vel_sizes){VEL_F32, sizes}, 0.5, keep), VEL_OK);
    for (int j = 0; j < PAIR_COLS; j++) assert_int_equal(keep[j], j != p.indices[e]);
}

static void log1p_is_the_c_librarys_in_either_type(void **state) {
    float narrow[] = {0, 1, 2.5f, 1e-9f};
    double wide[] = {0, 1, 2.5, 1e-9}, base2[] = {0, 1, 3, 7};
    bool finite;
    assert_int_equal(vel_normalize_log1p(*state, VEL_F32, 4, narrow, 0, &finite), VEL_OK);
    assert_int_equal(vel_normalize_log1p(*state, VEL_F64, 4, wide, 0, &finite), VEL_OK);
    assert_int_equal(vel_normalize_log1p(*state, VEL_F64, 4, base2, 2, &finite), VEL_OK);
    assert_true(narrow[0] == 0 && narrow[2] == vel_log1pf(2.5f) && narrow[3] == 1e-9f);
    assert_true(wide[0] == 0 && wide[2] == vel_log1p(2.5) && fabs(wide[3] - 1e-9) < 1e-17);
    assert_true(base2[1] == 1 && base2[2] == 2 && base2[3] == 3);
}

static void what_is_not_finite_after_log1p_is_told(void **state) {
    enum { N = 20000 };
    static double x[N];
    bool finite;
    assert_int_equal(vel_normalize_log1p(*state, VEL_F64, N, x, 0, &finite), VEL_OK);
    assert_true(finite);
    x[N - 1] = -1;
    assert_int_equal(vel_normalize_log1p(*state, VEL_F64, N, x, 0, &finite), VEL_OK);
    assert_false(finite);
    assert_int_equal(vel_normalize_log1p(*state, VEL_F64, 0, x, 0, &finite), VEL_OK);
    assert_true(finite);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_sizes_over_their_median_and_never_zero),
        cmocka_unit_test(every_cell_gets_the_median_size),
        cmocka_unit_test(sparse_rows_are_multiplied_and_dense_ones_divided),
        cmocka_unit_test(a_gene_that_dominates_one_cell_is_left_out),
        cmocka_unit_test(log1p_is_the_c_librarys_in_either_type),
        cmocka_unit_test(what_is_not_finite_after_log1p_is_told),
    };
    return cmocka_run_group_tests_name("core/normalize", tests, new_context, free_context);
}
