/* fmath_log1p_lanes.h - log1p and expm1 of core/fmath_lanes.h, at its end: the operations of core/fmath_log1p.h and
 * core/fmath_expm1.h in the same order, a lane an element.
 *
 * Before including it, of marks, a set of lanes with & and |: at_least(a, b), below(a, b), is_plus_zero(x),
 * bits_m(marks), pick_d(marks, yes, no); exponent_d(x) and fraction_d(x) of normal x > 0, x = 2^exponent fraction, 1 <=
 * fraction < 2; times_power_d(x, k), x 2^k of whole k where it is normal; max_d, min_d. */
#include "core/fmath_expm1.h"
#include "core/fmath_log1p.h"

/* Bit by bit the lanes that are not marked. */
static inline int off_of(marks right) { return ~bits_m(right) & ((1 << DOUBLES) - 1); }

/* log1p of each lane, c and k being 0 where x is not large. off: the lanes where it is wrong; right for +0 and 2^-29 <=
 * x < 2^53, but for 1 + x very near a power of two. */
static inline doubles log1p_lanes(doubles x, int *off) {
    const doubles ln2_high = all_d(6.93147180369123816490e-01), ln2_low = all_d(1.90821492927058770002e-10);
    const doubles none = all_d(0), one = all_d(1);
    marks large = at_least(x, all_d(0x1.a827ap-2));
    doubles u = one + x, more = max_d(x, one), less = min_d(x, one);
    doubles c = pick_d(large, (less - (u - more)) / u, none), kd = exponent_d(u), m = fraction_d(u);
    marks up = at_least(m, all_d(0x1.6a09ep0));
    kd = pick_d(large, pick_d(up, kd + one, kd), none);
    doubles f = pick_d(large, pick_d(up, 0.5 * m, m) - one, x);
    marks near = large & at_least(f, all_d(-0x3p-21)) & below(f, all_d(0x1p-20));
    *off = off_of(is_plus_zero(x) | (at_least(x, all_d(0x1p-29)) & below(x, all_d(0x1p53)))) | bits_m(near);
    doubles half = 0.5 * f * f, s = f / (2.0 + f), z = s * s, z2 = z * z, z4 = z2 * z2, z6 = z4 * z2;
    doubles b = fma_d(z, all_d(2.857142874366239149e-01), all_d(3.999999999940941908e-01));
    doubles d = fma_d(z, all_d(1.818357216161805012e-01), all_d(2.222219843214978396e-01));
    doubles e = fma_d(z, all_d(1.479819860511658591e-01), all_d(1.531383769920937332e-01));
    doubles r = fma_d(z6, e, fma_d(z4, d, fma_d(z, all_d(6.666666666666735130e-01), z2 * b)));
    return fma_d(kd, ln2_high, -((half - (s * (half + r) + fma_d(kd, ln2_low, c))) - f));
}

/* expm1 of each lane. off: as above; right for +0 and 2^-54 <= x < 13. */
static inline doubles expm1_lanes(doubles x, int *off) {
    const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    const doubles none = all_d(0), one = all_d(1);
    *off = off_of(is_plus_zero(x) | (at_least(x, all_d(0x1p-54)) & below(x, all_d(13))));
    marks reduce = at_least(x, all_d(0x1.62e43p-2));
    doubles kd = floor_d(1.44269504088896338700e+00 * x + 0.5);
    kd = pick_d(reduce, pick_d(below(x, all_d(0x1.0a2b2p0)), one, kd), none);
    doubles high = x - kd * ln2_high, low = kd * ln2_low, r = high - low, c = (high - r) - low;
    doubles half = 0.5 * r, h = r * half, h2 = h * h, h4 = h2 * h2;
    doubles a = fma_d(h, all_d(-3.33333333333331316428e-02), one);
    doubles b = fma_d(h, all_d(-7.93650757867487942473e-05), all_d(1.58730158725481460165e-03));
    doubles d = fma_d(h, all_d(-2.01099218183624371326e-07), all_d(4.00821782732936239552e-06));
    doubles ratio = fma_d(h4, d, fma_d(h2, b, a)), t = fma_d(-half, ratio, all_d(3.0));
    doubles e = h * ((ratio - t) / fma_d(-r, t, all_d(6.0))), whole = r - fma_d(e, r, -h);
    e = fma_d(e - c, r, -c) - h;
    doubles left = r - e, once = pick_d(below(r, all_d(-0.25)), -2.0 * (e - (r + 0.5)), fma_d(all_d(2), left, one));
    doubles often = times_power_d((one - times_power_d(one, -kd)) + left, kd);
    return pick_d(reduce, pick_d(below(kd, all_d(2)), once, often), whole);
}

#define OFTEN_RIGHT(name, lanes, scalar)                                  \
    static void name(int64_t count, const double *x, double *y) {         \
        for (int64_t b = 0; b < count; b++, x += DOUBLES, y += DOUBLES) { \
            doubles v = load_d(x);                                        \
            double kept[DOUBLES];                                         \
            int off;                                                      \
            doubles right = lanes(v, &off);                               \
            if (__builtin_expect(off, 0)) store_d(kept, v);               \
            store_d(y, right);                                            \
            for (int i = 0; off; i++, off >>= 1)                          \
                if (off & 1) y[i] = scalar(kept[i]);                      \
        }                                                                 \
    }
OFTEN_RIGHT(log1p_blocks, log1p_lanes, scalar_log1p)
OFTEN_RIGHT(expm1_blocks, expm1_lanes, scalar_expm1)

OVER_ARRAY(log1p_n, log1p_blocks, double, DOUBLES)
OVER_ARRAY(expm1_n, expm1_blocks, double, DOUBLES)
