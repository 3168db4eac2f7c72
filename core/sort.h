/* sort.h - ascending sorts of numbers. NaN comes last; -0 and 0 are equal. Nothing is allocated. */
#ifndef VEL_CORE_SORT_H
#define VEL_CORE_SORT_H

#include <stdint.h>

/* In place, not stable (the order of -0 and 0 among each other, and of NaNs, is unspecified). O(n log n). */
void vel_sort_f64(double *x, int64_t n);
void vel_sort_f32(float *x, int64_t n);

/* The same, stable, with work[n], which may not overlap x. n < 2^32. O(n). */
void vel_sort_f64_with(double *x, int64_t n, double *work);
void vel_sort_f32_with(float *x, int64_t n, float *work);

/* Puts the element of rank k (0 .. n-1) at x[k], none above it before it, none below it after it. No NaN in x. O(n). */
void vel_select_f64(double *x, int64_t n, int64_t k);
void vel_select_f32(float *x, int64_t n, int64_t k);

/* Moves the NaNs behind the others, whose order stays; returns the number of the others. O(n). */
int64_t vel_nans_last_f64(double *x, int64_t n);
int64_t vel_nans_last_f32(float *x, int64_t n);

/* Stable argsort: order[n]; work[n] is scratch. O(n log n). */
void vel_argsort_f64(const double *x, int64_t n, int64_t *order, int64_t *work);

#endif
