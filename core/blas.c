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

static vel_err failed(vel_ctx *ctx, lapack_int n, lapack_int info) {
    return vel_fail(ctx, VEL_ENONE, "eigenvalues of a %d x %d matrix: LAPACK says %d", (int)n, (int)n, (int)info);
}

/* The k largest eigenvalues, ascending, and their vectors, to which the lower half is lost. found: how many; 0 if some
 * vectors do not come out. */
static vel_err find_some(vel_ctx *ctx, lapack_int n, double *a, lapack_int k, lapack_int *found, double *values,
                         double *vectors) {
    enum { BLOCK = 32, BESIDE = 8 };
    lapack_int *integers, *failures, room = (BLOCK + BESIDE) * n;
    double *work;
    VEL_TRY(VEL_ALLOC(ctx, work, room));
    VEL_TRY(VEL_ALLOC(ctx, integers, 5 * (int64_t)n));
    VEL_TRY(VEL_ALLOC(ctx, failures, n));
    lapack_int info = LAPACKE_dsyevx_work(LAPACK_COL_MAJOR, 'V', 'I', 'U', n, a, n, 0, 0, n - k + 1, n, 0, found,
                                          values, vectors, n, work, room, integers, failures);
    if (info > 0) *found = 0;
    return info < 0 ? failed(ctx, n, info) : VEL_OK;
}

/* All are found by QR, which takes longer for a large side, but never misses one; then the k largest are as above. */
static vel_err find_all(vel_ctx *ctx, lapack_int n, double *a, lapack_int k, double *values, double *vectors) {
    double *work;
    lapack_int room = 3 * n;
    VEL_TRY(VEL_ALLOC(ctx, work, room));
    lapack_int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, values, work, room);
    if (info) return failed(ctx, n, info);
    memmove(values, values + (n - k), (size_t)k * sizeof *values);
    memcpy(vectors, a + (int64_t)(n - k) * n, (size_t)k * (size_t)n * sizeof *vectors);
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

/* Of many equal eigenvalues LAPACK's bisection, which finds some of all, misses a few, or has no vectors for them. */
static vel_err find_some_or_all(vel_ctx *ctx, lapack_int n, double *a, lapack_int k, double *values, double *vectors) {
    double *diagonal;
    lapack_int found;
    VEL_TRY(VEL_ALLOC(ctx, diagonal, n));
    keep(n, a, diagonal);
    VEL_TRY(find_some(ctx, n, a, k, &found, values, vectors));
    if (found == k) return VEL_OK;
    restore(n, a, diagonal);
    return find_all(ctx, n, a, k, values, vectors);
}

static void swap_vectors(int64_t n, double *a, double *b) {
    for (int64_t i = 0; i < n; i++) {
        double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Up to this side QR is as quick as bisection, and takes less of LAPACK's code into memory. */
enum { QR_SIDE = 128 };

vel_err vel_blas_largest_eigen(vel_ctx *ctx, int64_t n, double *a, int64_t k, double *values, double *vectors) {
    double *ascending;
    VEL_TRY(VEL_ALLOC(ctx, ascending, n));
    vel_blas_one_thread();
    VEL_TRY((n <= QR_SIDE ? find_all : find_some_or_all)(ctx, (lapack_int)n, a, (lapack_int)k, ascending, vectors));
    for (int64_t j = 0; j < k; j++) values[j] = ascending[k - 1 - j];
    for (int64_t j = 0; j < k / 2; j++) swap_vectors(n, vectors + j * n, vectors + (k - 1 - j) * n);
    return VEL_OK;
}
