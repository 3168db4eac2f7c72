/* host.h - what a run says about where it was made: hardware, system, versions, the variables that matter. */
#ifndef VEL_BENCH_HOST_H
#define VEL_BENCH_HOST_H

#include "bench/result.h"

/* Fills run->host and run->started; in run->arena. What the system does not tell is NULL. */
vel_err bench_host_look(vel_ctx *ctx, bench_run *run) VEL_CHECKED;

/* "2026-11-29T16:38:04Z", in the arena. */
vel_err bench_time_now(vel_ctx *ctx, vel_arena *arena, const char **text) VEL_CHECKED;

/* Name and value of the i-th environment variable that numerical libraries listen to and that is set; false: no more.
 */
bool bench_host_variable(int i, const char **name, const char **value);

/* The hardware line: "AMD EPYC, 2 CPUs, 24 GB, Linux 6.18". */
vel_err bench_host_line(vel_ctx *ctx, const bench_host *host, const char **text) VEL_CHECKED;

#endif
