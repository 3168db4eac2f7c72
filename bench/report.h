/* report.h - the four files of a run, each there whole or not at all. */
#ifndef VEL_BENCH_REPORT_H
#define VEL_BENCH_REPORT_H

#include <jansson.h>

#include "bench/result.h"

/* benchmark_results.json, benchmark_table.md, benchmark_history.jsonl and report.html under run->request.out. Called
 * after each bench: what is there is always a run as far as it has come. */
vel_err bench_report_write(vel_ctx *ctx, const bench_run *run) VEL_CHECKED;

/* The file `name` under run->request.out, whole or not at all. */
vel_err bench_report_put(vel_ctx *ctx, const bench_run *run, const char *name, const char *text) VEL_CHECKED;

/* The same of a document, which is given back. */
vel_err bench_report_put_json(vel_ctx *ctx, const bench_run *run, const char *name, json_t *document) VEL_CHECKED;

#endif
