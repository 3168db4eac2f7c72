#include "core/eig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"

enum { N = 200 };

/* The path graph's Laplacian: 2 - 2 cos(pi j / (N + 1)), j = 1 .. N, with sines for vectors. */
static vel_err laplacian(vel_ctx *ctx, void *arg, const double *x, double *y) {
    (void)ctx, (void)arg;
    for (int i = 0; i < N; i++) y[i] = 2 * x[i] - (i ? x[i - 1] : 0) - (i < N - 1 ? x[i + 1] : 0);
    return VEL_OK;
}

static void finds_the_largest_eigenvalues_of_a_path(void **state) {
    enum { K = 4 };
    double start[N], values[K], vectors[K * N];
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < N; i++) start[i] = 1 + 0.1 * (i % 7);
    const vel_operator a = {N, laplacian, NULL};
    assert_int_equal(vel_eig_largest(*state, &a, K, 1e-13, start, values, vectors), VEL_OK);
    for (int j = 0; j < K; j++) {
        assert_true(fabs(values[j] - (2 - 2 * cos(pi * (N - j) / (N + 1)))) < 1e-12);
        double norm = 0, dot = 0;
        for (int i = 0; i < N; i++) {
            norm += vectors[j * N + i] * vectors[j * N + i];
            dot += vectors[j * N + i] * sin(pi * (N - j) * (i + 1) / (N + 1));
        }
        assert_true(fabs(norm - 1) < 1e-12);
        assert_true(fabs(fabs(dot) - sqrt((N + 1) / 2.0)) < 1e-6); /* gaps are about 1e-3 */
    }
}

static vel_err refuse(vel_ctx *ctx, void *arg, const double *x, double *y) {
    (void)arg, (void)x, (void)y;
    return vel_fail(ctx, VEL_EINTR, "interrupted");
}

static void a_failure_of_the_operator_is_passed_on(void **state) {
    double start[N] = {1}, values[2], vectors[2 * N];
    const vel_operator a = {N, refuse, NULL};
    assert_int_equal(vel_eig_largest(*state, &a, 2, 1e-10, start, values, vectors), VEL_EINTR);
}

/* Before any memory is asked for: the matrices are far beyond it. */
static void more_eigenvalues_than_arpack_counts_are_refused(void **state) {
    double one = 1;
    const vel_operator a = {60000, refuse, NULL};
    assert_int_equal(vel_eig_largest(*state, &a, 30000, 1e-10, &one, &one, &one), VEL_ENONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_largest_eigenvalues_of_a_path),
        cmocka_unit_test(a_failure_of_the_operator_is_passed_on),
        cmocka_unit_test(more_eigenvalues_than_arpack_counts_are_refused),
    };
    return cmocka_run_group_tests_name("core/eig", tests, new_context, free_context);
}
