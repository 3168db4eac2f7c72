/* html.h - report.html: the run on one self-contained page: no script, no font, no picture from elsewhere. */
#ifndef VEL_BENCH_HTML_H
#define VEL_BENCH_HTML_H

#include <jansson.h>

#include "bench/result.h"

/* history: the lines of benchmark_history.jsonl. In ctx->scratch. */
vel_err bench_html_page(vel_ctx *ctx, const bench_run *run, const json_t *history, const char **text) VEL_CHECKED;

#endif
