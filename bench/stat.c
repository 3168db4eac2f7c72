#include "bench/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(const double *x, int n, double q) {
    if (n < 1) return NAN;
    const double h = (n - 1) * q;
    const int i = (int)h;
    return i + 1 < n ? x[i] + (h - i) * (x[i + 1] - x[i]) : x[n - 1];
}

double bench_median_ranks(int n, double level, int *low, int *high) {
    double term = ldexp(1, -n), tail = 0, coverage = 0; /* term = C(n, k) / 2^n */
    *low = 0;
    *high = n - 1;
    for (int k = 0; k < (n + 1) / 2; k++) {
        tail += term;
        const double here = 1 - 2 * tail;
        if (k > 0 && here < level) break;
        coverage = here;
        *low = k;
        *high = n - 1 - k;
        term *= (double)(n - k) / (k + 1);
    }
    return coverage > 0 ? coverage : 0;
}

bench_summary bench_summarise(const double *x, int n) {
    bench_summary s = {.n = n, .median = NAN, .min = NAN, .max = NAN, .mad = NAN, .low = NAN, .high = NAN};
    double sorted[BENCH_MOST_REPEATS];
    if (n < 1 || n > BENCH_MOST_REPEATS) return s;
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    s.median = bench_quantile(sorted, n, 0.5);
    s.min = sorted[0];
    s.max = sorted[n - 1];
    int low, high;
    s.coverage = bench_median_ranks(n, 0.95, &low, &high);
    if (n >= 2) {
        s.low = sorted[low];
        s.high = sorted[high];
    }
    for (int i = 0; i < n; i++) sorted[i] = fabs(sorted[i] - s.median);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    s.mad = bench_quantile(sorted, n, 0.5);
    return s;
}
