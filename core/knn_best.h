/* knn_best.h - the points that may be the nearest to a query, found among many at little cost.
 *
 * Points wait with their distances on the grid (core/knn_grid.h) until many have come. Those of them that so many
 * others are nearer than, whatever the rounding to the grid, are dropped; so exact distances are computed of few more
 * than are taken in the end. Where the grid tells nothing apart, exact distances decide. */
#ifndef VEL_CORE_KNN_BEST_H
#define VEL_CORE_KNN_BEST_H

#include "core/knn_grid.h"

/* What the searches of one run share. */
typedef struct {
    const vel_cmat *x;
    const int32_t *order; /* the point at each place */
    const vel_knn_grid *grid;
    const vel_knn_body *body;
} vel_knn_space;

typedef struct {
    int64_t self;  /* the query's place */
    double reach;  /* squared: nothing further is among the best */
    int32_t limit; /* what norm + query . point of such points can reach on the grid */
    int64_t waiting;
    int64_t *queue; /* (norm + query . point, place) of those that wait */
    int64_t size, room;
    double *square; /* room: a heap of the best so far by (square, index), the worst on top */
    int32_t *index;
} vel_knn_best;

/* Of the `room` nearest to the point at place self. Memory from ctx->scratch. */
vel_err vel_knn_best_new(vel_ctx *ctx, int64_t self, int64_t room, vel_knn_best *b) VEL_CHECKED;

/* The point at a place, with its norm + query . point. Cheap. */
void vel_knn_best_offer(const vel_knn_space *s, vel_knn_best *b, int64_t place, int32_t sum);

/* Brings reach and limit up to date, if many wait. */
void vel_knn_best_look(const vel_knn_space *s, vel_knn_best *b);

/* Leaves square[size] and index[size] in ascending order, and nobody waiting. */
void vel_knn_best_sort(const vel_knn_space *s, vel_knn_best *b);

#endif
