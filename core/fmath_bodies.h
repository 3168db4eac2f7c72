/* fmath_bodies.h - one set of functions an instruction set, all giving the same bits. core/fmath.c chooses; tests
 * compare them. */
#ifndef VEL_CORE_FMATH_BODIES_H
#define VEL_CORE_FMATH_BODIES_H

#include <stdint.h>

#include "core/cpu.h"
#include "core/fmath_tables.h"

typedef struct {
    double (*exp)(double x);
    double (*log)(double x);
    double (*log1p)(double x);
    double (*expm1)(double x);
    float (*expf)(float x);
    float (*npy_expf)(float x);
    float (*npy_logf)(float x);
    void (*exp_n)(int64_t n, const double *x, double *y);
    void (*log_n)(int64_t n, const double *x, double *y);
    void (*log1p_n)(int64_t n, const double *x, double *y);
    void (*expm1_n)(int64_t n, const double *x, double *y);
    void (*log1pf_n)(int64_t n, const float *x, float *y);
    void (*expm1f_n)(int64_t n, const float *x, float *y);
    void (*npy_expf_n)(int64_t n, const float *x, float *y);
    void (*npy_logf_n)(int64_t n, const float *x, float *y);
} vel_fmath_bodies;

/* The set of a file whose functions have these names. */
#define VEL_FMATH_BODIES                                                                                              \
    {                                                                                                                 \
        .exp = scalar_exp, .log = scalar_log, .log1p = scalar_log1p, .expm1 = scalar_expm1, .expf = scalar_expf,      \
        .npy_expf = scalar_npy_expf, .npy_logf = scalar_npy_logf, .exp_n = exp_n, .log_n = log_n, .log1p_n = log1p_n, \
        .expm1_n = expm1_n, .log1pf_n = log1pf_n, .expm1f_n = expm1f_n, .npy_expf_n = npy_expf_n,                     \
        .npy_logf_n = npy_logf_n                                                                                      \
    }

extern const vel_fmath_bodies vel_fmath_plain VEL_INTERNAL;
extern const vel_fmath_bodies vel_fmath_avx2 VEL_INTERNAL;
extern const vel_fmath_bodies vel_fmath_avx512 VEL_INTERNAL;

/* The set of a level; of a build without that instruction set, the plain one. */
const vel_fmath_bodies *vel_fmath_at(vel_cpu level);

#endif
