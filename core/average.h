/* average.h - the average of a quantity over a cell's neighbours, itself included.
 *
 *     y_c = sum over j in N(c) + {c}, ascending, of w_c x_j,      w_c = float(1 / (number of terms))
 *
 * Only the pattern of the graph matters. Multiply and add are rounded separately, in the type of x; the weight is a
 * float32 in either case. Reference: scvelo 0.3.4, get_connectivities. */
#ifndef VEL_CORE_AVERAGE_H
#define VEL_CORE_AVERAGE_H

#include "core/ctx.h"
#include "core/mat.h"

typedef struct {
    int64_t n;
    int64_t *indptr;  /* n + 1 */
    int32_t *indices; /* ascending in a row, the diagonal among them */
    float *weight;    /* n: of every entry of a row */
} vel_average;

/* The average over the entries > 0 of a square graph (all entries, if it has no values). Memory from ctx->scratch.
 * O(entries). */
vel_err vel_average_make(vel_ctx *ctx, const vel_csr *graph, vel_average *avg) VEL_CHECKED;

/* One row: its columns with the diagonal at its place, at most one more than the graph has; returns their number. */
int64_t vel_average_row(const vel_csr *graph, int64_t row, int32_t *columns);

/* x[n], y[n]; must not overlap. */
void vel_average_f64(const vel_average *avg, const double *x, double *y);
void vel_average_f32(const vel_average *avg, const float *x, float *y);

#endif
