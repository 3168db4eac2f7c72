/* fmath_lanes.h - the array forms on vectors of LANE_BYTES bytes, compiled once an instruction set: the same operations
 * in the same order as core/fmath_scalar.h, a lane an element. Lanes that leave the common path are done again by the
 * scalar form.
 *
 * Before including it: LANE_BYTES, and fma_d(a, b, c), fma_f(a, b, c), any(mask), any_i(mask), floor_d(x), pairs(table,
 * index, &first, &second) on the types below, and what fmath_log1p_lanes.h asks for. */
#include "core/fmath_bodies.h"
#include "core/fmath_float_lanes.h"
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

OVER_ARRAY(exp_n, exp_blocks, double, DOUBLES)
OVER_ARRAY(log_n, log_blocks, double, DOUBLES)

#include "core/fmath_log1p_lanes.h"
#include "core/fmath_npy_lanes.h"
