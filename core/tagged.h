/* tagged.h - numbers that know the precision NumPy would compute them in.
 *
 * scVelo never converts its inputs, so under NumPy 2's rules a fit runs in a mixture of float32 and float64 that
 * changes as it proceeds, and shows in the results at 1e-7. Every value is held as a double together with its tag:
 *
 *   WEAK    a literal, or an option's value: takes the precision of what it meets
 *   SINGLE  float32: the value is one, and so is every result of an operation among singles
 *   DOUBLE  float64
 *
 * The tag of a result is the larger one. A weak operand that meets a single one is rounded to float32 itself. Source:
 * NEP 50, numpy.org/neps/nep-0050-scalar-promotion. */
#ifndef VEL_CORE_TAGGED_H
#define VEL_CORE_TAGGED_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { VEL_WEAK, VEL_SINGLE, VEL_DOUBLE } vel_tag;

typedef struct {
    double v;
    vel_tag tag;
} vel_num;

/* A vector of one tag; its length is known where it is used. */
typedef struct {
    double *v;
    vel_tag tag;
} vel_vec;

static inline vel_num vel_weak(double v) { return (vel_num){v, VEL_WEAK}; }
static inline vel_num vel_double(double v) { return (vel_num){v, VEL_DOUBLE}; }
static inline vel_tag vel_larger(vel_tag a, vel_tag b) { return a > b ? a : b; }

/* Whether x > 0 is far from where float32 ends or begins to lack precision: so are its products with usual numbers. */
static inline bool vel_is_moderate(double x) { return x > 1e-20 && x < 1e20; }

/* v as a value of that tag. */
static inline double vel_rounded(double v, vel_tag tag) { return tag == VEL_SINGLE ? (double)(float)v : v; }
static inline vel_num vel_tagged(double v, vel_tag tag) { return (vel_num){vel_rounded(v, tag), tag}; }
static inline vel_num vel_at(vel_vec x, int64_t i) { return (vel_num){x.v[i], x.tag}; }

static inline vel_num vel_neg(vel_num a) { return (vel_num){-a.v, a.tag}; }

static inline vel_num vel_add(vel_num a, vel_num b) {
    vel_tag tag = vel_larger(a.tag, b.tag);
    return (vel_num){tag == VEL_SINGLE ? (double)((float)a.v + (float)b.v) : a.v + b.v, tag};
}

static inline vel_num vel_sub(vel_num a, vel_num b) {
    vel_tag tag = vel_larger(a.tag, b.tag);
    return (vel_num){tag == VEL_SINGLE ? (double)((float)a.v - (float)b.v) : a.v - b.v, tag};
}

static inline vel_num vel_mul(vel_num a, vel_num b) {
    vel_tag tag = vel_larger(a.tag, b.tag);
    return (vel_num){tag == VEL_SINGLE ? (double)((float)a.v * (float)b.v) : a.v * b.v, tag};
}

static inline vel_num vel_div(vel_num a, vel_num b) {
    vel_tag tag = vel_larger(a.tag, b.tag);
    return (vel_num){tag == VEL_SINGLE ? (double)((float)a.v / (float)b.v) : a.v / b.v, tag};
}

static inline vel_num vel_square(vel_num a) { return vel_mul(a, a); }

/* a < b as NumPy compares: a weak side is first rounded to float32 when the other is single. */
static inline bool vel_less(vel_num a, vel_num b) {
    vel_tag tag = vel_larger(a.tag, b.tag);
    return vel_rounded(a.v, tag) < vel_rounded(b.v, tag);
}

/* scVelo's inverse of a difference of rates: (1 / x) [x != 0], so that 0 gives NaN. */
static inline vel_num vel_inverse(vel_num x) { return vel_mul(vel_div(vel_weak(1), x), vel_weak(x.v != 0)); }

#define VEL_LOG_LOW 1e-6
#define VEL_LOG_HIGH (1 - 1e-6)

/* exp, and log of x clipped to [VEL_LOG_LOW, VEL_LOG_HIGH]: float32 by NumPy's routine, else the C library's
 * (core/fmath.h). */
vel_num vel_num_exp(vel_num x);
vel_num vel_num_clipped_log(vel_num x);

/* The same of x[n], in place. */
void vel_vec_exp(int64_t n, vel_vec x);
void vel_vec_clipped_log(int64_t n, vel_vec x);

/* NumPy's reductions of x[n] in its own precision; work[n] is scratch and may be x.v, which is then lost. */
vel_num vel_vec_sum(int64_t n, vel_vec x, double *work);
vel_num vel_vec_mean(int64_t n, vel_vec x, double *work);
vel_num vel_vec_std(int64_t n, vel_vec x, double *work);
vel_num vel_vec_percentile(int64_t n, vel_vec x, double p, double *work);

/* Extremes; a NaN wins. n >= 1. */
vel_num vel_vec_min(int64_t n, vel_vec x);
vel_num vel_vec_max(int64_t n, vel_vec x);

/* y[n] = numpy.linspace(a, b, n), n >= 2: steps in the precision of b - a (double if both are weak), the last element
 * b itself. y.tag is set. */
void vel_linspace(vel_num a, vel_num b, int64_t n, vel_vec *y);

#endif
