#include "verify/pairs.h"

#include <math.h>

#include "tests/verify/fixture.h"

enum { ROWS = 3, COLS = 4 };

/*  1 0 0 2
 *  0 0 0 0
 *  0 3 0 4  in every storage */
static double dense[] = {1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4};
static float by_gene[] = {1, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 4};
static double entries[] = {1, 2, 3, 4};
static int64_t starts[] = {0, 2, 2, 4};
static int32_t columns[] = {0, 3, 1, 3};

static const vel_field row_major = {
    .kind = VEL_DENSE, .type = VEL_F64, .ndim = 2, .rows = ROWS, .cols = COLS, .data = dense};
static const vel_field gene_major = {
    .kind = VEL_DENSE, .type = VEL_F32, .ndim = 2, .rows = ROWS, .cols = COLS, .data = by_gene, .gene_major = true};
static const vel_field sparse = {.kind = VEL_SPARSE,
                                 .type = VEL_F64,
                                 .ndim = 2,
                                 .rows = ROWS,
                                 .cols = COLS,
                                 .data = entries,
                                 .indptr = starts,
                                 .indices = columns};

/* Sums of a and b over all pairs, weighted by place, and whether each pair agrees; *n counts the pairs. */
static bool all_equal(vel_ctx *ctx, const vel_field *a, const vel_field *b, int64_t *n) {
    vel_pairs p;
    assert_ok(vel_pairs_open(ctx, a, b, NULL, NULL, &p));
    bool equal = true;
    *n = 0;
    for (int64_t line = 0; line < p.lines; line++) {
        vel_pairs_line(&p, line);
        for (int64_t k = 0; k < p.n; k++, ++*n) {
            double expected = dense[vel_pairs_row(&p, line, k) * COLS + vel_pairs_col(&p, line, k)];
            equal &= p.x[k] == expected && p.y[k] == expected;
        }
    }
    return equal;
}

static void the_storage_makes_no_difference(void **state) {
    const vel_field *each[] = {&row_major, &gene_major, &sparse};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            int64_t n;
            assert_true(all_equal(*state, each[a], each[b], &n));
            assert_int_equal(n, a == 2 && b == 2 ? 4 : ROWS * COLS);
        }
}

static void two_sparse_arrays_meet_where_either_stores_something(void **state) {
    double other_entries[] = {7, 8};
    int64_t other_starts[] = {0, 1, 2, 2};
    int32_t other_columns[] = {0, 2};
    vel_field other = sparse;
    other.data = other_entries;
    other.indptr = other_starts;
    other.indices = other_columns;
    vel_pairs p;
    assert_ok(vel_pairs_open(*state, &sparse, &other, NULL, NULL, &p));
    int64_t n = 0;
    double x = 0, y = 0;
    for (int64_t line = 0; line < p.lines; line++) {
        vel_pairs_line(&p, line);
        n += p.n;
        for (int64_t k = 0; k < p.n; k++) x += p.x[k], y += p.y[k];
    }
    assert_int_equal(n, 5);
    assert_true(x == 10 && y == 15);
}

static void pairs_follow_the_names(void **state) {
    int64_t row_to[] = {2, 0, 1}, row_from[] = {1, 2, 0}, col_to[] = {1, 2, 3, 0}, col_from[] = {3, 0, 1, 2};
    vel_match rows = {.n = ROWS, .to = row_to, .from = row_from}, cols = {.n = COLS, .to = col_to, .from = col_from};
    double moved[ROWS * COLS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) moved[row_to[i] * COLS + col_to[j]] = dense[i * COLS + j];
    vel_field b = row_major;
    b.data = moved;
    const vel_field *each[] = {&row_major, &gene_major, &sparse};
    for (int a = 0; a < 3; a++) {
        vel_pairs p;
        assert_ok(vel_pairs_open(*state, each[a], &b, &rows, &cols, &p));
        for (int64_t line = 0; line < p.lines; line++) {
            vel_pairs_line(&p, line);
            for (int64_t k = 0; k < p.n; k++) assert_true(p.x[k] == p.y[k]);
        }
    }
}

static void sparse_pairs_follow_the_names_too(void **state) {
    int64_t row_to[] = {2, 0, 1}, row_from[] = {1, 2, 0}, col_to[] = {1, 2, 3, 0}, col_from[] = {3, 0, 1, 2};
    vel_match rows = {.n = ROWS, .to = row_to, .from = row_from}, cols = {.n = COLS, .to = col_to, .from = col_from};
    /* rows of `sparse` moved to 2, 0, 1, columns 0 -> 1, 1 -> 2, 3 -> 0; ascending columns */
    double moved_entries[] = {4, 3, 2, 1};
    int64_t moved_starts[] = {0, 0, 2, 4};
    int32_t moved_columns[] = {0, 2, 0, 1};
    vel_field b = sparse;
    b.data = moved_entries;
    b.indptr = moved_starts;
    b.indices = moved_columns;
    vel_pairs p;
    assert_ok(vel_pairs_open(*state, &sparse, &b, &rows, &cols, &p));
    int64_t n = 0;
    for (int64_t line = 0; line < p.lines; line++) {
        vel_pairs_line(&p, line);
        n += p.n;
        for (int64_t k = 0; k < p.n; k++) assert_true(p.x[k] == p.y[k]);
    }
    assert_int_equal(n, 4);
}

static void a_scalar_is_one_by_one_and_a_missing_entry_nan(void **state) {
    int8_t one = 7;
    uint8_t mask[] = {0, 1, 0};
    int64_t values[] = {1, 2, 3};
    vel_field scalar = {.kind = VEL_DENSE, .type = VEL_I8, .ndim = 0, .data = &one};
    vel_field nullable = {
        .kind = VEL_DENSE, .type = VEL_I64, .ndim = 1, .rows = 3, .cols = 1, .data = values, .mask = mask};
    vel_pairs p;
    assert_ok(vel_pairs_open(*state, &scalar, &scalar, NULL, NULL, &p));
    vel_pairs_line(&p, 0);
    assert_int_equal(p.lines * p.n, 1);
    assert_true(p.x[0] == 7);
    assert_ok(vel_pairs_open(*state, &nullable, &nullable, NULL, NULL, &p));
    vel_pairs_line(&p, 0);
    assert_true(p.x[0] == 1 && isnan(p.x[1]) && p.y[2] == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(the_storage_makes_no_difference),
        WITH_CONTEXT(two_sparse_arrays_meet_where_either_stores_something),
        WITH_CONTEXT(pairs_follow_the_names),
        WITH_CONTEXT(sparse_pairs_follow_the_names_too),
        WITH_CONTEXT(a_scalar_is_one_by_one_and_a_missing_entry_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
