/* sizes.h - a list of sizes as a user writes it: "1k,3k,10k". */
#ifndef VEL_BENCH_SIZES_H
#define VEL_BENCH_SIZES_H

#include "core/ctx.h"

enum { BENCH_MOST_SIZES = 12 };

typedef struct {
    int64_t at[BENCH_MOST_SIZES];
    int n;
} bench_sizes;

/* "500", "3k", "1.5M"; -1 if it is no size. */
int64_t bench_size_parse(const char *text, size_t n);

/* Ascending sizes, each at least `least`; "none": no size. option: what the message calls it. VEL_EUSAGE. */
vel_err bench_sizes_parse(vel_ctx *ctx, const char *option, const char *text, int64_t least,
                          bench_sizes *sizes) VEL_CHECKED;

/* "3000x100": two sizes. VEL_EUSAGE. */
vel_err bench_shape_parse(vel_ctx *ctx, const char *option, const char *text, int64_t *cells,
                          int64_t *genes) VEL_CHECKED;

#endif
