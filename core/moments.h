/* moments.h - first and second moments of abundances over a cell's neighbours, for blocks of genes.
 *
 *     M_cg = sum over j in N(c) + {c} of w_c x_jg,      M2_cg = sum of w_c (s_jg u_jg)
 *
 * The products, the weighted terms and the sums are rounded one by one in the type of x, columns ascending (as in
 * average.h). Reference: scvelo 0.3.4, moments and second_order_moments. */
#ifndef VEL_CORE_MOMENTS_H
#define VEL_CORE_MOMENTS_H

#include "core/around.h"

/* y = W x. x and y are n x m and gene-major (row_stride 1), x in either type, y float32, or float64 (the float32
 * values widened, as a cast after the reference would). y may be x itself; else they must not overlap. Sixteen genes
 * are averaged at once; parallel over such groups; scratch a thread, kept for the next call: n * 16 values.
 * O(m * entries). */
vel_err vel_moments_first(vel_ctx *ctx, const vel_around *around, const vel_cmat *x, const vel_mat *y) VEL_CHECKED;

/* A gene: s[n], u[n] of the type given; out ss[n], us[n], written once all genes of a call have been read. */
typedef struct {
    const void *s, *u;
    float *ss, *us;
} vel_moments_pair;

enum { VEL_MOMENTS_PAIRS = 8 };

/* ss = W (s s), us = W (s u) of count <= VEL_MOMENTS_PAIRS genes at once. Scratch: n * 16 values. O(count * entries).
 */
vel_err vel_moments_second(vel_ctx *ctx, const vel_around *around, vel_type type, int count,
                           const vel_moments_pair *genes) VEL_CHECKED;

#endif
