/* sum.h - sums whose order of additions is part of the contract. Source: spec/dynamical.md, 2.1 (NumPy 2.2's pairwise
 * sum).
 *
 * n may be 0: the sum is 0, mean and std are NaN. NaN and Inf propagate. Nothing is allocated. */
#ifndef VEL_CORE_SUM_H
#define VEL_CORE_SUM_H

#include <stdint.h>

/* numpy.sum of a contiguous vector: NumPy 2.2.6 adds up pairwise within a buffer of 8192 elements, and the buffers from
 * left to right. */
enum { VEL_SUM_CHUNK = 8192 };
double vel_sum_f64(const double *x, int64_t n);
float vel_sum_f32(const float *x, int64_t n);

/* NumPy's reduceat along a sparse row: x[0] set aside, plus the pairwise sum of all the others (no
 * buffers here). */
double vel_sum_row_f64(const double *x, int64_t n);
float vel_sum_row_f32(const float *x, int64_t n);

/* vel_sum / n, in the type of x. */
double vel_mean_f64(const double *x, int64_t n);
float vel_mean_f32(const float *x, int64_t n);

/* Population standard deviation, as numpy.std: d = x - mean, sqrt(mean(d * d)). work[n] is overwritten; may be x
 * itself. */
double vel_std_f64(const double *x, int64_t n, double *work);
float vel_std_f32(const float *x, int64_t n, float *work);

#endif
