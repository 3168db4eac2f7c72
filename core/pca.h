/* pca.h - principal components of cells.
 *
 *     Xc = W S V',   scores = W S,   loadings = V,   variance = S^2 / (n - 1)
 *
 * with the singular values descending, and of each column of V the entry of largest magnitude positive (the first of
 * equals). In double: the Gram matrix of the smaller side, solved whole while it is small and by Lanczos beyond; where
 * it would be too large, Lanczos with products through X, centred implicitly. Reference: scanpy 1.11.5 pp.pca with
 * svd_solver arpack, which works in the type of X. */
#ifndef VEL_CORE_PCA_H
#define VEL_CORE_PCA_H

#include "core/centered.h"

/* Up to this side Lanczos may have the Gram matrix in memory. */
enum { VEL_PCA_GRAM_SIDE = 4096 };

/* How it is done of a matrix of m's shape, type and storage, n_genes of its columns and `stored` values, k components.
 */
typedef struct {
    int64_t side;  /* of the eigenproblem */
    bool by_cells; /* it is of cells, else of genes */
    bool small;    /* it is solved whole */
    bool gram;     /* its matrix is in memory */
} vel_pca_way;
vel_pca_way vel_pca_way_of(const vel_counts *m, int64_t n_genes, double stored, int64_t k);

/* 1 <= k < min(cells, genes). scores: n_obs x k, float32 (each rounded once) or float64, strides of any size;
 * loadings[n_genes * k], row-major; variance[k], of the scores before they are rounded. A component without variance
 * gets zeros. */
vel_err vel_pca(vel_ctx *ctx, const vel_centered *c, int64_t k, const vel_mat *scores, double *loadings,
                double *variance) VEL_CHECKED;

#endif
