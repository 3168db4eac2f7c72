/* worst.h - which genes and cells are to blame. */
#ifndef VEL_VERIFY_WORST_H
#define VEL_VERIFY_WORST_H

#include "verify/gap.h"

/* Fills order[most] with the indices of the worst of gaps[n]: more outside first, then the larger max_abs, then the
 * lower index. Those without any difference are left out. Returns how many. O(n * most). */
int vel_worst_of(const vel_gap *gaps, int64_t n, int most, int64_t *order);

#endif
