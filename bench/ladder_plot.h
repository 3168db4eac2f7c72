/* ladder_plot.h - ladder.svg: time and memory over cells and over genes, one line a step. */
#ifndef VEL_BENCH_LADDER_PLOT_H
#define VEL_BENCH_LADDER_PLOT_H

#include "bench/ladder.h"

/* In ctx->scratch. The same ladder gives the same bytes. */
vel_err bench_ladder_plot(vel_ctx *ctx, const bench_ladder *ladder, const char **text) VEL_CHECKED;

#endif
