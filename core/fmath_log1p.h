/* fmath_log1p.h - log(1 + x) as glibc 2.36 computes it on a CPU with FMA: fdlibm's s_log1p, products fused into sums.
 * Compiled once an instruction set, like core/fmath_scalar.h.
 *
 *     1 + x = 2^k (1 + f),  sqrt(1/2) < 1 + f < sqrt(2),   s = f / (2 + f)
 *     log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2)))
 *
 * with the rounding error c of u = 1 + x brought back as c / u. Coefficients: Copyright (C) 1993 by Sun Microsystems,
 * Inc.; permission to use, copy, modify, and distribute is freely granted, provided that this notice is preserved. */
#ifndef VEL_CORE_FMATH_LOG1P_H
#define VEL_CORE_FMATH_LOG1P_H

#include "core/fmath_scalar.h"

static inline double log1p_ratio(double z) {
    double z2 = z * z, z4 = z2 * z2, z6 = z4 * z2;
    double b = fma(z, 2.857142874366239149e-01, 3.999999999940941908e-01);
    double c = fma(z, 1.818357216161805012e-01, 2.222219843214978396e-01);
    double d = fma(z, 1.479819860511658591e-01, 1.531383769920937332e-01);
    return fma(z6, d, fma(z4, c, fma(z, 6.666666666666735130e-01, z2 * b)));
}

static inline double scalar_log1p(double x) {
    const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    int32_t high = (int32_t)(double_bits(x) >> 32), size = high & 0x7fffffff;
    if (x != x || x == INFINITY) return x + x;
    if (x <= -1.0) return x == -1.0 ? -INFINITY : (x - x) / (x - x);
    if (size < 0x3e200000) return size < 0x3c900000 ? x : x - x * x * 0.5; /* |x| < 2^-29, 2^-54 */
    double f = x, c = 0;
    int32_t k = 0, mantissa = 1;
    if (high >= 0x3fda827a || (high < 0 && high > (int32_t)0xbfd2bec3)) { /* not -0.2929 < x < 0.41422 */
        double u = high < 0x43400000 ? 1.0 + x : x;
        mantissa = (int32_t)(double_bits(u) >> 32);
        k = (mantissa >> 20) - 1023;
        if (high < 0x43400000) c = (k > 0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
        mantissa &= 0xfffff;
        uint64_t rest = double_bits(u) & UINT64_C(0xfffffffffffff);
        if (mantissa < 0x6a09e) {
            u = double_of(rest | UINT64_C(0x3ff) << 52);
        } else {
            k += 1;
            u = double_of(rest | UINT64_C(0x3fe) << 52);
            mantissa = (0x100000 - mantissa) >> 2;
        }
        f = u - 1.0;
    }
    double half = 0.5 * f * f;
    if (mantissa == 0) { /* |f| < 2^-20 */
        if (f == 0) return k == 0 ? 0.0 : fma(k, ln2_high, fma(k, ln2_low, c));
        double r = half * fma(-0.66666666666666666, f, 1.0);
        return k == 0 ? f - r : fma(k, ln2_high, -((r - fma(k, ln2_low, c)) - f));
    }
    double s = f / (2.0 + f), r = log1p_ratio(s * s);
    if (k == 0) return f - (half - s * (half + r));
    return fma(k, ln2_high, -((half - (s * (half + r) + fma(k, ln2_low, c))) - f));
}

#endif
