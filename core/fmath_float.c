/* log1p and expm1 of floats, as in glibc 2.36: the algorithms of core/fmath_log1p.h and core/fmath_expm1.h with
 * fdlibm's coefficients for binary32 (Copyright (C) 1993 by Sun Microsystems, Inc.; permission to use, copy, modify,
 * and distribute is freely granted, provided that this notice is preserved). Nothing is fused. */
#include <string.h>

#include "core/fmath.h"
#include "core/fmath_scalar.h"

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

static float times_powerf(float y, int32_t k) { return float_of(float_bits(y) + ((uint32_t)k << 23)); }

static float expm1f_scaled(float r, float e, int32_t k) {
    if (k == -1) return 0.5f * (r - e) - 0.5f;
    if (k == 1) return r < -0.25f ? -2.0f * (e - (r + 0.5f)) : 1.0f + 2.0f * (r - e);
    if (k <= -2 || k > 56) return times_powerf(1.0f - (e - r), k) - 1.0f;
    float small = times_powerf(1.0f, -k);
    if (k < 23) return times_powerf((1.0f - small) - (e - r), k);
    return times_powerf(r - (e + small) + 1.0f, k);
}

float vel_expm1f(float x) {
    const float ln2_high = 6.9313812256e-01f, ln2_low = 9.0580006145e-06f;
    uint32_t size = float_bits(x) & 0x7fffffff;
    if (x != x) return x + x;
    if (x >= 0x1.62e43p+6f) return INFINITY;
    if (x < 0 && size >= 0x4195b844) return -1.0f; /* x < -27 ln2 */
    if (size < 0x33000000) return x;               /* |x| < 2^-25 */
    float r = x, c = 0;
    int32_t k = 0;
    if (size > 0x3eb17218) { /* |x| > ln2/2 */
        if (size < 0x3f851592)
            k = x > 0 ? 1 : -1;
        else
            k = (int32_t)(1.4426950216e+00f * x + (x > 0 ? 0.5f : -0.5f));
        float high = x - (float)k * ln2_high, low = (float)k * ln2_low;
        r = high - low;
        c = (high - r) - low;
    }
    float half = 0.5f * r, h = r * half;
    float ratio = 4.0082177293e-06f + h * -2.0109921195e-07f;
    ratio = -7.9365076090e-05f + h * ratio;
    ratio = 1.5873016091e-03f + h * ratio;
    ratio = -3.3333335072e-02f + h * ratio;
    ratio = 1.0f + h * ratio;
    float t = 3.0f - ratio * half;
    float e = h * ((ratio - t) / (6.0f - r * t));
    if (k == 0) return r - (r * e - h);
    return expm1f_scaled(r, (r * (e - c) - c) - h, k);
}
