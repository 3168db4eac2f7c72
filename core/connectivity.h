/* connectivity.h - UMAP's fuzzy simplicial set: how strongly neighbours are tied.
 *
 *     A_ij = exp(-max(0, d_ij - rho_i) / sigma_i),   rho_i = the nearest positive distance,
 *     sigma_i so that  sum over neighbours j of A_ij = log2 k;      C = A + A' - A o A'
 *
 * Source: McInnes et al. 2018, arXiv:1802.03426. Reference: umap-learn 0.5.12, fuzzy_simplicial_set, as scanpy 1.11.5
 * calls it; spec/preprocessing.md 6.4. Bit-equal to it: types and roundings are the compiled reference's. */
#ifndef VEL_CORE_CONNECTIVITY_H
#define VEL_CORE_CONNECTIVITY_H

#include "core/ctx.h"
#include "core/mat.h"

/* k neighbours of each of n points, row by row, nearest first; the point itself, at distance 0, is among them. */
typedef struct {
    int64_t n, k;
    const int32_t *indices; /* n * k, in [0, n) */
    const double *distances;
} vel_neighbors;

/* The distances as a graph: columns ascending, the point itself left out, other zeros kept. graph: float64, k - 1
 * entries a row, memory from ctx->scratch. */
vel_err vel_neighbors_distances(vel_ctx *ctx, const vel_neighbors *nb, vel_csr *graph) VEL_CHECKED;

/* sigma[n], rho[n]. Parallel over rows. */
vel_err vel_connectivity_scales(vel_ctx *ctx, const vel_neighbors *nb, float *sigma, float *rho) VEL_CHECKED;

/* The connectivities: symmetric, float32, columns ascending, no zeros. Memory from ctx->scratch. O(n k). */
vel_err vel_connectivity(vel_ctx *ctx, const vel_neighbors *nb, vel_csr *graph) VEL_CHECKED;

#endif
