/* history.h - benchmark_history.jsonl: one compact line a run, the last BENCH_HISTORY of them.
 *
 *     {"time": …, "commit": …, "set": …, "scale": …, "threads": …, "cpu": …, "ratios": {"scvelo": {"speed_…": 3.1}},
 *      "wall_s": {"speed_…": 0.41}} */
#ifndef VEL_BENCH_HISTORY_H
#define VEL_BENCH_HISTORY_H

#include <jansson.h>

#include "bench/result.h"

enum { BENCH_HISTORY = 100 };

/* The run's line; a new reference. */
json_t *bench_history_line(const bench_run *run);

/* Puts the run's line behind those in the file, or in the place of the last one if that is of the same run (a run
 * writes after each bench), and keeps the last BENCH_HISTORY. Under a lock; the file is there whole or as it was. A
 * line that is no JSON object is dropped. */
vel_err bench_history_write(vel_ctx *ctx, const bench_run *run, const char *path) VEL_CHECKED;

/* The lines of the file, oldest first: a new array, empty if there is no file. */
vel_err bench_history_read(vel_ctx *ctx, const char *path, json_t **lines) VEL_CHECKED;

#endif
