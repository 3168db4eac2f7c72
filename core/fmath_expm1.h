/* fmath_expm1.h - exp(x) - 1 as glibc 2.36 computes it on a CPU with FMA: fdlibm's s_expm1, products fused into sums.
 * Compiled once an instruction set, like core/fmath_scalar.h.
 *
 *     x = k ln2 + r,  |r| <= ln2/2,  c: what r lost in rounding,   h = r^2/2,  R = 1 + Q1 h + … + Q5 h^5
 *     expm1(r + c) = r - (r (e - c) - c - h),   e = h (R - t) / (6 - r t),  t = 3 - R r/2
 *     expm1(x) = 2^k (expm1(r) + 1) - 1
 *
 * Coefficients: Copyright (C) 1993 by Sun Microsystems, Inc.; permission to use, copy, modify, and distribute is freely
 * granted, provided that this notice is preserved. */
#ifndef VEL_CORE_FMATH_EXPM1_H
#define VEL_CORE_FMATH_EXPM1_H

#include "core/fmath_scalar.h"

static inline double times_power(double y, int32_t k) {
    return double_of(double_bits(y) + ((uint64_t)(int64_t)k << 52));
}

/* 2^k (1 + r - e) - 1 in the way that keeps the most bits. */
static inline double expm1_scaled(double r, double e, int32_t k) {
    if (k == -1) return 0.5 * (r - e) - 0.5;
    if (k == 1) return r < -0.25 ? -2.0 * (e - (r + 0.5)) : 1.0 + 2.0 * (r - e);
    if (k <= -2 || k > 56) return times_power(1.0 - (e - r), k) - 1.0;
    double small = times_power(1.0, -k);
    if (k < 20) return times_power((1.0 - small) - (e - r), k);
    return times_power(r - (e + small) + 1.0, k);
}

static inline double scalar_expm1(double x) {
    const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    uint32_t size = (uint32_t)(double_bits(x) >> 32) & 0x7fffffff;
    if (x != x) return x + x;
    if (x > 7.09782712893383973096e+02) return INFINITY;
    if (x < 0 && size >= 0x4043687a) return -1.0; /* x < -56 ln2 */
    if (size < 0x3c900000) return x;              /* |x| < 2^-54 */
    double r = x, c = 0;
    int32_t k = 0;
    if (size > 0x3fd62e42) { /* |x| > ln2/2 */
        if (size < 0x3ff0a2b2)
            k = x > 0 ? 1 : -1;
        else
            k = (int32_t)(1.44269504088896338700e+00 * x + (x > 0 ? 0.5 : -0.5));
        double high = x - k * ln2_high, low = k * ln2_low;
        r = high - low;
        c = (high - r) - low;
    }
    double half = 0.5 * r, h = r * half, h2 = h * h, h4 = h2 * h2;
    double a = fma(h, -3.33333333333331316428e-02, 1.0);
    double b = fma(h, -7.93650757867487942473e-05, 1.58730158725481460165e-03);
    double d = fma(h, -2.01099218183624371326e-07, 4.00821782732936239552e-06);
    double ratio = fma(h4, d, fma(h2, b, a));
    double t = fma(-half, ratio, 3.0);
    double e = h * ((ratio - t) / fma(-r, t, 6.0));
    if (k == 0) return r - fma(e, r, -h);
    return expm1_scaled(r, fma(e - c, r, -c) - h, k);
}

#endif
