/* normals.h - many standard normals at once, of the very stream that vel_rng_gauss draws one by one.
 *
 * Marsaglia's polar method: (x, y) uniform on the square (-1, 1)^2 until 0 < q = x^2 + y^2 < 1, then
 *
 *     f = sqrt(-2 ln(q) / q),   normals f y and f x
 *
 * Attempts are drawn in vectors, never more than pairs are still wanted, since each gives one pair at most: so the
 * stream stops where it does one by one, and nothing is drawn in vain. Source: Marsaglia & Bray 1964,
 * doi:10.1137/1006063. Reference: numpy 2.2.6, RandomState.standard_normal. */
#ifndef VEL_CORE_NORMALS_H
#define VEL_CORE_NORMALS_H

#include "core/rng.h"

/* z[n]: what n calls of vel_rng_gauss give, bit for bit, and r as they leave it, the kept normal included. 3 ns each.
 */
void vel_normals(vel_rng *r, int64_t n, double *z);

#endif
