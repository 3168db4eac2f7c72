#include "core/blas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/random.h"

enum { M = 3, N = 4, K = 7, LDA = 9, LDB = 8, LDC = 6 };

typedef struct {
    double a[K * LDA], b[K * LDB], c[N * LDC], before[N * LDC];
} numbers;

static void fill(numbers *x) {
    uint64_t seed = 1;
    for (int i = 0; i < K * LDA; i++) x->a[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < K * LDB; i++) x->b[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < N * LDC; i++) x->before[i] = x->c[i] = random_between(&seed, -1, 1);
}

static double dot(const double *a, int i, const double *b, int j, bool across) {
    double sum = 0;
    for (int k = 0; k < K; k++) sum += across ? a[i * LDA + k] * b[j * LDB + k] : a[k * LDA + i] * b[k * LDB + j];
    return sum;
}

static void adds_a_product_along_either_side(void **state) {
    (void)state;
    vel_blas_one_thread();
    for (int across = 0; across < 2; across++) {
        numbers x;
        fill(&x);
        vel_product p = {M, N, K, x.a, x.b, x.c, LDA, LDB, LDC, across};
        vel_blas_add_product(&p);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < LDC; j++) {
                double expected = x.before[i * LDC + j] + (i < M && j < N ? dot(x.a, i, x.b, j, across) : 0);
                assert_true(fabs(x.c[i * LDC + j] - expected) < 1e-14); /* sums of 8 terms below 1 */
            }
    }
}

static void of_a_square_the_lower_half_is_added(void **state) {
    (void)state;
    vel_blas_one_thread();
    for (int across = 0; across < 2; across++) {
        numbers x;
        fill(&x);
        memcpy(x.b, x.a, sizeof x.b);
        vel_product p = {.m = N, .k = K, .a = x.b, .c = x.c, .lda = LDB, .ldc = LDC, .across = across};
        vel_blas_add_square(&p);
        double a[K * LDA] = {0};
        for (int i = 0; i < K; i++) memcpy(a + i * LDA, x.b + i * LDB, LDB * sizeof *a);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < LDC; j++) {
                double expected = x.before[i * LDC + j] + (j <= i ? dot(a, i, x.b, j, across) : 0);
                assert_true(fabs(x.c[i * LDC + j] - expected) < 1e-14); /* as above */
            }
    }
}

static void eigenvectors_of_the_largest_values_come_descending(void **state) {
    enum { SIDE = 30, LARGEST = 5 };
    double a[SIDE * SIDE], kept[SIDE * SIDE], values[LARGEST], vectors[LARGEST * SIDE];
    uint64_t seed = 2;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j <= i; j++) a[i * SIDE + j] = a[j * SIDE + i] = random_between(&seed, -1, 1);
    memcpy(kept, a, sizeof a);
    assert_int_equal(vel_blas_largest_eigen(*state, SIDE, a, LARGEST, values, vectors), VEL_OK);
    for (int j = 0; j < LARGEST; j++) {
        double norm = 0;
        assert_true(j == 0 || values[j] <= values[j - 1]);
        for (int i = 0; i < SIDE; i++) {
            double product = 0;
            for (int l = 0; l < SIDE; l++) product += kept[i * SIDE + l] * vectors[j * SIDE + l];
            assert_true(fabs(product - values[j] * vectors[j * SIDE + i]) < 1e-13); /* |A| is about 6 */
            norm += vectors[j * SIDE + i] * vectors[j * SIDE + i];
        }
        assert_true(fabs(norm - 1) < 1e-14);
    }
}

static void the_whole_spectrum_adds_up_to_the_trace(void **state) {
    double a[] = {2, 1, 0, 1, 3, 1, 0, 1, 4}, values[3], vectors[9];
    assert_int_equal(vel_blas_largest_eigen(*state, 3, a, 3, values, vectors), VEL_OK);
    assert_true(fabs(values[0] + values[1] + values[2] - 9) < 1e-14);
}

/* The identity, of which the average over `rows` is taken off: all but one of its eigenvalues are equal, or 0. */
static void check_equal_eigenvalues(vel_ctx *ctx, int64_t side, int64_t rows, int64_t largest) {
    double *a = calloc((size_t)(side * side), sizeof *a), *values = calloc((size_t)side, sizeof *a);
    double *vectors = calloc((size_t)(side * largest), sizeof *a);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < rows; j++) a[i * side + j] = (i == j) - 1.0 / (double)rows;
    assert_int_equal(vel_blas_largest_eigen(ctx, side, a, largest, values, vectors), VEL_OK);
    for (int64_t j = 0; j < largest; j++) {
        assert_true(fabs(values[j] - (j < rows - 1)) < 1e-13);
        for (int64_t l = 0; l <= j; l++) {
            double product = 0, sum = 0;
            for (int64_t i = 0; i < side; i++) product += vectors[j * side + i] * vectors[l * side + i];
            for (int64_t i = 0; i < rows; i++) sum += vectors[j * side + i];
            assert_true(fabs(product - (l == j)) < 1e-13); /* some n roundings */
            assert_true(j >= rows - 1 || fabs(sum) < 1e-12);
        }
    }
    free(vectors);
    free(values);
    free(a);
}

/* dsyevr's bisection finds 28 of 30 of 100, and of others has values without vectors. */
static void equal_eigenvalues_are_all_found(void **state) {
    for (int64_t side = 2; side < 300; side += 1 + side / 12) {
        check_equal_eigenvalues(*state, side, side, side < 30 ? side : 30);
        check_equal_eigenvalues(*state, side, (side + 2) / 2, side < 60 ? (side + 1) / 2 : 30);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_a_product_along_either_side),
        cmocka_unit_test(of_a_square_the_lower_half_is_added),
        cmocka_unit_test(eigenvectors_of_the_largest_values_come_descending),
        cmocka_unit_test(equal_eigenvalues_are_all_found),
        cmocka_unit_test(the_whole_spectrum_adds_up_to_the_trace),
    };
    return cmocka_run_group_tests_name("core/blas", tests, new_context, free_context);
}
