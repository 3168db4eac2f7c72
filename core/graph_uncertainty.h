/* graph_uncertainty.h - how far the directions of the velocities around a cell disagree, along each transition.
 *
 *     uncertainty_ij = sum over genes of (d_ijg / |d_ij|)^2 var_ig,    d_ij as in cosine.h, not centred
 *     var_ig         = W (sign v)^2 - (W sign v)^2,                    W the average over neighbours (average.h)
 *
 * float32; 0 where it is not defined. Reference: scvelo 0.3.4, velocity_graph(compute_uncertainties=True). */
#ifndef VEL_CORE_GRAPH_UNCERTAINTY_H
#define VEL_CORE_GRAPH_UNCERTAINTY_H

#include "core/average.h"
#include "core/velocity_graph.h"

/* Uncertainties of all candidates of every cell that has a velocity; zeros are not stored. made: the field that `out`
 * is the room of, whose rows rest once they are in their places; NULL: none. Parallel over cells; holds a byte a cell
 * and gene. O(candidates * genes). */
vel_err vel_graph_uncertainties(vel_ctx *ctx, const vel_graph_source *source, const vel_average *average,
                                const vel_csr_room *out, const vel_field *made) VEL_CHECKED;

#endif
