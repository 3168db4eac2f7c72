/* centered.h - a cells x genes matrix with the mean of each gene taken off, without being stored: products with
 * vectors.
 *
 *     Xc_cg = X_cg - mu_g,    mu_g = mean over cells, for a choice of genes
 *
 * All in double. The order of every sum is fixed by the shape alone, so the bits do not depend on threads. */
#ifndef VEL_CORE_CENTERED_H
#define VEL_CORE_CENTERED_H

#include "core/counts.h"

typedef struct {
    const vel_counts *m;
    int64_t n_obs, n_genes;
    const int64_t *genes; /* n_genes, ascending: columns of m */
    double *mean;         /* n_genes */
    double variance;      /* sum over genes of sum over cells of Xc^2 / (n_obs - 1) */
    int64_t n_parts;      /* sparse m: runs of cells whose contributions to a sum over cells are kept apart */
    double *wide, *parts; /* sparse m: a vector over the columns of m, and n_parts of them */
} vel_centered;

/* Memory from ctx->scratch: sparse m: 33 columns at most. */
vel_err vel_centered_make(vel_ctx *ctx, const vel_counts *m, const int64_t *genes, int64_t n_genes,
                          vel_centered *c) VEL_CHECKED;

/* y[count] = gene g of cells first .. first + count - 1, of a dense m. */
void vel_centered_column(const vel_centered *c, int64_t g, int64_t first, int64_t count, double *y);

/* y[n_obs] = Xc v, v[n_genes]. Parallel over runs of cells. */
vel_err vel_centered_apply(vel_ctx *ctx, const vel_centered *c, const double *v, double *y) VEL_CHECKED;

/* v[n_genes] = Xc' y, y[n_obs]. Parallel over runs of cells (dense m: of genes). */
vel_err vel_centered_apply_t(vel_ctx *ctx, const vel_centered *c, const double *y, double *v) VEL_CHECKED;

/* w[n_genes] = Xc' Xc v, and y[n_obs] = Xc v on the way; a sparse m is read once. w may be v. */
vel_err vel_centered_apply_gram(vel_ctx *ctx, const vel_centered *c, const double *v, double *y, double *w) VEL_CHECKED;

#endif
