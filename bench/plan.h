/* plan.h - what a bench will run on: the fixture or a workflow's file, and whether it can be run at all. */
#ifndef VEL_BENCH_PLAN_H
#define VEL_BENCH_PLAN_H

#include "bench/result.h"

/* Sets the line's recipes, shape and, for a workflow, its file; a bench that cannot be run here (no file, a step that
 * this program does not have) becomes BENCH_LINE_SKIPPED with the reason. */
vel_err bench_plan_line(vel_ctx *ctx, bench_run *run, const bench_row *row, bench_line *line) VEL_CHECKED;

#endif
