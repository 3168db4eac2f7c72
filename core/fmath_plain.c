#include "core/fmath_bodies.h"
#include "core/fmath_expm1.h"
#include "core/fmath_log1p.h"
#include "core/fmath_scalar.h"

static void exp_n(int64_t n, const double *x, double *y) {
    for (int64_t i = 0; i < n; i++) y[i] = scalar_exp(x[i]);
}

static void log_n(int64_t n, const double *x, double *y) {
    for (int64_t i = 0; i < n; i++) y[i] = scalar_log(x[i]);
}

static void log1p_n(int64_t n, const double *x, double *y) {
    for (int64_t i = 0; i < n; i++) y[i] = scalar_log1p(x[i]);
}

static void expm1_n(int64_t n, const double *x, double *y) {
    for (int64_t i = 0; i < n; i++) y[i] = scalar_expm1(x[i]);
}

static void npy_expf_n(int64_t n, const float *x, float *y) {
    for (int64_t i = 0; i < n; i++) y[i] = scalar_npy_expf(x[i]);
}

static void npy_logf_n(int64_t n, const float *x, float *y) {
    for (int64_t i = 0; i < n; i++) y[i] = scalar_npy_logf(x[i]);
}

const vel_fmath_bodies vel_fmath_plain = VEL_FMATH_BODIES;
