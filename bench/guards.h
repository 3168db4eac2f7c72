/* guards.h - what disturbs a measurement: read before a run for the record, and around each sample for its doubts. */
#ifndef VEL_BENCH_GUARDS_H
#define VEL_BENCH_GUARDS_H

#include "bench/sample.h"

/* The steal column of /proc/stat in ticks, and the microseconds that some task waited for a CPU; -1: not told. */
int64_t bench_steal_ticks(void);
int64_t bench_cpu_pressure_us(void);

/* Nanoseconds of a fixed chain of dependent additions, about a millisecond; the least of three. */
int64_t bench_sentinel_ns(void);

/* The BENCH_… bits that this sample earns. threads: what the run was given. before, after: the sentinel's times. */
unsigned bench_doubts(const bench_sample *s, int threads, int64_t before_ns, int64_t after_ns);

/* The word of a doubt ("steal"). */
const char *bench_doubt_word(int index);

/* One finding about the machine. warn: it disturbs. */
typedef struct {
    const char *name;
    char value[96];
    bool warn;
} bench_finding;

enum { BENCH_MOST_FINDINGS = 16 };

/* governor, turbo, load, pressure, steal, swap, huge pages, address randomisation, CPU quota …: how many. threads: what
 * a run wants. */
int bench_findings(int threads, bench_finding *list, int max);

#endif
