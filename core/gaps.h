/* gaps.h - gaps in the times of one gene's cells, and their removal.
 *
 * Per branch, with v the times of its cells, sorted, and a 0 put before them: d_k = v_k - v_{k-1}. A gap is a d_k above
 * three times the 99.5th percentile of the d of both branches together; all cells from v_k on move back by d_k.
 * Differences are double, also of single times; the moved times keep their precision. Reference: scvelo 0.3.4,
 * adjust_increments. */
#ifndef VEL_CORE_GAPS_H
#define VEL_CORE_GAPS_H

#include <math.h>

#include "core/tagged.h"

/* The gaps of one branch: cells from at[k] on move back by width[k], at ascending. */
typedef struct {
    int64_t n;
    const double *at, *width;
} vel_gaps;

/* Finds the gaps of two branches, either of which may be empty.
 *
 *   on[n_on], off[n_off]   the times of each branch's cells, in any order; may be sorted on return
 *   work                   3 (n_on + n_off) doubles, which hold the gaps
 *
 * NaN among the times: no gap is found. Only the widest increments are wanted, which times in buckets show; they are
 * sorted where those do not suffice. O(n). */
void vel_find_gaps(int64_t n_on, double *on, int64_t n_off, double *off, double *work, vel_gaps *gaps_on,
                   vel_gaps *gaps_off);

/* The time from which on cells move; Inf if none do. */
static inline double vel_first_gap(const vel_gaps *gaps) { return gaps->n ? gaps->at[0] : INFINITY; }

/* A time of that branch and precision, moved back by the gaps at or below it, in their order. */
static inline double vel_closed(const vel_gaps *gaps, vel_tag tag, double t) {
    double moved = t;
    for (int64_t k = 0; k < gaps->n && t >= gaps->at[k]; k++) moved = vel_rounded(moved - gaps->width[k], tag);
    return moved;
}

#endif
