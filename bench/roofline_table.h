/* roofline_table.h - roofline.md: what the machine gives, and where each kernel stands. */
#ifndef VEL_BENCH_ROOFLINE_TABLE_H
#define VEL_BENCH_ROOFLINE_TABLE_H

#include "bench/roofline.h"

/* In ctx->scratch. */
vel_err bench_roofline_table(vel_ctx *ctx, const bench_roofline *r, const char **text) VEL_CHECKED;

/* "L2": where the working set lies, "single"/"double", fused or not. */
const char *bench_arithmetic_word(bench_arithmetic a);

#endif
