/* results.h - benchmark_results.json: everything a run has found, every sample. Its schema is
 * docs/benchmark_results.schema.json.
 *
 * Doubles have the 17 digits that give the same bits back; NaN and infinity are null with a `reason` beside them;
 * integers above 2^53 are strings; keys keep their order. */
#ifndef VEL_BENCH_RESULTS_H
#define VEL_BENCH_RESULTS_H

#include <jansson.h>

#include "bench/result.h"

#define BENCH_SCHEMA "velbench/results/1"

/* A new reference; NULL: out of memory. */
json_t *bench_results_json(const bench_run *run);

/* One result of a bench alone: what --json prints a line of. */
json_t *bench_cell_json(const bench_run *run, const bench_line *line, int backend);

/* Parts that other documents have too: where a run was made, its command, a sample. */
json_t *bench_host_json(const bench_run *run);
json_t *bench_argv_json(const bench_run *run);
json_t *bench_sample_json(const bench_sample *s);

/* A JSON document as text, indented, in ctx->scratch. NULL stands for one that had no memory. */
vel_err bench_json_text(vel_ctx *ctx, const json_t *document, const char **text) VEL_CHECKED;

/* benchmark_results.json as text. */
vel_err bench_results_text(vel_ctx *ctx, const bench_run *run, const char **text) VEL_CHECKED;

#endif
