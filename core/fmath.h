/* fmath.h - exp, log and their kin with bits that are part of the contract.
 *
 * Every function gives the same bits on every CPU; the array forms equal the scalar ones bit for bit, whatever body
 * (plain, AVX2, AVX-512) runs. docs/numerics.md tells how. Two families:
 *   vel_exp …    equal to the C library's: exp, log, expf to glibc's from 2.28 on, the others to that of 2.36, on a CPU
 *                with FMA
 *   vel_npy_…f   numpy 2.2.6's own float32 routines (AVX2 or wider): other bits than glibc's expf and logf
 *
 * Over the whole range: subnormal numbers are not flushed, what overflows is inf, what underflows 0, log(0) is -inf, a
 * negative number has the log NaN, and NaN gives NaN. No errno, no promise about floating-point flags. 5 to 10 ns a
 * call, 0.4 to 1.8 ns an element of an array; without FMA hardware ten times that. */
#ifndef VEL_CORE_FMATH_H
#define VEL_CORE_FMATH_H

#include <stdint.h>

double vel_exp(double x);
double vel_log(double x);
double vel_log1p(double x);
double vel_expm1(double x);
double vel_erf(double x);  /* erf and erfc are Cephes', which scipy's ndtr uses (special.h); */
double vel_erfc(double x); /* scipy.special.erf is another one */
float vel_expf(float x);
float vel_log1pf(float x);
float vel_expm1f(float x);

float vel_npy_expf(float x);
float vel_npy_logf(float x);

/* y[i] = f(x[i]), i < n; y may be x. */
void vel_exp_n(int64_t n, const double *x, double *y);
void vel_log_n(int64_t n, const double *x, double *y);
void vel_log1p_n(int64_t n, const double *x, double *y);
void vel_expm1_n(int64_t n, const double *x, double *y);
void vel_log1pf_n(int64_t n, const float *x, float *y);
void vel_expm1f_n(int64_t n, const float *x, float *y);
void vel_npy_expf_n(int64_t n, const float *x, float *y);
void vel_npy_logf_n(int64_t n, const float *x, float *y);

#endif
