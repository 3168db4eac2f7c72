/* roofline_report.h - velbench roofline from request to files. */
#ifndef VEL_BENCH_ROOFLINE_REPORT_H
#define VEL_BENCH_ROOFLINE_REPORT_H

#include "bench/roofline.h"

/* Measures and writes roofline.json, roofline.md and roofline.svg under run->request.out, whole or not at all; the
 * table to out, progress to people (NULL: nobody). run has request and arena. */
vel_err bench_roofline_perform(vel_ctx *ctx, bench_run *run, FILE *out, FILE *people) VEL_CHECKED;

/* The three files. */
vel_err bench_roofline_write(vel_ctx *ctx, const bench_roofline *r) VEL_CHECKED;

/* The kernels, one a line: name, what it is. */
void bench_roofline_list(FILE *out);

#endif
