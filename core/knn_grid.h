/* knn_grid.h - points rounded to whole numbers, so that most pairs can be told to be far apart in 16 bits.
 *
 *     p_i = round(scale (x_i - mean)),    |p_i - p_j|^2 = |p_i|^2 + |p_j|^2 - 2 p_i.p_j, without rounding
 *     |p_i - p_j| <= scale |x_i - x_j| + sqrt(dim),   as every coordinate is off by half at most
 *
 * Points so far from the mean that they would make the grid coarse for all others stand outside: they are never told to
 * be far from anything. */
#ifndef VEL_CORE_KNN_GRID_H
#define VEL_CORE_KNN_GRID_H

#include <stdbool.h>

#include "core/ctx.h"
#include "core/knn_bodies.h"
#include "core/mat.h"

typedef struct {
    int64_t dim, pairs; /* of coordinates: (dim + 1) / 2 */
    double scale;
    int16_t *points; /* panels of knn_bodies.h */
    int32_t *norms;  /* of the points; INT32_MAX where a panel has none */
} vel_knn_grid;

/* The points x[order[0]], x[order[1]], …: n x dim, finite. Memory from ctx->scratch: 2 (dim + 3) bytes a point.
 * O(n dim). */
vel_err vel_knn_grid_make(vel_ctx *ctx, const vel_cmat *x, const int32_t *order, vel_knn_grid *grid) VEL_CHECKED;

/* Point number i as a query: every QUERIES-th pair of query[], pairs in all. */
void vel_knn_grid_query(const vel_knn_grid *grid, int64_t i, int16_t *query);

/* What norm + query . point of points can reach that are no further than sqrt(square) from point number i;
 * VEL_KNN_EVERY if that is not known. */
int32_t vel_knn_grid_limit(const vel_knn_grid *grid, int64_t i, double square);

/* The other way: no point is further than the root of this whose norm + query . point is `sum`, of point number i as
 * the query; INFINITY if that is not known. */
double vel_knn_grid_square(const vel_knn_grid *grid, int64_t i, int32_t sum);

/* Whether this norm + query . point is that of a point outside. */
static inline bool vel_knn_grid_is_outside(int32_t sum) { return sum < -(1 << 29); }

#endif
