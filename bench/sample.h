/* sample.h - one measurement of one timed part: what measure.c fills and every output shows. */
#ifndef VEL_BENCH_SAMPLE_H
#define VEL_BENCH_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* Why a sample is not to be trusted alone. It is kept and flagged, never dropped.
 *   name, bit word, what it means */
#define BENCH_DOUBT_ROWS(X)                                                              \
    X(SWITCHED, "involuntary-switches", "more than one involuntary switch in 10 ms")     \
    X(STOLEN, "steal", "the hypervisor took CPU time away")                              \
    X(STARVED, "cpu-share", "less than 98 % of a core for a one-thread run")             \
    X(PAGED, "major-faults", "pages were read from disk")                                \
    X(SLOWED, "frequency", "a fixed loop ran more than 2 % slower or faster afterwards") \
    X(CROWDED, "pressure", "runnable tasks waited more than 5 % of the time")

enum {
#define BENCH_DOUBT_BIT(name, word, why) BENCH_DOUBT_INDEX_##name,
    BENCH_DOUBT_ROWS(BENCH_DOUBT_BIT)
#undef BENCH_DOUBT_BIT
        BENCH_N_DOUBTS
};
enum {
#define BENCH_DOUBT_FLAG(name, word, why) BENCH_##name = 1 << BENCH_DOUBT_INDEX_##name,
    BENCH_DOUBT_ROWS(BENCH_DOUBT_FLAG)
#undef BENCH_DOUBT_FLAG
};

/* Counts are of the timed part alone, all threads, and the helper processes where said. -1: the kernel does not tell.
 */
typedef struct {
    int64_t wall_ns;                  /* on the child's own clock */
    int64_t cpu_ns;                   /* helpers included */
    int64_t cpu_user_ns, cpu_sys_ns;  /* the same, in the kernel's ticks of 10 ms */
    int64_t minflt, majflt;           /* page faults, waited-for helpers included */
    int64_t nvcsw, nivcsw;            /* voluntary and involuntary switches, of the threads alive at the end */
    int64_t rss_before_kb;            /* of the child when its timed part began */
    int64_t peak_rss_kb;              /* its high-water mark, plus those of all helpers */
    int64_t peak_added_kb;            /* peak_rss_kb - rss_before_kb: exact */
    int64_t sampled_added_kb;         /* the same looked at every 50 ms: misses short peaks */
    int64_t cgroup_peak_bytes;        /* of the child's memory group over its whole life, page cache included */
    int64_t steal_ticks, pressure_us; /* of the machine while it ran */
    int64_t start_ns;
    int helpers; /* processes that the child started and that were seen */
    int order;   /* position in the run */
    bool exact;  /* the high-water mark could be reset */
    unsigned doubts;
} bench_sample;

#endif
