/* connectivity.h - UMAP's fuzzy simplicial set: how strongly neighbours are tied.
 *
 *     A_ij = exp(-max(0, d_ij - rho_i) / sigma_i),   rho_i = the nearest positive distance,
 *     sigma_i so that  sum over neighbours j of A_ij = log2 k;      C = A + A' - A o A'
 *
 * Source: McInnes et al. 2018, arXiv:1802.03426. Reference: umap-learn 0.5.12, fuzzy_simplicial_set, as scanpy 1.11.5
 * calls it. Bit-equal to it: types and roundings are the compiled reference's. */
#ifndef VEL_CORE_CONNECTIVITY_H
#define VEL_CORE_CONNECTIVITY_H

#include "core/csr_build.h"
#include "core/mat.h"

/* k neighbours of each of n points, row by row, nearest first; the point itself, at distance 0, is among them. */
typedef struct {
    int64_t n, k;
    const int32_t *indices; /* n * k, in [0, n) */
    const double *distances;
} vel_neighbors;

/* Where the distances go: indptr[n + 1], n * (k - 1) entries. */
typedef struct {
    int64_t *indptr;
    int32_t *indices;
    double *values;
} vel_distances_room;

/* The distances as a graph: columns ascending, the point itself left out, other zeros kept. O(n k). */
vel_err vel_neighbors_distances(vel_ctx *ctx, const vel_neighbors *nb, const vel_distances_room *room) VEL_CHECKED;

/* sigma[n], rho[n]. Parallel over rows. */
vel_err vel_connectivity_scales(vel_ctx *ctx, const vel_neighbors *nb, float *sigma, float *rho) VEL_CHECKED;

/* What the connectivities are made of once the neighbours themselves are given back: A is not stored, only who has
 * whom among its neighbours. */
typedef struct {
    const vel_csr *distances; /* float64, of vel_neighbors_distances */
    const float *sigma, *rho;
    const int64_t *indptr; /* the pattern of A' */
    const int32_t *indices;
} vel_ties;

/* Memory (4 bytes an entry, 8 a row) from ctx->scratch. */
vel_err vel_ties_make(vel_ctx *ctx, const vel_csr *distances, const float *sigma, const float *rho,
                      vel_ties *ties) VEL_CHECKED;

/* indptr[n + 1] of C, strengths of 0 still counted. */
void vel_ties_count(const vel_ties *ties, int64_t *indptr);

/* C: symmetric, columns ascending, no zeros. room->indptr comes from vel_ties_count, and shrinks if there are strengths
 * of 0; indices and values have room for all that were counted. Parallel over rows, O(n k log k). */
vel_err vel_ties_unite(vel_ctx *ctx, const vel_ties *ties, const vel_csr_room *room) VEL_CHECKED;

/* All of that at once. Memory from ctx->scratch. */
vel_err vel_connectivity(vel_ctx *ctx, const vel_neighbors *nb, vel_csr *graph) VEL_CHECKED;

#endif
