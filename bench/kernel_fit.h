/* kernel_fit.h - one call of each kernel of the fit, over the cells of one gene. */
#ifndef VEL_BENCH_KERNEL_FIT_H
#define VEL_BENCH_KERNEL_FIT_H

#include "bench/kernel_data.h"

/* The cells and sums of two genes, in ctx->scratch; d->segments is there. */
vel_err bench_make_screens(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;

vel_err bench_run_decide(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;
vel_err bench_run_kinetics(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;
vel_err bench_run_loss_passes(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;
vel_err bench_run_projection(vel_ctx *ctx, bench_kernel_data *d) VEL_CHECKED;

#endif
