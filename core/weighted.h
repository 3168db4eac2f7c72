/* weighted.h - weighted sums of rows, in vectors of the CPU: the same bits in every body. */
#ifndef VEL_CORE_WEIGHTED_H
#define VEL_CORE_WEIGHTED_H

#include "core/cpu.h"

#include <stdint.h>

enum { VEL_WEIGHTED_ROWS = 4 };

/* y[k] += x_0 v_0 + x_1 v_1 + …, one after the other and nothing fused, for `rows` <= VEL_WEIGHTED_ROWS rows v_r[k]. y
 * overlaps none of them. */
typedef void vel_weighted_add(int rows, const double *x, const double *const *v, int64_t k, double *y);

vel_weighted_add vel_weighted_add_plain, vel_weighted_add_avx2;

/* The body of a level. */
vel_weighted_add *vel_weighted_add_at(vel_cpu level);

#endif
