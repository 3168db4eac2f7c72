/* fused.h - products with Xc' Xc and Xc Xc' through a dense X that is gone through once.
 *
 *     w = Xc' Xc v (over genes),    w = Xc Xc' v (over cells)
 *
 * with Xc of core/centered.h, gene by gene in memory. A run of cells (a group of genes) stays in a cache between its
 * two products. In double; sums in parts that depend on the shape alone, so that the bits depend neither on threads nor
 * on the CPU. */
#ifndef VEL_CORE_FUSED_H
#define VEL_CORE_FUSED_H

#include "core/centered.h"

/* w[n_genes] of v[n_genes]; not in place. Parallel over 16 parts of the cells. Scratch, given back: a vector over genes
 * each. */
vel_err vel_fused_over_genes(vel_ctx *ctx, const vel_centered *c, const double *v, double *w) VEL_CHECKED;

/* w[n_obs] of v[n_obs]; not in place. Parallel over 16 parts of the genes. Scratch: a vector over cells each. */
vel_err vel_fused_over_cells(vel_ctx *ctx, const vel_centered *c, const double *v, double *w) VEL_CHECKED;

#endif
