/* log(1 + x) as glibc 2.36 computes it on a CPU with FMA: fdlibm's s_log1p, products fused into sums in binary64 only.
 *
 *     1 + x = 2^k (1 + f),  sqrt(1/2) < 1 + f < sqrt(2),   s = f / (2 + f)
 *     log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2)))
 *
 * with the rounding error c of u = 1 + x brought back as c / u. Coefficients: Copyright (C) 1993 by Sun Microsystems,
 * Inc.; permission to use, copy, modify, and distribute is freely granted, provided that this notice is preserved. */
#include "core/fmath.h"
#include "core/fmath_scalar.h"

static double log1p_ratio(double z) {
    double z2 = z * z, z4 = z2 * z2, z6 = z4 * z2;
    double b = fma(z, 2.857142874366239149e-01, 3.999999999940941908e-01);
    double c = fma(z, 1.818357216161805012e-01, 2.222219843214978396e-01);
    double d = fma(z, 1.479819860511658591e-01, 1.531383769920937332e-01);
    return fma(z6, d, fma(z4, c, fma(z, 6.666666666666735130e-01, z2 * b)));
}

double vel_log1p(double x) {
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

static float log1pf_ratio(float z) {
    float r = 1.5313838422e-01f + z * 1.4798198640e-01f;
    r = 1.8183572590e-01f + z * r;
    r = 2.2222198546e-01f + z * r;
    r = 2.8571429849e-01f + z * r;
    r = 4.0000000596e-01f + z * r;
    return z * (6.6666668653e-01f + z * r);
}

float vel_log1pf(float x) {
    const float ln2_high = 6.9313812256e-01f, ln2_low = 9.0580006145e-06f;
    int32_t word = (int32_t)float_bits(x), size = word & 0x7fffffff;
    if (x != x || x == INFINITY) return x + x;
    if (x <= -1.0f) return x == -1.0f ? -INFINITY : (x - x) / (x - x);
    if (size < 0x31000000) return size < 0x24800000 ? x : x - x * x * 0.5f; /* |x| < 2^-29, 2^-54 */
    float f = x, c = 0;
    int32_t k = 0, mantissa = 1;
    if (word >= 0x3ed413d7 || (word < 0 && word > (int32_t)0xbe95f61f)) { /* not -0.2929 < x < 0.41422 */
        float u = word < 0x5a000000 ? 1.0f + x : x;
        k = (int32_t)(float_bits(u) >> 23) - 127;
        if (word < 0x5a000000) c = (k > 0 ? 1.0f - (u - x) : x - (u - 1.0f)) / u;
        mantissa = (int32_t)(float_bits(u) & 0x7fffff);
        if (mantissa < 0x3504f7) {
            u = float_of((uint32_t)mantissa | 0x3f800000);
        } else {
            k += 1;
            u = float_of((uint32_t)mantissa | 0x3f000000);
            mantissa = (0x800000 - mantissa) >> 2;
        }
        f = u - 1.0f;
    }
    float half = 0.5f * f * f;
    float kf = (float)k;
    if (mantissa == 0) { /* |f| < 2^-20 */
        if (f == 0) return k == 0 ? 0.0f : kf * ln2_high + (c + kf * ln2_low);
        float r = half * (1.0f - 0.66666666666666666f * f);
        return k == 0 ? f - r : kf * ln2_high - ((r - (kf * ln2_low + c)) - f);
    }
    float s = f / (2.0f + f), r = log1pf_ratio(s * s);
    if (k == 0) return f - (half - s * (half + r));
    return kf * ln2_high - ((half - (s * (half + r) + (kf * ln2_low + c))) - f);
}
