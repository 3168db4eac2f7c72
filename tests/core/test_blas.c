#include "core/blas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "counts_pair.h"
#include "random.h"

static int setup(void **state) {
    static vel_ctx ctx;
    ctx = test_ctx(2);
    *state = &ctx;
    return 0;
}

static int teardown(void **state) {
    vel_arena_free(((vel_ctx *)*state)->scratch);
    return 0;
}

static void adds_a_transposed_product(void **state) {
    (void)state;
    enum { M = 3, N = 4, K = 7, LDA = 5, LDB = 6, LDC = 8 };
    double a[K * LDA], b[K * LDB], c[M * LDC], expected[M * LDC];
    uint64_t seed = 1;
    for (int i = 0; i < K * LDA; i++) a[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < K * LDB; i++) b[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < M * LDC; i++) expected[i] = c[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++) expected[i * LDC + j] += a[k * LDA + i] * b[k * LDB + j];
    vel_blas_one_thread();
    vel_product p = {M, N, K, a, b, c, LDA, LDB, LDC};
    vel_blas_add_product(&p);
    for (int i = 0; i < M * LDC; i++) assert_true(fabs(c[i] - expected[i]) < 1e-14); /* sums of 8 terms below 1 */
}

static void eigenvectors_of_the_largest_values_come_descending(void **state) {
    enum { N = 30, K = 5 };
    double a[N * N], kept[N * N], values[K], vectors[K * N];
    uint64_t seed = 2;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) a[i * N + j] = a[j * N + i] = random_between(&seed, -1, 1);
    memcpy(kept, a, sizeof a);
    assert_int_equal(vel_blas_largest_eigen(*state, N, a, K, values, vectors), VEL_OK);
    for (int j = 0; j < K; j++) {
        double norm = 0;
        assert_true(j == 0 || values[j] <= values[j - 1]);
        for (int i = 0; i < N; i++) {
            double product = 0;
            for (int l = 0; l < N; l++) product += kept[i * N + l] * vectors[j * N + l];
            assert_true(fabs(product - values[j] * vectors[j * N + i]) < 1e-13); /* |A| is about 6 */
            norm += vectors[j * N + i] * vectors[j * N + i];
        }
        assert_true(fabs(norm - 1) < 1e-14);
    }
}

static void the_whole_spectrum_adds_up_to_the_trace(void **state) {
    double a[] = {2, 1, 0, 1, 3, 1, 0, 1, 4}, values[3], vectors[9];
    assert_int_equal(vel_blas_largest_eigen(*state, 3, a, 3, values, vectors), VEL_OK);
    assert_true(fabs(values[0] + values[1] + values[2] - 9) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_a_transposed_product),
        cmocka_unit_test(eigenvectors_of_the_largest_values_come_descending),
        cmocka_unit_test(the_whole_spectrum_adds_up_to_the_trace),
    };
    return cmocka_run_group_tests_name("core/blas", tests, setup, teardown);
}
