/* blas.h - the dense linear algebra that is not written here: OpenBLAS and LAPACK, always on one thread.
 *
 * Their bits depend on the number of threads and on the CPU's kernel set; the programs hold the latter to one
 * (docs/numerics.md). All matrices are row-major doubles without gaps between rows unless a stride is given. */
#ifndef VEL_CORE_BLAS_H
#define VEL_CORE_BLAS_H

#include "core/ctx.h"

/* Holds the library to one thread, for the whole process. To be called before the others, outside of vel_for. */
void vel_blas_one_thread(void);

/* c[m * n], row stride ldc, += a' b, where a is k x m with row stride lda, b is k x n with row stride ldb; across: += a
 * b', where a is m x k, b is n x k. */
typedef struct {
    int64_t m, n, k;
    const double *a, *b;
    double *c;
    int64_t lda, ldb, ldc;
    bool across;
} vel_product;
void vel_blas_add_product(const vel_product *p);

/* The same with b = a, the lower half of c alone; b, n and ldb are not looked at. */
void vel_blas_add_square(const vel_product *p);

/* The k largest eigenvalues of a symmetric matrix a[n * n] (lower half read, all overwritten), descending, and their
 * vectors: vector j is vectors[j * n ...], of norm 1. 1 <= k <= n < 2^24. Scratch: O(n). O(n^3). VEL_ENONE
 * if LAPACK fails. */
vel_err vel_blas_largest_eigen(vel_ctx *ctx, int64_t n, double *a, int64_t k, double *values,
                               double *vectors) VEL_CHECKED;

#endif
