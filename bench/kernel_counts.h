/* kernel_counts.h - what the kernels of count matrices get, and one call of each. */
#ifndef VEL_BENCH_KERNEL_COUNTS_H
#define VEL_BENCH_KERNEL_COUNTS_H

#include "bench/kernel_data.h"
#include "core/centered.h"
#include "core/rng.h"

/* The wide matrix: all of it, and a quarter of its entries. */
typedef struct bench_counts_data {
    vel_counts dense, sparse;
    vel_centered centered;
    double *gram;
    float *sparse_out;
} bench_counts_data;

/* Sets d->counts from d->wide. In ctx->scratch. */
vel_err bench_counts_data_make(vel_ctx *ctx, vel_rng *r, bench_kernel_data *d) VEL_CHECKED;

vel_err bench_run_gram(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;
vel_err bench_run_normalize(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;

#endif
