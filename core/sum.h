/* sum.h - sums whose order of additions is part of the contract: NumPy 2.2.6's pairwise sum.
 *
 *     P(x, n) = x_0 + x_1 + …                                        n < 8, from left to right
 *             = ((r0+r1)+(r2+r3)) + ((r4+r5)+(r6+r7)) + the rest     n <= 128: r_k adds up x_k, x_{k+8}, x_{k+16} …
 *             = P(x, h) + P(x + h, n - h)                            above: h = n/2 rounded down to a multiple of 8
 *
 * Reference: numpy 2.2.6, add.reduce; its buffers (below) show from 8,193 elements on.
 * n may be 0: the sum is 0, mean and std are NaN. NaN and Inf propagate. Nothing is allocated. */
#ifndef VEL_CORE_SUM_H
#define VEL_CORE_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* numpy.sum, whatever the layout: P within each buffer of 8192 elements, and the buffers from left to right. */
enum { VEL_SUM_CHUNK = 8192 };
double vel_sum_f64(const double *x, int64_t n);
float vel_sum_f32(const float *x, int64_t n);

/* The same of several rows at once, sums[rows], rows <= VEL_SUM_ROWS: element i of row l is x[i * stride + l]. At the
 * speed of memory for a thousand rows and more; of 256, a seventh slower. 200 KB of stack. Returns true only if every
 * element is what raw counts are: finite, whole and not negative; it may miss it (core/tallies.h). */
enum { VEL_SUM_ROWS = 2048 };
bool vel_sum_across_f64(const double *x, int64_t n, int64_t stride, int64_t rows, double *sums);
bool vel_sum_across_f32(const float *x, int64_t n, int64_t stride, int64_t rows, float *sums);

/* numpy.add.reduceat, as over a sparse row: x[0] + P of all the others, without buffers. */
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
