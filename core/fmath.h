/* fmath.h - exp, log and their kin with bits that are part of the contract.
 *
 * Every function gives the same bits on every CPU; the array forms equal the scalar ones bit for bit, whatever body
 * (plain, AVX2, AVX-512) runs. Two families:
 *   vel_exp …    equal to glibc's (>= 2.28, FMA variants) in binary64 and binary32
 *   vel_npy_…f   NumPy's own float32 routines (spec/dynamical.md, 2.4): other bits than glibc's expf and logf */
#ifndef VEL_CORE_FMATH_H
#define VEL_CORE_FMATH_H

#include <stdint.h>

double vel_exp(double x);
double vel_log(double x);
double vel_log1p(double x);
double vel_expm1(double x);
double vel_erf(double x);  /* Cephes', as scipy.special.ndtr uses them: */
double vel_erfc(double x); /* core/special.h builds on it */
float vel_expf(float x);
float vel_log1pf(float x);
float vel_expm1f(float x);

float vel_npy_expf(float x);
float vel_npy_logf(float x);

/* y[i] = f(x[i]), i < n; y may be x. */
void vel_exp_n(int64_t n, const double *x, double *y);
void vel_log_n(int64_t n, const double *x, double *y);
void vel_npy_expf_n(int64_t n, const float *x, float *y);
void vel_npy_logf_n(int64_t n, const float *x, float *y);

#endif
