/* table.h - benchmark_table.md: the run as a person reads it, also at the end on the terminal. */
#ifndef VEL_BENCH_TABLE_H
#define VEL_BENCH_TABLE_H

#include "bench/result.h"

/* Hardware and date, then a section a kind of bench, then what was skipped, failed or is doubtful. In
 * ctx->scratch. */
vel_err bench_table_text(vel_ctx *ctx, const bench_run *run, const char **text) VEL_CHECKED;

#endif
