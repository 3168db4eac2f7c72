/* measure.h - measures the timed part of a child process from outside, so that every program is measured by one code.
 *
 *     bench_meter_begin(&m, pid);          the child waits while its high-water mark is reset
 *     bench_meter_tick(&m);                every BENCH_TICK_MS while it runs
 *     bench_meter_end(&m, wall_ns, &s);    the child waits again
 *
 * Peak memory is the kernel's own high-water mark (VmHWM), set back at the beginning: it misses nothing, however short.
 * The kernel counts pages in batches a CPU, so differences below 1 MiB mean nothing. */
#ifndef VEL_BENCH_MEASURE_H
#define VEL_BENCH_MEASURE_H

#include <sys/types.h>

#include "bench/sample.h"

enum { BENCH_TICK_MS = 50, BENCH_MOST_HELPERS = 64 };

typedef struct {
    pid_t pid;
    int64_t peak_kb;
    int64_t cpu_ns, seen_cpu_ns; /* before; the last seen */
} bench_helper;

typedef struct {
    pid_t pid;
    bench_sample start; /* counters when the timed part began */
    int64_t sampled_kb; /* the most seen at a tick, helpers included */
    bench_helper helpers[BENCH_MOST_HELPERS];
    int n_helpers, ticks;
} bench_meter;

void bench_meter_begin(bench_meter *m, pid_t pid);
void bench_meter_tick(bench_meter *m);

/* Fills all of the sample but doubts, order and cgroup_peak_bytes. */
void bench_meter_end(bench_meter *m, int64_t wall_ns, bench_sample *s);

#endif
