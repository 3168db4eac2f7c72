/* versus.h - two programs against each other, from repeats that were run in pairs.
 *
 * With d_i = log(b_i / a_i), i the repeat: the ratio is exp(median d), its interval that of the order statistics of d,
 * and the doubt is tested by flipping signs (all 2^n of them for n <= 16, else 10,000 at random with a fixed seed):
 * under "no difference" d and -d are equally likely. */
#ifndef VEL_BENCH_VERSUS_H
#define VEL_BENCH_VERSUS_H

#include "bench/stat.h"

/* a ratio within 1 -+ this is "same": two runs of one program differ so much on a quiet machine */
#define BENCH_MARGIN 0.02

typedef enum {
    BENCH_INCONCLUSIVE, /* too few repeats, too wide an interval, or too many doubtful samples */
    BENCH_SAME,         /* the whole interval lies within the margin */
    BENCH_LESS,         /* b needs less than a, beyond the margin */
    BENCH_MORE,         /* b needs more than a */
} bench_verdict;

typedef struct {
    int n;
    double ratio, low, high, coverage; /* b / a; NaN: not known */
    double p;                          /* of the sign-flip test; 1 for n < 2 */
    bench_verdict verdict;
} bench_versus;

/* a[n], b[n] > 0: pairs. Values that are not positive leave no ratio. */
bench_versus bench_compare(const double *a, const double *b, int n);

/* Holm: with m tests in a run, verdicts whose p does not stand at `level` fall back to BENCH_INCONCLUSIVE. */
void bench_correct_verdicts(bench_versus **tests, int m, double level);

const char *bench_verdict_word(bench_verdict v);

#endif
