/* proc.h - what /proc tells about a process: memory, CPU time, faults, switches, and the processes it started. */
#ifndef VEL_BENCH_PROC_H
#define VEL_BENCH_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    pid_t parent;
    int64_t minflt, majflt; /* waited-for children included */
    int64_t user_ns, sys_ns;
} bench_proc_stat;

/* false: there is no such process (any more). */
bool bench_proc_stat_of(pid_t pid, bench_proc_stat *stat);

/* Nanoseconds of CPU used by all its threads, exact; -1: no such process. */
int64_t bench_proc_cpu_ns(pid_t pid);

/* Resident set and its high-water mark in kB; 0 for a process that is gone. */
int64_t bench_proc_rss_kb(pid_t pid);
int64_t bench_proc_peak_kb(pid_t pid);

/* Sets the high-water mark back to the resident set. false: the kernel refuses. */
bool bench_proc_reset_peak(pid_t pid);

/* Voluntary and involuntary switches, summed over the threads alive now. */
void bench_proc_switches(pid_t pid, int64_t *voluntary, int64_t *involuntary);

/* The processes below pid, at most max, itself not among them; how many. Reads the stat file of every process. */
int bench_proc_below(pid_t pid, pid_t *pids, int max);

/* The whole of a small file as text; false if it cannot be read. Cut at size - 1. */
bool bench_read_text(const char *path, char *text, int size);

#endif
