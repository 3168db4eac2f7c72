/* velocity_graph.h - the graph of possible transitions: for every cell, how well its velocity points to the cells that
 * it may go to (cosine.h, candidates.h).
 *
 *     graph_ij = max(0, min(1, cos_ij)),    graph_neg_ij = min(0, max(-1, cos_ij)),    zeros not stored
 *     self_i   = clip(Q98(c) - c_i, 0, 1),  c_i the largest entry of row i (0 among them)
 *
 * Reference: scvelo 0.3.4, velocity_graph. */
#ifndef VEL_CORE_VELOCITY_GRAPH_H
#define VEL_CORE_VELOCITY_GRAPH_H

#include "core/candidates.h"
#include "core/cosine.h"
#include "core/csr_build.h"
#include "core/field.h"

typedef struct {
    vel_cosine_space space;
    vel_cmat velocity;        /* cells x genes, any type and strides */
    const vel_field *field;   /* that the velocities are of: if it is spilled, what was used leaves RAM. NULL: none */
    const vel_field *made[2]; /* that the graphs are rooms of: rows leave RAM once they are there. NULL: none */
    const int64_t *genes;     /* space.n_genes: which of its columns are used */
    const vel_neighbor_lists *lists;
    int64_t hops;
    const vel_neighbor_lists *chosen; /* the candidates of every cell themselves; NULL: walked from lists */
} vel_graph_source;

/* Most candidates that a cell can have: n times that is room enough for a graph. Cheap, and large. */
int64_t vel_graph_bound(const vel_graph_source *source);

/* How many candidates all cells have together: as much room is enough too. Walks them all, in parallel. */
vel_err vel_graph_candidates(vel_ctx *ctx, const vel_graph_source *source, int64_t *count) VEL_CHECKED;

/* Both graphs. A cell whose velocity has no direction has empty rows. Parallel over cells; beside the results, scratch
 * of a few megabytes a thread. O(candidates * genes). */
vel_err vel_graph_build(vel_ctx *ctx, const vel_graph_source *source, const vel_csr_room *graph,
                        const vel_csr_room *graph_neg) VEL_CHECKED;

/* Rows first .. end - 1 of a field leave RAM, if it is spilled. NULL: nothing. */
void vel_graph_rest(const vel_field *made, int64_t first, int64_t end);

/* self[n] from the finished graph; work[n]. made: the field that it is, whose rows rest as they go by; NULL: none. */
void vel_graph_self(int64_t n, const vel_csr_room *graph, const vel_field *made, float *work, float *self);

/* ---- for what is computed along the same transitions */

/* The velocity of a run of cells as the graph uses it, before centring: v[count * stride]. */
void vel_graph_velocities(const vel_graph_source *source, int64_t first, int64_t count, float *v);

/* A batch of cells and their candidates. */
typedef struct {
    const vel_graph_source *source;
    vel_cell_set set;
    int64_t first;
    float *v; /* velocities of the batch */
} vel_graph_rows;

vel_err vel_graph_rows_begin(vel_ctx *ctx, const vel_graph_source *source, int64_t first, int64_t count,
                             vel_graph_rows *rows) VEL_CHECKED;

/* The centred velocity of a cell of the batch (once for each cell) and its candidates: cells[bound] out. False if the
 * velocity has no direction. */
bool vel_graph_rows_query(vel_graph_rows *rows, int64_t cell, int32_t *cells, vel_cosine_query *query);

#endif
