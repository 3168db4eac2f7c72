/* growth.h - how a cost grows with a size, from a few measured sizes.
 *
 *     cost = c size^e        e: least squares of log cost on log size, over the largest BENCH_TOP_RUNGS sizes
 *
 * Small sizes are left out of the fit: there the fixed costs show, not the growth. A law is named when the cost grows
 * as it does, within BENCH_GROWTH_MARGIN of the exponent: the same fit against n, n log n and n^2. After
 * google/benchmark's complexity fit, which chooses among laws by their residuals: rms is that of the residuals of
 * log cost, so about the relative one. */
#ifndef VEL_BENCH_GROWTH_H
#define VEL_BENCH_GROWTH_H

enum { BENCH_TOP_RUNGS = 3, BENCH_LAW_WORDS = 32, BENCH_STEEPEST = 2 };

#define BENCH_GROWTH_MARGIN 0.1

typedef enum {
    BENCH_LAW_UNKNOWN, /* fewer than two sizes with a cost that counts */
    BENCH_LAW_UNDER,   /* less than linear */
    BENCH_LAW_LINEAR,
    BENCH_LAW_N_LOG_N,
    BENCH_LAW_QUADRATIC,
    BENCH_LAW_POWER, /* none of these */
} bench_law;

typedef struct {
    int n; /* sizes that were fitted */
    double exponent, rms;
    bench_law law;
} bench_growth;

/* size[n] ascending, > 1; cost[n]. Costs that are not above `least` do not count (they may be NaN). Cannot fail. */
bench_growth bench_growth_of(int n, const double *size, const double *cost, double least);

/* What the cost will be at `next`, from the last of n sizes: by the slope of the last two, but at least 1 and at most
 * 2, the worst that is known here: a steeper one is a disturbed sample. With one size by n^2. n = 0: 0. Costs that are
 * not above 0 are passed over. */
double bench_growth_next(int n, const double *size, const double *cost, double next);

/* "linear", "n log n", "n^1.43", …; text has room for BENCH_LAW_WORDS. */
void bench_law_words(const bench_growth *g, char *text);

#endif
