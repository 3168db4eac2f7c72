/* probe_bodies.h - loops that do one thing as fast as an instruction set allows: what probe.c times. */
#ifndef VEL_BENCH_PROBE_BODIES_H
#define VEL_BENCH_PROBE_BODIES_H

#include <stdint.h>

#include "core/cpu.h"

/* Independent chains of vectors: more than the latency of a multiplication and an addition can hide. */
enum { BENCH_PROBE_CHAINS = 12 };

typedef struct {
    int f64_lanes, f32_lanes;
    /* Each step is one operation on every chain: x = a x + b, rounded once or twice; x = a / x. The result depends on
     * all. */
    double (*fused_f64)(int64_t steps);
    double (*fused_f32)(int64_t steps);
    double (*apart_f64)(int64_t steps);
    double (*apart_f32)(int64_t steps);
    double (*divide_f64)(int64_t steps);
    /* n doubles, a multiple of BENCH_PROBE_BLOCK, 64-byte aligned. */
    double (*read)(int64_t n, const double *x);
    void (*copy)(int64_t n, const double *x, double *y);
    void (*triad)(int64_t n, const double *x, const double *y, double *z); /* z = x + 3 y */
} bench_probe_body;

enum { BENCH_PROBE_BLOCK = 64 };

extern const bench_probe_body bench_probe_plain, bench_probe_avx2, bench_probe_avx512;

/* Of a level; of a build without it, the plain one. */
const bench_probe_body *bench_probe_body_at(vel_cpu level);

#endif
