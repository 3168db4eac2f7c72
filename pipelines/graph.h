/* graph.h - the neighbour graph of a file as the steps need it: whatever tool made it, it is used as it is. */
#ifndef VEL_PIPELINES_GRAPH_H
#define VEL_PIPELINES_GRAPH_H

#include "core/adata.h"
#include "core/around.h"
#include "core/average.h"

/* Whether there is a graph: uns/neighbors, or only obsp. */
bool vel_has_graph(const vel_adata *ad);

/* The path of the connectivities or the distances: uns/neighbors names its obsp key, else obsp/MODE. */
vel_err vel_graph_path(vel_ctx *ctx, vel_adata *ad, const char *mode, const char **path) VEL_CHECKED;

/* The graph itself ("connectivities" or "distances"), n_obs x n_obs; explicit zeros are kept. VEL_EKEY if there is
 * none. */
vel_err vel_read_graph(vel_ctx *ctx, vel_adata *ad, const char *mode, vel_csr *graph) VEL_CHECKED;

/* get_connectivities(mode, n_neighbors): the averaging over it. n_neighbors 0: all. Memory from ctx->scratch. */
vel_err vel_read_average(vel_ctx *ctx, vel_adata *ad, const char *mode, int64_t n_neighbors,
                         vel_average *avg) VEL_CHECKED;

/* The same for many genes. */
vel_err vel_read_around(vel_ctx *ctx, vel_adata *ad, const char *mode, int64_t n_neighbors,
                        vel_around *around) VEL_CHECKED;

#endif
