/* fmath_scalar.h - the scalar bodies, compiled once an instruction set: with hardware fma() they are fast, without it
 * they are slow and give the same bits.
 *
 * exp, log and expf follow Arm Optimized Routines as glibc >= 2.28 compiles them for a CPU with FMA: each product that
 * feeds a sum is fused with it. Coefficients from there (see core/fmath_tables.h). Errors: below 0.52 ulp. NumPy's
 * float32 exp and log are those of 2.2.6, AVX2 or wider: below 2.6 and 3.9 ulp. */
#ifndef VEL_CORE_FMATH_SCALAR_H
#define VEL_CORE_FMATH_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/fmath_tables.h"

static inline uint64_t double_bits(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline double double_of(uint64_t u) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline uint32_t float_bits(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline float float_of(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* scale (1 + t) where the exponent of scale, k / 128, may leave the range of normal numbers. */
static inline double exp_scaled_far(double t, uint64_t scale_bits, uint64_t k) {
    if (!(k & 0x80000000u)) {
        double scale = double_of(scale_bits - (UINT64_C(1009) << 52));
        return 0x1p1009 * fma(scale, t, scale);
    }
    double scale = double_of(scale_bits + (UINT64_C(1022) << 52));
    double y = scale + scale * t; /* not fused in glibc */
    if (y < 1.0) {
        /* The result is subnormal: round y to its last place first, so that scaling is exact. */
        double rest = scale - y + scale * t;
        double high = 1.0 + y;
        rest = 1.0 - high + y + rest;
        y = (high + rest) - 1.0;
    }
    return 0x1p-1022 * y;
}

/* exp(x) = 2^(k/128) exp(r), k an integer, |r| <= ln2/256. */
static inline double scalar_exp(double x) {
    uint32_t exponent = (uint32_t)(double_bits(x) >> 52) & 0x7ff;
    bool far = false;
    if (exponent - 0x3c9u >= 0x408u - 0x3c9u) { /* not 2^-54 <= |x| < 512 */
        if (exponent < 0x3c9u) return 1.0 + x;
        if (exponent >= 0x409u) { /* |x| >= 1024 */
            if (exponent == 0x7ff) return x == -INFINITY ? 0.0 : 1.0 + x;
            return x < 0 ? 0.0 : INFINITY;
        }
        far = true;
    }
    const double shift = 0x1.8p52;
    double kd = fma(0x1.71547652b82fep0 * 128, x, shift);
    uint64_t k = double_bits(kd);
    kd -= shift;
    double r = fma(kd, -0x1.cf79abc9e3b3ap-47, fma(kd, -0x1.62e42fefa0000p-8, x));
    double tail = double_of(vel_exp_table[2 * (k % 128)]);
    uint64_t scale_bits = vel_exp_table[2 * (k % 128) + 1] + (k << 45);
    double r2 = r * r;
    double t = fma(r2, fma(r, 0x1.555555555543cp-3, 0x1.ffffffffffdbdp-2), tail + r);
    t = fma(r2 * r2, fma(r, 0x1.1111167a4d017p-7, 0x1.55555cf172b91p-5), t);
    if (far) return exp_scaled_far(t, scale_bits, k);
    double scale = double_of(scale_bits);
    return fma(scale, t, scale);
}

/* log(x) for |x - 1| < 1/16: log(1 + r) with the quadratic term in two parts. */
static inline double log_near_one(double x) {
    if (x == 1.0) return 0.0;
    double r = x - 1.0, r2 = r * r, r3 = r * r2;
    double p = fma(r3, -0x1.5521375d145cdp-4,
                   fma(r2, 0x1.78182f7afd085p-4, fma(r, -0x1.999eb43b068ffp-4, 0x1.c7184282ad6cap-4)));
    p = fma(r3, p, fma(r2, -0x1.fffffa4423d65p-4, fma(r, 0x1.24924a344de3p-3, -0x1.55555556745a7p-3)));
    p = fma(r3, p, fma(r2, 0x1.999999995dd0cp-3, fma(r, -0x1.ffffffffffdcbp-3, 0x1.5555555555577p-2)));
    double big = r * 0x1p27;
    double rh = r + big - big, rl = r - rh;
    double w = rh * rh * -0.5;
    double high = r + w;
    double low = fma(-0.5 * rl, rh + r, r - high + w);
    return fma(r3, p, low) + high;
}

/* log(x) = k ln2 + log(c) + log1p(z/c - 1), x = 2^k z. */
static inline double scalar_log(double x) {
    uint64_t u = double_bits(x);
    if (u - double_bits(1.0 - 0x1p-4) < double_bits(1.0 + 0x1.09p-4) - double_bits(1.0 - 0x1p-4))
        return log_near_one(x);
    if (u - (UINT64_C(1) << 52) >= (UINT64_C(0x7ff) << 52) - (UINT64_C(1) << 52)) {
        if (x == 0) return -INFINITY;
        if (x == INFINITY) return x;
        if (!(x > 0)) return (x - x) / (x - x);
        u = double_bits(x * 0x1p52) - (UINT64_C(52) << 52);
    }
    uint64_t above = u - UINT64_C(0x3fe6000000000000);
    int64_t i = (above >> 45) % 128;
    double kd = (double)((int64_t)above >> 52);
    double z = double_of(u - (above & (UINT64_C(0xfff) << 52)));
    double r = fma(z, vel_log_table[2 * i], -1.0);
    double w = fma(kd, 0x1.62e42fefa3800p-1, vel_log_table[2 * i + 1]);
    double high = w + r;
    double low = fma(kd, 0x1.ef35793c76730p-45, w - high + r);
    double r2 = r * r;
    double p = fma(r2, fma(r, -0x1.55575e506c89fp-3, 0x1.999b324f10111p-3),
                   fma(r, -0x1.fffffffeb459p-3, 0x1.555555551305bp-2));
    return fma(r * r2, p, fma(r2, -0x1.0000000000001p-1, low)) + high;
}

/* exp(x) = 2^(k/32) 2^(r/32), in double. */
static inline float scalar_expf(float x) {
    if (x != x || x == INFINITY) return x + x;
    if (x > 0x1.62e42ep6f) return INFINITY;
    if (x < -0x1.9fe368p6f) return 0;
    const double shift = 0x1.8p52, per_ln2 = 0x1.71547652b82fep+0 * 32;
    double kd = fma(per_ln2, x, shift);
    uint64_t k = double_bits(kd);
    kd -= shift;
    double r = fma(per_ln2, x, -kd);
    double scale = double_of(vel_expf_table[k % 32] + (k << 47));
    double high = fma(0x1.c6af84b912394p-5 / 32 / 32 / 32, r, 0x1.ebfce50fac4f3p-3 / 32 / 32);
    double low = fma(0x1.62e42ff0c52d6p-1 / 32, r, 1.0);
    return (float)(fma(high, r * r, low) * scale);
}

static inline float scalar_npy_expf(float x) {
    if (x != x) return x;
    if (x >= 88.72283935546875f) return INFINITY;
    if (x <= -103.97208404541015625f) return 0;
    const float shift = 12582912.0f; /* 1.5 * 2^23: adding it rounds to an integer */
    float kf = x * 1.442695040888963407359924681001892137f + shift - shift;
    float r = fmaf(kf, -6.93145752e-1f, x);
    r = fmaf(kf, -1.42860677e-6f, r);
    float num = fmaf(5.082762527590693718096e-04f, r, 6.757896990527504603057e-03f);
    num = fmaf(num, r, 5.114512081637298353406e-02f);
    num = fmaf(num, r, 2.473615434895520810817e-01f);
    num = fmaf(num, r, 7.257664613233124478488e-01f);
    num = fmaf(num, r, 9.999999999980870924916e-01f);
    float den = fmaf(2.159509375685829852307e-02f, r, -2.742335390411667452936e-01f);
    den = fmaf(den, r, 1.0f);
    /* y 2^k by the exponent; below 2^-125 in two steps, of which only the second rounds. */
    float y = num / den;
    int32_t k = (int32_t)kf;
    int32_t below = k < -125 ? -125 - k : 0;
    y = float_of(float_bits(y) + ((uint32_t)(k + below) << 23));
    return y * float_of((uint32_t)(127 - below) << 23);
}

static inline float scalar_npy_logf(float x) {
    if (!(x > 0)) return x == 0 ? -INFINITY : NAN;
    if (x == INFINITY) return x;
    int32_t k = -126;
    if (x < 0x1p-126f) {
        x *= 0x1p100f;
        k = -226;
    }
    uint32_t u = float_bits(x);
    k += (int32_t)(u >> 23);
    float m = float_of((u & 0x7fffff) | 0x3f000000); /* x = m 2^k, 0.5 <= m < 1 */
    if (m <= 0.70710678118654752440f) {
        m += m;
        k -= 1;
    }
    float y = m - 1.0f;
    float num = fmaf(2.589979117907922693523e-02f, y, 3.808837741388407920751e-01f);
    num = fmaf(num, y, 1.480000633576506585156e+00f);
    num = fmaf(num, y, 2.112677543073053063722e+00f);
    num = fmaf(num, y, 9.999999999999998702752e-01f);
    num = fmaf(num, y, 0.0f);
    float den = fmaf(5.875095403124574342950e-03f, y, 1.546476374983906719538e-01f);
    den = fmaf(den, y, 9.864942958519418960339e-01f);
    den = fmaf(den, y, 2.453006071784736363091e+00f);
    den = fmaf(den, y, 2.612677543073109236779e+00f);
    den = fmaf(den, y, 1.0f);
    return fmaf((float)k, 0.693147180559945309417232121458176568f, num / den);
}

#endif
