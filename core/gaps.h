/* gaps.h - removal of gaps in the times of one gene's cells.
 *
 * Per branch, with v the times of its cells, sorted, and a 0 put before them: d_k = v_k - v_{k-1}. A gap is a d_k above
 * three times the 99.5th percentile of the d of both branches together; all cells from v_k on move back by d_k.
 * Differences are double, also of single times; the moved times keep their precision.
 * Source: spec/dynamical.md 6.2. Reference: scvelo 0.3.4, adjust_increments. */
#ifndef VEL_CORE_GAPS_H
#define VEL_CORE_GAPS_H

#include "core/tagged.h"

/* Removes the gaps of one or two branches, in place.
 *
 *   on[n_on], off[n_off]   the times of each branch's cells, in any order; a count may be 0
 *   work                   3 (n_on + n_off) doubles
 *
 * NaN among the times: no gap is found. O(n log n). */
void vel_remove_gaps(int64_t n_on, vel_vec on, int64_t n_off, vel_vec off, double *work);

#endif
