/* steady_sums.h - the distances of cells to the steady states, summed over neighbours, for any parameters of a gene.
 *
 * With q_u = std_u / sigma, u/sigma as far from U as u from sigma U, distances to the origin do not depend on the
 * parameters; and those to another state (a, b), a = sigma U, follow from those to a centre (a0, b0) near it:
 *
 *     ((u - a) / std_u)^2 = ((u - a0) / std_u)^2 - 2 d (u - a0) / std_u + d^2,        d = (a - a0) / std_u
 *
 * and s alike, so that four sums a cell, formed once, say what all rows of these distances would. What differs by
 * rounding is bounded in core/decide_lanes.h. Source: core/assign.h. */
#ifndef VEL_CORE_STEADY_SUMS_H
#define VEL_CORE_STEADY_SUMS_H

#include "core/ctx.h"
#include "core/trajectory.h"

typedef struct {
    /* over the neighbours of each cell, in float32, n filled up to whole blocks of VEL_SEGMENT_BLOCK: */
    float *origin, *centre; /* squared distances to the origin, to the centre */
    float *u, *s;           /* (u - a0) / std_u, (s - b0) / std_s */
    double a0, b0, std_u, std_s;
    float by_u, by_s, apart; /* distances to the state: centre + by_u u + by_s s + apart a neighbour; NaN: not known */
} vel_steady_sums;

/* Memory for n cells, 16 bytes each, from ctx->scratch. */
vel_err vel_steady_sums_new(vel_ctx *ctx, int64_t n, vel_steady_sums *sums) VEL_CHECKED;

/* Around the state of p: a0, b0, std_u and std_s are set. */
void vel_steady_sums_around(vel_steady_sums *sums, const vel_trajectory *p, double std_u, double std_s);

/* What is to be summed: first the distances, then u and s. x[n], y[n] are out, u[n], s[n] the cells. */
void vel_steady_distances(const vel_steady_sums *sums, int64_t n, const double *u, const double *s, double *x,
                          double *y);
void vel_steady_offsets(const vel_steady_sums *sums, int64_t n, const double *u, const double *s, double *x, double *y);

/* by_u, by_s and apart of the state under p. */
void vel_steady_sums_at(vel_steady_sums *sums, const vel_trajectory *p);

#endif
