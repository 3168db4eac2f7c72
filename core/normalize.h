/* normalize.h - cells brought to one size, and log(1 + x).
 *
 *     f_c = c_c / m,   m = median of c (or the target given);   M_cg := M_cg / f_c
 *
 * Reference: scvelo 0.3.4, preprocessing.utils.normalize_per_cell; scanpy 1.11.5, pp.log1p. */
#ifndef VEL_CORE_NORMALIZE_H
#define VEL_CORE_NORMALIZE_H

#include "core/counts.h"

/* Sizes of cells in their own type: that type decides how the factors are rounded. */
typedef struct {
    vel_type type; /* VEL_F32 or VEL_F64 */
    void *values;  /* n */
} vel_sizes;

/* c[n] := c / m with 0 turned to 1, where m = median(c) or the target (> 0), and 0 turned to 1. work[n] doubles. */
void vel_normalize_factors(int64_t n, vel_sizes c, double target, double *work);

/* out = m, each row divided by its factor: sparse by multiplying with the reciprocal, dense by dividing, as the
 * reference does. out may be m's values. Parallel over runs of rows (dense gene-major: of genes). Scratch:
 * a double a row where genes lie together and factors have another type than m. */
vel_err vel_normalize_rows(vel_ctx *ctx, const vel_counts *m, vel_sizes factors, void *out) VEL_CHECKED;

/* Genes that take at most the share p of every cell: keep[g] = for all cells M_cg <= p c_c. O(stored), one thread. */
vel_err vel_normalize_modest(vel_ctx *ctx, const vel_counts *m, vel_sizes c, double p, uint8_t *keep) VEL_CHECKED;

/* x[n] := log(1 + x), in its type; the C library's bits. base > 0 other than e: then divided by log(base).
 * *finite: whether all of them are now finite. */
vel_err vel_normalize_log1p(vel_ctx *ctx, vel_type type, int64_t n, void *x, double base, bool *finite) VEL_CHECKED;

#endif
