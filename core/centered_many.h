/* centered_many.h - products of a centred matrix (core/centered.h) with several vectors at once, a run of cells at a
 * time, so that the matrix is read once. */
#ifndef VEL_CORE_CENTERED_MANY_H
#define VEL_CORE_CENTERED_MANY_H

#include "core/centered.h"

typedef struct {
    const vel_centered *c;
    int64_t k;
    const double *v;     /* n_genes x k; sparse m: spread over the columns of m */
    const double *shift; /* k: mean . v */
} vel_centered_many;

/* v[n_genes * k], row-major, has to stay. Memory from ctx->scratch: sparse m: k columns. */
vel_err vel_centered_many_make(vel_ctx *ctx, const vel_centered *c, int64_t k, const double *v,
                               vel_centered_many *many) VEL_CHECKED;

/* y[count * k], row-major: rows first .. first + count - 1 of Xc v. Parallel over runs of cells. */
vel_err vel_centered_many_apply(vel_ctx *ctx, const vel_centered_many *many, int64_t first, int64_t count,
                                double *y) VEL_CHECKED;

#endif
