#include "core/centered.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/core/centered_pair.h"

static void check_products(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]) {
    double v[CHOSEN], y[PAIR_ROWS], back[CHOSEN];
    uint64_t seed = 2;
    for (int g = 0; g < CHOSEN; g++) v[g] = random_between(&seed, -1, 1);
    assert_int_equal(vel_centered_apply(ctx, c, v, y), VEL_OK);
    assert_int_equal(vel_centered_apply_t(ctx, c, y, back), VEL_OK);
    double y_again[PAIR_ROWS], again[CHOSEN];
    assert_int_equal(vel_centered_apply_gram(ctx, c, v, y_again, again), VEL_OK);
    assert_memory_equal(y, y_again, sizeof y);
    assert_memory_equal(back, again, sizeof back);
    double expected_back[CHOSEN] = {0};
    for (int i = 0; i < PAIR_ROWS; i++) {
        double sum = 0;
        for (int g = 0; g < CHOSEN; g++) sum += x[i][g] * v[g];
        assert_true(fabs(y[i] - sum) < 1e-13); /* sums of terms below 10 */
        for (int g = 0; g < CHOSEN; g++) expected_back[g] += x[i][g] * sum;
    }
    for (int g = 0; g < CHOSEN; g++) assert_true(fabs(back[g] - expected_back[g]) < 1e-11);
}

static void check_columns(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]) {
    (void)ctx;
    double y[PAIR_ROWS];
    for (int g = 0; g < CHOSEN && !c->m->indptr; g++)
        for (int first = 0; first < PAIR_ROWS; first += 5) {
            vel_centered_column(c, g, first, PAIR_ROWS - first, y);
            for (int i = first; i < PAIR_ROWS; i++) assert_true(fabs(y[i - first] - x[i][g]) < 1e-14); /* below 10 */
        }
}

static void columns_are_those_of_the_centred_matrix(void **state) { hold(*state, check_columns); }
static void products_are_those_of_the_centred_matrix(void **state) { hold(*state, check_products); }

/* Means a million times the spread: a sum of squares less the square of the sum would keep four digits. */
static void the_variance_of_a_sparse_matrix_is_no_difference_of_squares(void **state) {
    enum { N = 900 };
    static double dense[2 * N], values[2 * N];
    static int32_t indices[2 * N];
    static int64_t indptr[N + 1];
    const int64_t both[] = {0, 1};
    uint64_t seed = 3;
    int64_t stored = 0;
    for (int i = 0; i < N; i++) {
        dense[2 * i] = 1e6 + random_between(&seed, -1, 1);
        dense[2 * i + 1] = i % 3 ? random_between(&seed, -1, 1) : 0;
        for (int g = 0; g < 2; g++) {
            if (dense[2 * i + g] == 0) continue;
            indices[stored] = g;
            values[stored++] = dense[2 * i + g];
        }
        indptr[i + 1] = stored;
    }
    vel_counts full = {.rows = N, .cols = 2, .values = dense, .type = VEL_F64}, sparse = full;
    sparse.indptr = indptr;
    sparse.indices = indices;
    sparse.values = values;
    vel_centered a, b;
    assert_int_equal(vel_centered_make(*state, &full, both, 2, &a), VEL_OK);
    assert_int_equal(vel_centered_make(*state, &sparse, both, 2, &b), VEL_OK);
    assert_true(fabs(a.variance - b.variance) < 1e-12 * a.variance); /* both are sums of N squares, without signs */
    for (int g = 0; g < 2; g++) assert_true(b.wide[g] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_those_of_the_centred_matrix),
        cmocka_unit_test(the_variance_of_a_sparse_matrix_is_no_difference_of_squares),
        cmocka_unit_test(products_are_those_of_the_centred_matrix),
    };
    return cmocka_run_group_tests_name("core/centered", tests, setup, teardown);
}
