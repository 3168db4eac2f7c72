/* graph_components.h - velocity_graph(approx=true): cells and velocities in the space of the first principal components
 * of the expression, instead of the genes.
 *
 *     x = scores,    v = (velocity - its mean over cells) loadings;    a velocity that sums to 0 stays 0
 *
 * Reference: scvelo 0.3.4, VelocityGraph (its components come from ARPACK in float32, ours from core/pca.h: equal to
 * about 1e-5). */
#ifndef VEL_PIPELINES_GRAPH_COMPONENTS_H
#define VEL_PIPELINES_GRAPH_COMPONENTS_H

#include "core/adata.h"
#include "core/velocity_graph.h"

/* With more genes than this the components stand in for them. */
enum { VEL_GENES_TO_REDUCE = 100 };

/* Replaces the space, velocity and genes of the source, whose genes and velocity are those of the layers. Memory from
 * ctx->scratch. */
vel_err vel_graph_reduce(vel_ctx *ctx, vel_adata *ad, const char *expression, vel_graph_source *source) VEL_CHECKED;

#endif
