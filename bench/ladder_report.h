/* ladder_report.h - velbench ladder from request to files. */
#ifndef VEL_BENCH_LADDER_REPORT_H
#define VEL_BENCH_LADDER_REPORT_H

#include <stdio.h>

#include "bench/ladder.h"

/* Climbs and writes ladder.json, ladder.md and ladder.svg under run->request.out, whole or not at all; the table to
 * out, a line a rung to people (NULL: nobody). run has request, arena and backends[0]. */
vel_err bench_ladder_perform(vel_ctx *ctx, const bench_ladder_request *request, bench_run *run, FILE *out, FILE *people,
                             int *code) VEL_CHECKED;

/* The three files. */
vel_err bench_ladder_write(vel_ctx *ctx, const bench_ladder *ladder) VEL_CHECKED;

/* The rows whose name matches (NULL: all), one a line: name, what is timed. */
void bench_ladder_list(FILE *out, const char *only);

#endif
