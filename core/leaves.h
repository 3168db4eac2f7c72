/* leaves.h - points in an order in which near ones stand together, and the boxes around them.
 *
 * The leaves of a k-d tree: all points are cut in two at the median of the coordinate that varies most, each part
 * likewise, until it is small enough. Where the boxes around two sets of points are far apart, so are all their pairs.
 */
#ifndef VEL_CORE_LEAVES_H
#define VEL_CORE_LEAVES_H

#include "core/ctx.h"
#include "core/mat.h"

/* Points of a leaf, and of the parts that it is cut into further. */
enum { VEL_LEAF = 256, VEL_LEAF_PART = 64 };

/* order[n]: the points leaf after leaf, and part after part within; of these the last may be shorter. x: n x dim,
 * finite, n < 2^31. Scratch: 28 bytes a point while it runs. O(n log n). */
vel_err vel_leaves_order(vel_ctx *ctx, const vel_cmat *x, int32_t *order) VEL_CHECKED;

/* What some points span: low[dim] <= x <= high[dim]. */
typedef struct {
    double *low, *high;
} vel_box;

vel_err vel_box_new(vel_ctx *ctx, int64_t dim, vel_box *box) VEL_CHECKED;

/* The box around count >= 1 points of x. O(count dim). */
void vel_box_around(const vel_cmat *x, int64_t count, const int32_t *points, const vel_box *box);

/* gap[dim] >= 0: the distance of two boxes along each coordinate. Of no pair of their points is it less, neither as a
 * real number nor rounded to double, since rounding keeps the order. */
void vel_box_gaps(int64_t dim, const vel_box *a, const vel_box *b, double *gap);

#endif
