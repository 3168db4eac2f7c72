/* graph_options.h - the options of the step velocity_graph, and what becomes of them before any cosine is computed. */
#ifndef VEL_PIPELINES_GRAPH_OPTIONS_H
#define VEL_PIPELINES_GRAPH_OPTIONS_H

#include "core/adata.h"
#include "core/candidates.h"
#include "core/value.h"

typedef struct {
    const char *vkey, *xkey, *tkey, *basis;
    vel_value n_neighbors, n_recurse_neighbors, random_neighbors_at_max, sqrt_transform, variance_stabilization;
    vel_value gene_subset, compute_uncertainties, approx;
    const char *mode_neighbors;
    vel_value n_jobs;
    int64_t random_state;
} vel_graph_options;

/* The whole number of an option, `otherwise` for none. */
int64_t vel_graph_count(const vel_value *v, int64_t otherwise);

/* How often neighbours of neighbours are followed. */
int64_t vel_graph_hops(const vel_graph_options *o);

/* The neighbours that cells are led along: the stored ones, a new search if more are asked for than are stored, or the
 * UMAP graph of either. Cells without neighbours, or with all of them at distance 0, are named and kept. */
vel_err vel_graph_neighbors(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o,
                            vel_neighbor_lists *lists) VEL_CHECKED;

/* Genes of the graph: those of gene_subset, else the velocity genes, else all. In ctx->scratch, ascending. */
vel_err vel_graph_genes(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, int64_t **genes,
                        int64_t *n_genes) VEL_CHECKED;

/* Whether differences and velocities are replaced by their signed square roots. */
vel_err vel_graph_takes_roots(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, bool *roots) VEL_CHECKED;

/* Time points of the cells, NULL without tkey: numbered as the reference numbers them, -1: none. */
vel_err vel_graph_time(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, int32_t **time) VEL_CHECKED;

#endif
