/* roofline.h - velbench roofline: each kernel against what the machine gives.
 *
 * A call of a kernel must take at least as long as each of its needs alone (kernels.h): bytes at the bandwidth of the
 * level that holds its working set, operations at the peak of its arithmetic, loads that follow an index at the rate
 * of random loads of that level, exp and log, divisions, additions that wait for each other. The longest of these is
 * its roof, and names what limits; share = roof / measured. With bytes and operations alone this is the roofline of
 * Williams, Waterman & Patterson 2009, doi:10.1145/1498765.1498785. */
#ifndef VEL_BENCH_ROOFLINE_H
#define VEL_BENCH_ROOFLINE_H

#include <stdio.h>

#include "bench/kernels.h"
#include "bench/probe.h"
#include "bench/result.h"

/* What may limit: name, word. */
#define BENCH_LIMIT_ROWS(X)          \
    X(BANDWIDTH, "bandwidth")        \
    X(ARITHMETIC, "arithmetic")      \
    X(GATHER, "random loads")        \
    X(TRANSCENDENTAL, "exp and log") \
    X(DIVISION, "division")          \
    X(CHAIN, "chained additions")

typedef enum {
#define BENCH_LIMIT_ENUM(name, word) BENCH_BY_##name,
    BENCH_LIMIT_ROWS(BENCH_LIMIT_ENUM)
#undef BENCH_LIMIT_ENUM
        BENCH_LIMITS
} bench_limited_by;

const char *bench_limit_of_word(bench_limited_by limit);

/* Where a kernel stands. */
typedef struct {
    const bench_kernel *kernel;
    bench_work work;
    double seconds;              /* of CPU for a call: the least of several; NaN: not measured */
    const bench_level *level;    /* that holds its working set */
    double need_s[BENCH_LIMITS]; /* seconds that each need takes alone */
    bench_limited_by limit;
    double roof_s; /* need_s[limit] */
} bench_placed;

enum { BENCH_MOST_KERNELS = 24 };

typedef struct {
    bench_run *run;                 /* request, host, arena */
    bench_speeds one, all;          /* on one thread and on request.threads; all.threads 0: not measured */
    double disk_written, disk_read; /* bytes / s; 0: not measured */
    bench_shape shape;
    bench_placed placed[BENCH_MOST_KERNELS];
    int n;
} bench_roofline;

/* The needs and the roof of a kernel on one thread of a machine; seconds as measured. Cannot fail. */
bench_placed bench_place(const bench_kernel *kernel, const bench_speeds *speeds, const bench_shape *shape,
                         double seconds);

/* Probes the machine, then times the kernels whose name matches run->request.only on one thread, with people told a
 * line each (NULL: nobody). VEL_EUSAGE: none matches. */
vel_err bench_roofline_measure(vel_ctx *ctx, bench_roofline *r, FILE *people) VEL_CHECKED;

#endif
