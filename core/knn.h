/* knn.h - the k nearest neighbours of every point, exactly.
 *
 *     d2_ij = sum over dimensions of (x_i - x_j)^2, in double;   neighbours by (d2, index)
 *
 * A point is its own first neighbour, at distance 0, whatever duplicates it has. Stored distances are sqrtf((float)d2)
 * for float32 points, sqrt(d2) for float64 ones.
 *
 * Pairs are screened in whole numbers (core/knn_grid.h, core/knn_best.h); what may be among the k is computed exactly.
 * Leaves of points (core/leaves.h) whose boxes are further away than a query's k-th best so far are not looked at. So
 * the result depends on no blocking, thread, instruction set or BLAS. */
#ifndef VEL_CORE_KNN_H
#define VEL_CORE_KNN_H

#include "core/ctx.h"
#include "core/mat.h"

/* x: n x dim, finite, rows contiguous (col_stride 1), n < 2^31. 1 <= k <= n. indices[n * k], distances[n * k], row by
 * row, nearest first. Scratch: 2 n (dim + 5) bytes, and little a thread. O(n^2 dim) where all points are about
 * equally far from each other, less where they are not; parallel over rows. */
vel_err vel_knn(vel_ctx *ctx, const vel_cmat *x, int64_t k, int32_t *indices, double *distances) VEL_CHECKED;

#endif
