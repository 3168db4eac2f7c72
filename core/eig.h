/* eig.h - a few eigenvalues of a large symmetric operator: ARPACK's implicitly restarted Lanczos.
 *
 * Source: Lehoucq, Sorensen & Yang 1998, ARPACK Users' Guide, doi:10.1137/1.9780898719628. ARPACK keeps state between
 * calls: one call at a time in a process. */
#ifndef VEL_CORE_EIG_H
#define VEL_CORE_EIG_H

#include "core/ctx.h"

typedef struct {
    int64_t n;
    /* y = A x, both of n; may fail. */
    vel_err (*apply)(vel_ctx *ctx, void *arg, const double *x, double *y);
    void *arg;
} vel_operator;

/* The k largest eigenvalues, descending, with vectors of norm 1: vector j is vectors[j * n ...]. 1 <= k < n < 2^31.
 * tolerance is relative to the eigenvalue; start[n] is the first vector, overwritten. Scratch, with b = max(20, 2 k +
 * 1) but n at most: n * (b + 3) + b * (b + 8) doubles. VEL_ENONE if it does not converge, or if b is above 46,336. */
vel_err vel_eig_largest(vel_ctx *ctx, const vel_operator *a, int64_t k, double tolerance, double *start, double *values,
                        double *vectors) VEL_CHECKED;

#endif
