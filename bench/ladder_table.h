/* ladder_table.h - ladder.md: growth as a person reads it, also at the end on the terminal. */
#ifndef VEL_BENCH_LADDER_TABLE_H
#define VEL_BENCH_LADDER_TABLE_H

#include "bench/ladder.h"

/* For each side time and memory a cell (or gene) at each rung, exponent and growth; then what stopped or failed. In
 * ctx->scratch. */
vel_err bench_ladder_table(vel_ctx *ctx, const bench_ladder *ladder, const char **text) VEL_CHECKED;

/* "cells", "genes". */
const char *bench_side_word(bench_side_kind kind);

#endif
