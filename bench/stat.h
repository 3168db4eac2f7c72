/* stat.h - robust statistics of a few repeats.
 *
 * Quantiles are of type 7 (Hyndman and Fan 1996), as numpy's and R's defaults: at rank h = (n - 1) q, linear between
 * order statistics. The interval of the median is that of two order statistics: exact for any distribution, with the
 * coverage that it attains, P = 1 - 2 sum_{i < k} C(n, i) / 2^n for ranks k and n + 1 - k. */
#ifndef VEL_BENCH_STAT_H
#define VEL_BENCH_STAT_H

#include <stdbool.h>

typedef struct {
    int n;
    double median, min, max;
    double mad;                 /* median of |x - median| */
    double low, high, coverage; /* interval of the median; coverage 0: none (n < 2) */
} bench_summary;

/* x[n] ascending, n >= 1, 0 <= q <= 1. NaN for n = 0. */
double bench_quantile(const double *x, int n, double q);

/* x[n] in any order, left as it is, n <= BENCH_MOST_REPEATS. n = 0: all NaN. */
bench_summary bench_summarise(const double *x, int n);

enum { BENCH_MOST_REPEATS = 1000 };

/* Ranks (from 0) of the narrowest symmetric order-statistic interval of the median with coverage >= level; the widest
 * if none reaches it. Returns the coverage. n >= 1. */
double bench_median_ranks(int n, double level, int *low, int *high);

#endif
