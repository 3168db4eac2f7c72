/* compare.h - velbench compare OLD.json NEW.json: whether a later run has lost speed or memory. */
#ifndef VEL_BENCH_COMPARE_H
#define VEL_BENCH_COMPARE_H

#include <stdio.h>

#include "bench/changes.h"

/* What --margin is without the option: a figure is lost beyond this. */
#define BENCH_LOSS_MARGIN 0.1

typedef struct {
    const char *old, *new; /* benchmark_results.json of two runs */
    const char *fail_on;   /* "regression": a loss of this program gives exit code 1; NULL: it is only said */
    double margin;         /* 0: BENCH_LOSS_MARGIN */
} bench_compare_request;

/* Prints a table, or with json one object. VEL_EREAD and VEL_EFORMAT name the file. */
vel_err bench_compare_files(vel_ctx *ctx, const bench_compare_request *request, FILE *out, bool json,
                            int *code) VEL_CHECKED;

/* The table as text, in ctx->scratch. */
vel_err bench_changes_text(vel_ctx *ctx, const bench_changes *changes, double margin, const char **text) VEL_CHECKED;

#endif
