/* least.h - the smaller of two numbers of elements. */
#ifndef VEL_CORE_LEAST_H
#define VEL_CORE_LEAST_H

#include <stdint.h>

static inline int64_t vel_least(int64_t a, int64_t b) { return a < b ? a : b; }

#endif
