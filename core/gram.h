/* gram.h - Gram matrices of a centred cells x genes matrix, and products with them.
 *
 *     A = Xc' Xc (genes x genes),    A = Xc Xc' (cells x cells)
 *
 * In double, summed over tiles of fixed size, so that the bits do not depend on threads. A squares the condition of Xc:
 * an eigenvalue below about 1e-13 of the largest is rounding. */
#ifndef VEL_CORE_GRAM_H
#define VEL_CORE_GRAM_H

#include "core/centered.h"

/* gram[n_genes * n_genes] = Xc' Xc, the lower half; the rest may be anything. Scratch: a tile of cells. O(n_obs
 * n_genes^2). */
vel_err vel_gram_genes(vel_ctx *ctx, const vel_centered *c, double *gram) VEL_CHECKED;

/* gram[n_obs * n_obs] = Xc Xc', likewise. Scratch: a tile of genes. O(n_genes n_obs^2). */
vel_err vel_gram_cells(vel_ctx *ctx, const vel_centered *c, double *gram) VEL_CHECKED;

/* y[n] = gram x, x[n], for a symmetric matrix of which the lower half is read; not in place. Parallel over eight runs
 * of rows. Scratch: eight vectors. O(n^2). */
vel_err vel_gram_apply(vel_ctx *ctx, int64_t n, const double *gram, const double *x, double *y) VEL_CHECKED;

#endif
