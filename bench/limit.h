/* limit.h - the memory limit of a child: a control group of its own where one may be made (v2 or v1), else RLIMIT_DATA.
 *
 * Running out of memory is then a matter between the child and its limit; the machine is never filled. */
#ifndef VEL_BENCH_LIMIT_H
#define VEL_BENCH_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { BENCH_NO_LIMIT, BENCH_CGROUP_V1, BENCH_CGROUP_V2, BENCH_RLIMIT } bench_limit_kind;

typedef struct {
    bench_limit_kind kind;
    int64_t bytes;
    char dir[512]; /* of the control group */
} bench_limit;

/* Makes the group of `bytes`; where that is not allowed, or without_groups, falls back to RLIMIT_DATA. bytes <= 0:
 * no limit. Cannot fail. */
void bench_limit_make(bench_limit *l, int64_t bytes, bool without_groups);

/* In the child, between fork and exec: only system calls. false: could not be entered. */
bool bench_limit_enter(const bench_limit *l);

/* What the group has seen: whether the kernel killed for want of memory; the most bytes held, -1 if not told. */
bool bench_limit_hit(const bench_limit *l);
int64_t bench_limit_peak(const bench_limit *l);

/* Kills what is left in the group and removes it. */
void bench_limit_remove(bench_limit *l);

/* The most that a child may be given on this machine now: nine tenths of the memory available, in bytes. */
int64_t bench_limit_safe(void);

/* "8G", "512M", "100000": bytes; -1 if it is no size. */
int64_t bench_parse_size(const char *text);

const char *bench_limit_word(bench_limit_kind kind);

#endif
