/* probe_body.h - the text of bench/probe_bodies.h for vectors of BYTES bytes: included once by each probe_<isa>.c,
 * which defines BYTES, fused_d(a, b, c), fused_f(a, b, c) and BODY. */
#include "bench/probe_bodies.h"

enum { CHAINS = BENCH_PROBE_CHAINS, DOUBLES = BYTES / 8, SUMS = 8 };

typedef double doubles __attribute__((vector_size(BYTES), may_alias));
typedef float floats __attribute__((vector_size(BYTES), may_alias));

/* x stays between 1 and 3: a x + b with a < 1, or a / x. */
#define CHAIN(name, vec, real, by, start, step)                                                                       \
    static double name(int64_t steps) {                                                                               \
        vec x[CHAINS], a = (vec){0} + (real)(by), b = (vec){0} + (real)1;                                             \
        _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) x[k] = (vec){0} + (real)(start) + (real)(0.01 * k); \
        __asm__ volatile("" : "+m"(a), "+m"(b));                                                                      \
        for (int64_t i = 0; i < steps; i++) _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) x[k] = (step);  \
        double sum = 0;                                                                                               \
        _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) sum += (double)x[k][0] + (double)b[0];              \
        return sum;                                                                                                   \
    }

CHAIN(fused_f64, doubles, double, 0.5, 1, fused_d(x[k], a, b))
CHAIN(fused_f32, floats, float, 0.5, 1, fused_f(x[k], a, b))
CHAIN(apart_f64, doubles, double, 0.5, 1, x[k] * a + b)
CHAIN(apart_f32, floats, float, 0.5, 1, x[k] * a + b)
CHAIN(divide_f64, doubles, double, 2, 1.2, a / x[k])

static inline const doubles *at(const double *x) { return (const doubles *)__builtin_assume_aligned(x, BYTES); }

static double read(int64_t n, const double *x) {
    doubles sum[SUMS] = {{0}};
    for (int64_t i = 0; i < n; i += SUMS * DOUBLES)
#pragma GCC unroll 8
        for (int k = 0; k < SUMS; k++) sum[k] += *at(x + i + k * DOUBLES);
    double all = 0;
    for (int k = 0; k < SUMS; k++) all += sum[k][0];
    return all;
}

static void copy(int64_t n, const double *x, double *y) {
    for (int64_t i = 0; i < n; i += 4 * DOUBLES)
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            doubles v = *at(x + i + k * DOUBLES);
            *(doubles *)__builtin_assume_aligned(y + i + k * DOUBLES, BYTES) = v;
        }
}

static void triad(int64_t n, const double *x, const double *y, double *z) {
    for (int64_t i = 0; i < n; i += 4 * DOUBLES)
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            doubles v = *at(x + i + k * DOUBLES) + 3 * *at(y + i + k * DOUBLES);
            *(doubles *)__builtin_assume_aligned(z + i + k * DOUBLES, BYTES) = v;
        }
}

const bench_probe_body BODY = {DOUBLES,   2 * DOUBLES, fused_f64, fused_f32, apart_f64,
                               apart_f32, divide_f64,  read,      copy,      triad};
