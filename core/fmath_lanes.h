/* fmath_lanes.h - the array forms on vectors of LANE_BYTES bytes, compiled once an instruction set: the same operations
 * in the same order as core/fmath_scalar.h, a lane an element. Lanes that leave the common path are done again by the
 * scalar form.
 *
 * Before including it: LANE_BYTES, and fma_d(a, b, c), fma_f(a, b, c), any(mask), any_i(mask), floor_d(x), pairs(table,
 * index, &first, &second) on the types below; and of marks, a set of lanes with & and |: at_least(a, b), below(a, b),
 * is_plus_zero(x), bits_m(marks), pick_d(marks, yes, no); exponent_d(x) and fraction_d(x) of normal x > 0, x =
 * 2^exponent fraction, 1 <= fraction < 2; times_power_d(x, k), x 2^k of whole k where it is normal; max_d, min_d. */
#include "core/fmath_bodies.h"
#include "core/fmath_expm1.h"
#include "core/fmath_float_lanes.h"
#include "core/fmath_log1p.h"
#include "core/fmath_scalar.h"

enum { DOUBLES = LANE_BYTES / 8, LOG_BLOCKS = 32 };

static inline doubles load_d(const double *x) {
    doubles v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void store_d(double *y, doubles v) { memcpy(y, &v, sizeof v); }

static inline doubles all_d(double x) { return (doubles){0} + x; }

static inline doubles select_d(longs mask, doubles yes, doubles no) {
    return (doubles)((mask & (longs)yes) | (~mask & (longs)no));
}

/* exp(x) = scale (1 + t): the scale's bits, and t. */
typedef struct {
    ulongs scale;
    doubles t;
} exp_parts;

static inline exp_parts exp_parts_of(doubles x) {
    const doubles shift = all_d(0x1.8p52);
    doubles kd = fma_d(all_d(0x1.71547652b82fep0 * 128), x, shift);
    ulongs k = (ulongs)kd;
    kd -= shift;
    doubles r = fma_d(kd, all_d(-0x1.cf79abc9e3b3ap-47), fma_d(kd, all_d(-0x1.62e42fefa0000p-8), x));
    doubles tail, scale;
    pairs((const double *)vel_exp_table, (longs)(k & 127), &tail, &scale);
    doubles r2 = r * r;
    doubles t = fma_d(r2, fma_d(r, all_d(0x1.555555555543cp-3), all_d(0x1.ffffffffffdbdp-2)), tail + r);
    t = fma_d(r2 * r2, fma_d(r, all_d(0x1.1111167a4d017p-7), all_d(0x1.55555cf172b91p-5)), t);
    return (exp_parts){(ulongs)scale + (k << 45), t};
}

/* exp of each lane; wrong where |x| >= 512 or x is NaN. */
static inline doubles exp_lanes(doubles x) {
    exp_parts p = exp_parts_of(x);
    return fma_d((doubles)p.scale, p.t, (doubles)p.scale);
}

/* exp of each lane where -746 <= x <= -512, as scalar_exp has it there. */
static inline doubles exp_lanes_far_below(doubles x) {
    exp_parts p = exp_parts_of(x);
    doubles scale = (doubles)(p.scale + (UINT64_C(1022) << 52)), more = scale * p.t;
    doubles y = scale + more, rest = scale - y + more, high = 1.0 + y;
    rest = 1.0 - high + y + rest;
    return 0x1p-1022 * select_d(y < 1.0, (high + rest) - 1.0, y);
}

static inline doubles log_lanes_near_one(doubles x) {
    doubles r = x - 1.0, r2 = r * r, r3 = r * r2;
    doubles p = fma_d(r, all_d(-0x1.999eb43b068ffp-4), all_d(0x1.c7184282ad6cap-4));
    p = fma_d(r3, all_d(-0x1.5521375d145cdp-4), fma_d(r2, all_d(0x1.78182f7afd085p-4), p));
    doubles q = fma_d(r, all_d(0x1.24924a344de3p-3), all_d(-0x1.55555556745a7p-3));
    p = fma_d(r3, p, fma_d(r2, all_d(-0x1.fffffa4423d65p-4), q));
    q = fma_d(r, all_d(-0x1.ffffffffffdcbp-3), all_d(0x1.5555555555577p-2));
    p = fma_d(r3, p, fma_d(r2, all_d(0x1.999999995dd0cp-3), q));
    doubles big = r * 0x1p27;
    doubles rh = r + big - big, rl = r - rh;
    doubles w = rh * rh * -0.5;
    doubles high = r + w;
    doubles low = fma_d(-0.5 * rl, rh + r, r - high + w);
    return fma_d(r3, p, low) + high;
}

/* log of each lane; wrong where x is near one or not a normal number > 0. */
static inline doubles log_lanes(doubles x) {
    ulongs u = (ulongs)x;
    ulongs above = u - UINT64_C(0x3fe6000000000000);
    doubles inverse, logc;
    pairs(vel_log_table, (longs)(above >> 45) & 127, &inverse, &logc);
    /* k as a double: its bits added to those of 2^52 + 2^51; k + 1024 is not negative. */
    longs k = (longs)((above + (UINT64_C(1024) << 52)) >> 52) - 1024;
    doubles kd = (doubles)(k + (longs)all_d(0x1.8p52)) - 0x1.8p52;
    doubles z = (doubles)(u - (above & (UINT64_C(0xfff) << 52)));
    doubles r = fma_d(z, inverse, all_d(-1.0));
    doubles w = fma_d(kd, all_d(0x1.62e42fefa3800p-1), logc);
    doubles high = w + r;
    doubles low = fma_d(kd, all_d(0x1.ef35793c76730p-45), w - high + r);
    doubles r2 = r * r;
    doubles p = fma_d(r, all_d(-0x1.fffffffeb459p-3), all_d(0x1.555555551305bp-2));
    p = fma_d(r2, fma_d(r, all_d(-0x1.55575e506c89fp-3), all_d(0x1.999b324f10111p-3)), p);
    return fma_d(r * r2, p, fma_d(r2, all_d(-0x1.0000000000001p-1), low)) + high;
}

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

static inline floats npy_expf_lanes(floats all) {
    ints inside = (all < 88.72283935546875f) & (all > -103.97208404541015625f);
    floats x = select_f(inside, all, all_f(0.0f));
    const floats shift = all_f(12582912.0f);
    floats kf = x * 1.442695040888963407359924681001892137f + shift - shift;
    floats r = fma_f(kf, all_f(-6.93145752e-1f), x);
    r = fma_f(kf, all_f(-1.42860677e-6f), r);
    floats num = fma_f(all_f(5.082762527590693718096e-04f), r, all_f(6.757896990527504603057e-03f));
    num = fma_f(num, r, all_f(5.114512081637298353406e-02f));
    num = fma_f(num, r, all_f(2.473615434895520810817e-01f));
    num = fma_f(num, r, all_f(7.257664613233124478488e-01f));
    num = fma_f(num, r, all_f(9.999999999980870924916e-01f));
    floats den = fma_f(all_f(2.159509375685829852307e-02f), r, all_f(-2.742335390411667452936e-01f));
    den = fma_f(den, r, all_f(1.0f));
    floats y = num / den;
    floats kept = select_f(kf < -125.0f, all_f(-125.0f), kf);
    y = (floats)((uints)y + ((uints) __builtin_convertvector(kept, ints) << 23));
    y *= (floats)((uints)(__builtin_convertvector(kf - kept, ints) + 127) << 23);
    floats outside = select_f(all > 0.0f, all_f(INFINITY), select_f(all == all, all_f(0.0f), all));
    return select_f(inside, y, outside);
}

static inline floats npy_logf_lanes(floats x) {
    ints small = x < 0x1p-126f;
    floats scaled = select_f(small, x * 0x1p100f, x);
    ints u = (ints)scaled;
    ints k = (u >> 23) - 126 - (small & 100);
    floats m = (floats)((u & 0x7fffff) | 0x3f000000);
    ints low = m <= 0.70710678118654752440f;
    m += select_f(low, m, all_f(0.0f));
    k += low; /* -1 where true */
    floats y = m - 1.0f;
    floats num = fma_f(all_f(2.589979117907922693523e-02f), y, all_f(3.808837741388407920751e-01f));
    num = fma_f(num, y, all_f(1.480000633576506585156e+00f));
    num = fma_f(num, y, all_f(2.112677543073053063722e+00f));
    num = fma_f(num, y, all_f(9.999999999999998702752e-01f));
    num = fma_f(num, y, all_f(0.0f));
    floats den = fma_f(all_f(5.875095403124574342950e-03f), y, all_f(1.546476374983906719538e-01f));
    den = fma_f(den, y, all_f(9.864942958519418960339e-01f));
    den = fma_f(den, y, all_f(2.453006071784736363091e+00f));
    den = fma_f(den, y, all_f(2.612677543073109236779e+00f));
    den = fma_f(den, y, all_f(1.0f));
    floats l = fma_f(__builtin_convertvector(k, floats), all_f(0.693147180559945309417232121458176568f), num / den);
    l = select_f(x == 0.0f, all_f(-INFINITY), l);
    l = select_f(x == INFINITY, x, l);
    return select_f(x >= 0.0f, l, all_f(NAN));
}

/* Densities have many arguments far below, and some so far that exp is 0. */
static void exp_again(doubles v, double *y) {
    store_d(y, select_d(v < -746.0, all_d(0), select_d(v <= -512.0, exp_lanes_far_below(v), load_d(y))));
    if (!any(~(v < 512.0))) return;
    for (int i = 0; i < DOUBLES; i++) y[i] = scalar_exp(v[i]);
}

static void exp_blocks(int64_t count, const double *x, double *y) {
    for (int64_t b = 0; b < count; b++, x += DOUBLES, y += DOUBLES) {
        doubles v = load_d(x);
        store_d(y, exp_lanes(v));
        if (any(~((v < 512.0) & (v > -512.0)))) exp_again(v, y);
    }
}

static inline longs near_one(doubles x) { return (x >= 1.0 - 0x1p-4) & (x < 1.0 + 0x1.09p-4); }

static inline longs abnormal(doubles x) { return ~((x >= 0x1p-1022) & (x < INFINITY)); }

static void log_again(doubles x, double *y) {
    store_d(y, select_d(near_one(x), log_lanes_near_one(x), load_d(y)));
    if (!any(abnormal(x))) return;
    for (int i = 0; i < DOUBLES; i++) y[i] = scalar_log(x[i]);
}

/* Blocks with lanes off the common path are put aside without a branch, which would be hard to predict. */
static void log_some_blocks(int64_t count, const double *x, double *y) {
    doubles aside[LOG_BLOCKS];
    int64_t place[LOG_BLOCKS], n_aside = 0;
    for (int64_t b = 0; b < count; b++) {
        doubles v = load_d(x + b * DOUBLES);
        store_d(y + b * DOUBLES, log_lanes(v));
        aside[n_aside] = v;
        place[n_aside] = b;
        n_aside += any(near_one(v) | abnormal(v)) != 0;
    }
    for (int64_t k = 0; k < n_aside; k++) log_again(aside[k], y + place[k] * DOUBLES);
}

static void log_blocks(int64_t count, const double *x, double *y) {
    for (int64_t b = 0; b < count; b += LOG_BLOCKS)
        log_some_blocks(count - b < LOG_BLOCKS ? count - b : LOG_BLOCKS, x + b * DOUBLES, y + b * DOUBLES);
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

static void npy_expf_blocks(int64_t count, const float *x, float *y) {
    for (int64_t i = 0; i < count * FLOATS; i += FLOATS) store_f(y + i, npy_expf_lanes(load_f(x + i)));
}

static void npy_logf_blocks(int64_t count, const float *x, float *y) {
    for (int64_t i = 0; i < count * FLOATS; i += FLOATS) store_f(y + i, npy_logf_lanes(load_f(x + i)));
}

OVER_ARRAY(exp_n, exp_blocks, double, DOUBLES)
OVER_ARRAY(log_n, log_blocks, double, DOUBLES)
OVER_ARRAY(log1p_n, log1p_blocks, double, DOUBLES)
OVER_ARRAY(expm1_n, expm1_blocks, double, DOUBLES)
OVER_ARRAY(npy_expf_n, npy_expf_blocks, float, FLOATS)
OVER_ARRAY(npy_logf_n, npy_logf_blocks, float, FLOATS)
