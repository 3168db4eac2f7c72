/* roofline_plot.h - roofline.svg: bandwidths and peaks as lines, kernels as points, log-log. */
#ifndef VEL_BENCH_ROOFLINE_PLOT_H
#define VEL_BENCH_ROOFLINE_PLOT_H

#include "bench/roofline.h"

/* In ctx->scratch. The same figures give the same bytes. */
vel_err bench_roofline_plot(vel_ctx *ctx, const bench_roofline *r, const char **text) VEL_CHECKED;

#endif
