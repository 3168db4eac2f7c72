#include "core/blas.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

void vel_blas_one_thread(void) { openblas_set_num_threads(1); }

void vel_blas_add_product(const vel_product *p) {
    cblas_dgemm(CblasRowMajor, p->across ? CblasNoTrans : CblasTrans, p->across ? CblasTrans : CblasNoTrans, (int)p->m,
                (int)p->n, (int)p->k, 1, p->a, (int)p->lda, p->b, (int)p->ldb, 1, p->c, (int)p->ldc);
}

void vel_blas_add_square(const vel_product *p) {
    cblas_dsyrk(CblasRowMajor, CblasLower, p->across ? CblasNoTrans : CblasTrans, (int)p->m, (int)p->k, 1, p->a,
                (int)p->lda, 1, p->c, (int)p->ldc);
}

/* Eigenvalues first to n (from 1), ascending, and their vectors, to which the lower half is lost. */
static vel_err solve(vel_ctx *ctx, lapack_int n, double *a, lapack_int first, lapack_int *found, double *values,
                     double *vectors) {
    lapack_int *support, *integers, size_i;
    double *work, size;
    char range = first > 1 ? 'I' : 'A';
    VEL_TRY(VEL_ALLOC(ctx, support, 2 * n));
    lapack_int info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', range, 'U', n, a, n, 0, 0, first, n, 0, found, values,
                                          vectors, n, support, &size, -1, &size_i, -1);
    if (info) return vel_fail(ctx, VEL_ENONE, "eigenvalues of a %d x %d matrix: LAPACK says %d", n, n, info);
    VEL_TRY(VEL_ALLOC(ctx, work, size));
    VEL_TRY(VEL_ALLOC(ctx, integers, size_i));
    info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', range, 'U', n, a, n, 0, 0, first, n, 0, found, values, vectors, n,
                               support, work, (lapack_int)size, integers, size_i);
    if (info) return vel_fail(ctx, VEL_ENONE, "eigenvalues of a %d x %d matrix: LAPACK says %d", n, n, info);
    return VEL_OK;
}

/* The lower half is kept in the upper one, the diagonal beside it. */
static void keep(int64_t n, double *a, double *diagonal) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
        diagonal[i] = a[i * n + i];
    }
}

static void restore(int64_t n, double *a, const double *diagonal) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
        a[i * n + i] = diagonal[i];
    }
}

/* Of many equal eigenvalues LAPACK's bisection, which finds some of all, misses a few; then all are found. */
static vel_err solve_all(vel_ctx *ctx, lapack_int n, double *a, lapack_int k, double *values, double *vectors) {
    lapack_int found;
    double *all;
    VEL_TRY(VEL_ALLOC(ctx, all, (int64_t)n * n));
    VEL_TRY(solve(ctx, n, a, 1, &found, values, all));
    if (found != n) return vel_fail(ctx, VEL_ENONE, "eigenvalues of a %d x %d matrix: LAPACK finds %d", n, n, found);
    memmove(values, values + n - k, (size_t)k * sizeof *values);
    memcpy(vectors, all + (int64_t)(n - k) * n, (size_t)k * (size_t)n * sizeof *vectors);
    return VEL_OK;
}

static void swap_vectors(int64_t n, double *a, double *b) {
    for (int64_t i = 0; i < n; i++) {
        double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

vel_err vel_blas_largest_eigen(vel_ctx *ctx, int64_t n, double *a, int64_t k, double *values, double *vectors) {
    double *ascending, *diagonal;
    lapack_int found;
    VEL_TRY(VEL_ALLOC(ctx, ascending, n));
    VEL_TRY(VEL_ALLOC(ctx, diagonal, n));
    vel_blas_one_thread();
    keep(n, a, diagonal);
    VEL_TRY(solve(ctx, (lapack_int)n, a, (lapack_int)(n - k + 1), &found, ascending, vectors));
    if (found != k) {
        restore(n, a, diagonal);
        VEL_TRY(solve_all(ctx, (lapack_int)n, a, (lapack_int)k, ascending, vectors));
    }
    for (int64_t j = 0; j < k; j++) values[j] = ascending[k - 1 - j];
    for (int64_t j = 0; j < k / 2; j++) swap_vectors(n, vectors + j * n, vectors + (k - 1 - j) * n);
    return VEL_OK;
}
