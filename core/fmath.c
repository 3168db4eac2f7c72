#include "core/fmath.h"

#include "core/fmath_bodies.h"

const vel_fmath_bodies *vel_fmath_at(vel_cpu level) {
#if defined(__x86_64__)
    static const vel_fmath_bodies *const sets[] = {
        [VEL_CPU_PLAIN] = &vel_fmath_plain, [VEL_CPU_AVX2] = &vel_fmath_avx2, [VEL_CPU_AVX512] = &vel_fmath_avx512};
    return sets[level];
#else
    (void)level;
    return &vel_fmath_plain;
#endif
}

static const vel_fmath_bodies *here(void) { return vel_fmath_at(vel_cpu_level()); }

double vel_exp(double x) { return here()->exp(x); }
double vel_log(double x) { return here()->log(x); }
double vel_log1p(double x) { return here()->log1p(x); }
double vel_expm1(double x) { return here()->expm1(x); }
float vel_expf(float x) { return here()->expf(x); }
float vel_npy_expf(float x) { return here()->npy_expf(x); }
float vel_npy_logf(float x) { return here()->npy_logf(x); }

void vel_exp_n(int64_t n, const double *x, double *y) { here()->exp_n(n, x, y); }
void vel_log_n(int64_t n, const double *x, double *y) { here()->log_n(n, x, y); }
void vel_log1p_n(int64_t n, const double *x, double *y) { here()->log1p_n(n, x, y); }
void vel_expm1_n(int64_t n, const double *x, double *y) { here()->expm1_n(n, x, y); }
void vel_log1pf_n(int64_t n, const float *x, float *y) { here()->log1pf_n(n, x, y); }
void vel_expm1f_n(int64_t n, const float *x, float *y) { here()->expm1f_n(n, x, y); }
void vel_npy_expf_n(int64_t n, const float *x, float *y) { here()->npy_expf_n(n, x, y); }
void vel_npy_logf_n(int64_t n, const float *x, float *y) { here()->npy_logf_n(n, x, y); }
