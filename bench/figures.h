/* figures.h - the plots of report.html, each from the run's lines. A plot without figures is left out. */
#ifndef VEL_BENCH_FIGURES_H
#define VEL_BENCH_FIGURES_H

#include <jansson.h>

#include "bench/plot.h"
#include "bench/result.h"

vel_err bench_figure_ratios(vel_ctx *ctx, const bench_run *run, vel_text *t) VEL_CHECKED;  /* wall, others / ours */
vel_err bench_figure_memory(vel_ctx *ctx, const bench_run *run, vel_text *t) VEL_CHECKED;  /* peak added, MB */
vel_err bench_figure_scaling(vel_ctx *ctx, const bench_run *run, vel_text *t) VEL_CHECKED; /* time a gene over cells */
/* ratio a bench over the lines of history.jsonl */
vel_err bench_figure_history(vel_ctx *ctx, const json_t *history, vel_text *t) VEL_CHECKED;

#endif
