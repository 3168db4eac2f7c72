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

static vel_err solve(vel_ctx *ctx, lapack_int n, double *a, lapack_int k, double *ascending, double *vectors) {
    lapack_int found, *support, *integers, size_i;
    double *work, size;
    VEL_TRY(VEL_ALLOC(ctx, support, 2 * n));
    lapack_int first = n - k + 1;
    lapack_int info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'U', n, a, n, 0, 0, first, n, 0, &found,
                                          ascending, vectors, n, support, &size, -1, &size_i, -1);
    if (info) return vel_fail(ctx, VEL_ENONE, "eigenvalues of a %d x %d matrix: LAPACK says %d", n, n, info);
    VEL_TRY(VEL_ALLOC(ctx, work, size));
    VEL_TRY(VEL_ALLOC(ctx, integers, size_i));
    info = LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'U', n, a, n, 0, 0, first, n, 0, &found, ascending, vectors,
                               n, support, work, (lapack_int)size, integers, size_i);
    if (info || found != k)
        return vel_fail(ctx, VEL_ENONE, "eigenvalues of a %d x %d matrix: LAPACK says %d, found %d of %d", n, n, info,
                        found, k);
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
    double *ascending;
    VEL_TRY(VEL_ALLOC(ctx, ascending, n));
    vel_blas_one_thread();
    VEL_TRY(solve(ctx, (lapack_int)n, a, (lapack_int)k, ascending, vectors));
    for (int64_t j = 0; j < k; j++) values[j] = ascending[k - 1 - j];
    for (int64_t j = 0; j < k / 2; j++) swap_vectors(n, vectors + j * n, vectors + (k - 1 - j) * n);
    return VEL_OK;
}
