#include "core/fmath_bodies.h"
#include "core/fmath_expm1.h"
#include "core/fmath_log1p.h"
#include "core/fmath_scalar.h"

/* Nothing is fused in log1p and expm1 of floats: lanes are as fast without FMA. */
#define LANE_BYTES 16
typedef float floats __attribute__((vector_size(LANE_BYTES)));
typedef int32_t ints __attribute__((vector_size(LANE_BYTES)));
typedef uint32_t uints __attribute__((vector_size(LANE_BYTES)));

static inline int any_i(ints mask) { return mask[0] | mask[1] | mask[2] | mask[3]; }

#include "core/fmath_float_lanes.h"

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
