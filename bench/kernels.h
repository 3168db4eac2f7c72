/* kernels.h - the kernels that velbench roofline sets against what the machine gives: one row each.
 *
 * A row says what a call of the kernel must do at the least, as formulas of the shape, derived from the kernel's code;
 * where the machine is limited by something else than bytes and sums (random loads, exp, divisions, sums that wait for
 * each other) that is counted too. The formulas stand in bench/kernels.c with where they come from. */
#ifndef VEL_BENCH_KERNELS_H
#define VEL_BENCH_KERNELS_H

#include "bench/kernel_data.h"

/* How a kernel's sums are rounded, and in what type: which of the machine's peaks is its roof. */
typedef enum { BENCH_FUSED_F64, BENCH_FUSED_F32, BENCH_APART_F64, BENCH_APART_F32 } bench_arithmetic;

/* Counts of one call. */
typedef struct {
    double bytes;   /* moved between the level that holds `set` and the core */
    double set;     /* bytes that are used again and again, or streamed if nothing is */
    double flops;   /* additions and multiplications */
    double gathers; /* loads that follow an index, */
    double jumps;   /* into so many bytes */
    double exps, logs, divides;
    double chain; /* additions that wait for the one before */
} bench_work;

typedef struct {
    const char *name, *what;
    bench_arithmetic arithmetic;
    bench_work (*work)(const bench_shape *s);
    const char *formulas; /* as they stand in the code */
    vel_err (*run)(vel_ctx *ctx, bench_kernel_data *d);
} bench_kernel;

extern const bench_kernel bench_kernels[];
extern const int bench_n_kernels;

#endif
