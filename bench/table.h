/* table.h - benchmark_table.md: the run as a person reads it, also at the end on the terminal. */
#ifndef VEL_BENCH_TABLE_H
#define VEL_BENCH_TABLE_H

#include "bench/result.h"

/* Hardware and date, then a section each for speed, memory and vendor, then what was skipped, failed or is doubtful. In
 * ctx->scratch. */
vel_err bench_table_text(vel_ctx *ctx, const bench_run *run, const char **text) VEL_CHECKED;

enum { BENCH_FIGURE = 48 };

/* "361 s", "1.23 s", "45.6 ms": three digits. "–" if it is no number. */
void bench_show_seconds(double s, char *text);
void bench_show_mb(double mb, char *text);                 /* "1,809 MB" without the comma: "1809 MB", "3.4 MB" */
void bench_show_ratio(double x, char *text);               /* "31.2x" */
void bench_show_shape(const bench_line *line, char *text); /* "5000 x 50", "(stand-in)" behind it if it is one */

#endif
