/* probe.h - what this machine gives: measured, not looked up. On one thread and on several, each on data of its own.
 *
 * Rates are the best of several tries: a roof is what can be had. Arithmetic is measured for the widest instruction set
 * that the engine uses here (core/cpu.h). */
#ifndef VEL_BENCH_PROBE_H
#define VEL_BENCH_PROBE_H

#include "core/cpu.h"
#include "core/ctx.h"

enum { BENCH_LEVELS = 4 };

/* A level of memory, by working sets that lie well inside it. */
typedef struct {
    const char *name;         /* "L1" … "memory" */
    int64_t bytes;            /* working set of a thread */
    double read, copy, triad; /* bytes / s: 8, 16, 24 an element */
    double gather;            /* loads / s of 8 bytes at random, indices read in order */
} bench_level;

typedef struct {
    int threads;
    bench_level level[BENCH_LEVELS];
    double fused_f64, fused_f32; /* operations / s, a multiplication and an addition each, rounded once */
    double apart_f64, apart_f32; /* the same, rounded twice: what the engine's bits need nearly everywhere */
    double divide;               /* divisions of doubles / s, in vectors */
    double exp, log;             /* of doubles / s, vel_exp_n and vel_log_n */
    double chain;                /* additions / s, each waiting for the one before */
} bench_speeds;

/* Fills what is behind `speeds` for ctx->threads threads. Memory from ctx->scratch: four times the last cache, 256 MB
 * at least. About two seconds. */
vel_err bench_probe(vel_ctx *ctx, bench_speeds *speeds) VEL_CHECKED;

/* The level in which a working set lies: the smallest whose cache holds it. */
const bench_level *bench_level_of(const bench_speeds *s, double working_set);

/* The most of read, copy and triad. */
double bench_bandwidth(const bench_level *level);

/* Bytes / s of a file of `bytes` in a folder, written and synced, then read from the disk (as far as the system lets go
 * of what it remembers). The file is removed. VEL_EWRITE, VEL_EREAD. */
vel_err bench_probe_disk(vel_ctx *ctx, const char *folder, int64_t bytes, double *written, double *read) VEL_CHECKED;

#endif
