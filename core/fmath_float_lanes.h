/* fmath_float_lanes.h - log1p and expm1 of floats on vectors of LANE_BYTES bytes, compiled once an instruction set: the
 * operations of core/fmath_float.c in the same order, a lane an element. Lanes that leave the common path are done
 * again by the scalar form.
 *
 * Before including it: LANE_BYTES, the types floats, ints and uints, and any_i(mask). */
#include <string.h>

#include "core/fmath.h"

enum { FLOATS = LANE_BYTES / 4 };

static inline floats load_f(const float *x) {
    floats v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void store_f(float *y, floats v) { memcpy(y, &v, sizeof v); }

static inline floats all_f(float x) { return (floats){0} + x; }

static inline floats select_f(ints mask, floats yes, floats no) {
    return (floats)((mask & (ints)yes) | (~mask & (ints)no));
}

/* off: where the result is not right. Right for 0 and 2^-29 <= x < 2^53, but for 1 + x very near a power of two. */
static inline floats log1pf_lanes(floats x, ints *off) {
    const float ln2_high = 6.9313812256e-01f, ln2_low = 9.0580006145e-06f;
    ints large = (ints)x >= 0x3ed413d7;
    floats u = 1.0f + x;
    ints k = ((ints)u >> 23) - 127, mantissa = (ints)u & 0x7fffff, up = mantissa >= 0x3504f7;
    floats c = select_f(k > 0, 1.0f - (u - x), x - (u - 1.0f)) / u;
    *off = ~((x == 0) | ((x >= 0x1p-29f) & (x < 0x1p53f))) | (large & ((mantissa == 0) | (mantissa > 0x7ffffc)));
    k = (k - up) & large; /* up is -1 where true */
    floats f = select_f(large, (floats)(mantissa | (up & 0x3f000000) | (~up & 0x3f800000)) - 1.0f, x);
    floats half = 0.5f * f * f, kf = __builtin_convertvector(k, floats), s = f / (2.0f + f), z = s * s;
    floats r = 1.5313838422e-01f + z * 1.4798198640e-01f;
    r = 1.8183572590e-01f + z * r;
    r = 2.2222198546e-01f + z * r;
    r = 2.8571429849e-01f + z * r;
    r = 4.0000000596e-01f + z * r;
    r = z * (6.6666668653e-01f + z * r);
    floats near = f - (half - s * (half + r));
    floats far = kf * ln2_high - ((half - (s * (half + r) + (kf * ln2_low + c))) - f);
    return select_f(x == 0, x, select_f(k == 0, near, far));
}

/* Right for 0 and 2^-25 <= x < 15. */
static inline floats expm1f_lanes(floats x, ints *off) {
    const float ln2_high = 6.9313812256e-01f, ln2_low = 9.0580006145e-06f;
    *off = ~((x == 0) | ((x >= 0x1p-25f) & (x < 15.0f)));
    ints bits = (ints)x, reduce = bits > 0x3eb17218, one = bits < 0x3f851592;
    floats bounded = select_f(*off, all_f(1), x);
    ints k = __builtin_convertvector(1.4426950216e+00f * bounded + 0.5f, ints);
    k = ((one & 1) | (~one & k)) & reduce;
    floats kf = __builtin_convertvector(k, floats), high = x - kf * ln2_high, low = kf * ln2_low;
    floats r = high - low, c = (high - r) - low;
    floats half = 0.5f * r, h = r * half;
    floats ratio = 4.0082177293e-06f + h * -2.0109921195e-07f;
    ratio = -7.9365076090e-05f + h * ratio;
    ratio = 1.5873016091e-03f + h * ratio;
    ratio = -3.3333335072e-02f + h * ratio;
    ratio = 1.0f + h * ratio;
    floats t = 3.0f - ratio * half, e = h * ((ratio - t) / (6.0f - r * t));
    floats none = r - (r * e - h);
    e = (r * (e - c) - c) - h;
    floats once = select_f(r < -0.25f, -2.0f * (e - (r + 0.5f)), 1.0f + 2.0f * (r - e));
    floats small = (floats)((uints)(127 - k) << 23);
    floats more = (floats)((uints)((1.0f - small) - (e - r)) + ((uints)k << 23));
    return select_f(x == 0, x, select_f(k == 0, none, select_f(k == 1, once, more)));
}

#define FLOATS_OFTEN_RIGHT(name, lanes, scalar)                         \
    static void name(int64_t count, const float *x, float *y) {         \
        for (int64_t b = 0; b < count; b++, x += FLOATS, y += FLOATS) { \
            floats v = load_f(x);                                       \
            ints off;                                                   \
            store_f(y, lanes(v, &off));                                 \
            if (!any_i(off)) continue;                                  \
            for (int i = 0; i < FLOATS; i++)                            \
                if (off[i]) y[i] = scalar(v[i]);                        \
        }                                                               \
    }
FLOATS_OFTEN_RIGHT(log1pf_blocks, log1pf_lanes, vel_log1pf)
FLOATS_OFTEN_RIGHT(expm1f_blocks, expm1f_lanes, vel_expm1f)

/* blocks(count, x, y) does whole blocks of `lanes` elements; the rest is filled up with ones to a block. */
#define OVER_ARRAY(name, blocks, type, lanes)                                         \
    static void name(int64_t n, const type *x, type *y) {                             \
        int64_t whole = n / (lanes) * (lanes);                                        \
        blocks(n / (lanes), x, y);                                                    \
        if (whole == n) return;                                                       \
        type rest[lanes];                                                             \
        for (int k = 0; k < (lanes); k++) rest[k] = whole + k < n ? x[whole + k] : 1; \
        blocks(1, rest, rest);                                                        \
        memcpy(y + whole, rest, (size_t)(n - whole) * sizeof *y);                     \
    }
OVER_ARRAY(log1pf_n, log1pf_blocks, float, FLOATS)
OVER_ARRAY(expm1f_n, expm1f_blocks, float, FLOATS)
