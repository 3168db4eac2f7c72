/* changes.h - what two results files say of the same benches: the new run's need over the old one's.
 *
 * The runs were not made in pairs, so the interval of a ratio is that of two medians: from the new one's low end over
 * the old one's high end to the new high over the old low. Ends are those of the order-statistic interval where both
 * runs have it with 95 % coverage (six repeats), and a verdict by the rules of versus.h is given; else they are least
 * and most, and there is no verdict. A figure is lost if the whole interval lies beyond 1 + margin. */
#ifndef VEL_BENCH_CHANGES_H
#define VEL_BENCH_CHANGES_H

#include <jansson.h>

#include "bench/versus.h"
#include "core/ctx.h"

typedef enum { BENCH_CPU, BENCH_WALL, BENCH_PEAK, BENCH_N_FIGURES } bench_figure;

typedef struct {
    double ratio, low, high; /* NaN: one of the two has none, or less than a ratio needs */
    bool judged;             /* there is a verdict */
    bench_verdict verdict;   /* MORE: the new one needs more */
    bool lost;
} bench_shift;

/* Of one bench and program. */
typedef struct {
    const char *bench, *program;
    bool own;        /* the program is the first of the new file: what is lost there counts */
    const char *why; /* it cannot be compared, or has failed or drifts now: in words; NULL: neither */
    bool broken;     /* it was good, and is not any more */
    bench_shift of[BENCH_N_FIGURES];
} bench_change;

typedef struct {
    bench_change *list; /* in ctx->scratch; texts belong to the documents */
    int n;
    int lost;            /* of this program: figures lost, and benches broken */
    const char *warning; /* the runs are of different machines; NULL: the same */
} bench_changes;

/* old, new: documents of results.h. VEL_EFORMAT if one is none. Benches that only one of them has come with a `why`. */
vel_err bench_find_changes(vel_ctx *ctx, const json_t *old, const json_t *new, double margin,
                           bench_changes *changes) VEL_CHECKED;

const char *bench_figure_word(bench_figure f); /* "CPU" */

#endif
