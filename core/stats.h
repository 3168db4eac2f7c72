/* stats.h - order statistics as NumPy 2.2.6 (the pinned reference) computes them. */
#ifndef VEL_CORE_STATS_H
#define VEL_CORE_STATS_H

#include <stdint.h>

#include "core/sort.h"

/* Linear-interpolated percentile p (a plain number, 0 .. 100) of a vector sorted ascending; the rank arithmetic is done
 * in the type of the vector, as NumPy 2.2.6 does for a scalar p. NaN for n = 0 or when a NaN is among the values. */
double vel_percentile_sorted_f64(const double *sorted, int64_t n, double p);
float vel_percentile_sorted_f32(const float *sorted, int64_t n, double p);

/* The same of an unsorted vector; work[n] is overwritten, may be x itself. O(n). */
double vel_percentile_f64(const double *x, int64_t n, double p, double *work);
float vel_percentile_f32(const float *x, int64_t n, double p, float *work);

/* p given as a list: the rank in double, the difference of the float32 neighbours in float32, the rest
 * and the result in double. */
double vel_percentile_list_f32(const float *sorted, int64_t n, double p);

/* NumPy's median: mean of the two middle values, in the type of the vector. */
double vel_median_f64(const double *x, int64_t n, double *work);
float vel_median_f32(const float *x, int64_t n, float *work);

/* First extreme index; a NaN counts as extreme, the first NaN wins. n >= 1. */
int64_t vel_argmin_f64(const double *x, int64_t n);
int64_t vel_argmax_f64(const double *x, int64_t n);

#endif
