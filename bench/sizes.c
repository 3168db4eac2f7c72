#include "bench/sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double largest = 1e12;

int64_t bench_size_parse(const char *text, size_t n) {
    char copy[32], *end;
    if (n == 0 || n >= sizeof copy) return -1;
    memcpy(copy, text, n);
    copy[n] = '\0';
    double x = strtod(copy, &end);
    if (end == copy || !isfinite(x)) return -1;
    if (*end == 'k') x *= 1e3, end++;
    if (*end == 'M') x *= 1e6, end++;
    return *end == '\0' && x >= 1 && x <= largest && x == floor(x) ? (int64_t)x : -1;
}

vel_err bench_sizes_parse(vel_ctx *ctx, const char *option, const char *text, int64_t least, bench_sizes *sizes) {
    *sizes = (bench_sizes){0};
    if (strcmp(text, "none") == 0) return VEL_OK;
    for (const char *p = text;;) {
        const size_t n = strcspn(p, ",");
        const int64_t size = bench_size_parse(p, n);
        if (size < 0)
            return vel_fail(ctx, VEL_EUSAGE, "%s takes sizes such as 1k,3k,10k, not \"%.*s\"", option, (int)n, p);
        if (size < least)
            return vel_fail(ctx, VEL_EUSAGE, "%s: %.*s is less than %lld", option, (int)n, p, (long long)least);
        if (sizes->n && size <= sizes->at[sizes->n - 1])
            return vel_fail(ctx, VEL_EUSAGE, "%s: the sizes must ascend, and %.*s does not", option, (int)n, p);
        if (sizes->n == BENCH_MOST_SIZES)
            return vel_fail(ctx, VEL_EUSAGE, "%s takes at most %d sizes", option, BENCH_MOST_SIZES);
        sizes->at[sizes->n++] = size;
        if (!p[n]) return VEL_OK;
        p += n + 1;
    }
}

vel_err bench_shape_parse(vel_ctx *ctx, const char *option, const char *text, int64_t *cells, int64_t *genes) {
    const char *cross = strchr(text, 'x');
    *cells = cross ? bench_size_parse(text, (size_t)(cross - text)) : -1;
    *genes = cross ? bench_size_parse(cross + 1, strlen(cross + 1)) : -1;
    if (*cells > 0 && *genes > 0) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "%s takes a shape such as 3000x100, not \"%s\"", option, text);
}
