/* par.h - loops over threads. The only place that knows OpenMP. */
#ifndef VEL_CORE_PAR_H
#define VEL_CORE_PAR_H

#include "core/ctx.h"

/* One item. ctx is the worker's own: its scratch is given back after each item; a failure's message belongs in it. */
typedef vel_err (*vel_body)(vel_ctx *ctx, int64_t i, void *arg);

/* body(i) for i = 0 .. n-1 on ctx->threads threads, handed out one by one.
 *
 * Items must be independent: then the result is the same for any number of threads. Of several failures the one
 * with the lowest index is returned (later items may be skipped), with its message in ctx. Cancelling is polled
 * before each item. `what` names the work for the progress line; NULL: none. */
vel_err vel_for(vel_ctx *ctx, const char *what, int64_t n, vel_body body, void *arg) VEL_CHECKED;

/* The same, for loops that follow each other block by block: what the workers' scratch has grown to is kept for the
 * next one by ctx->scratch, until that is trimmed or reset. Else each loop touches new memory. */
vel_err vel_for_next(vel_ctx *ctx, const char *what, int64_t n, vel_body body, void *arg) VEL_CHECKED;

/* The cores that this process may use: affinity and cgroup quota honoured, at least 1. */
int vel_cores(void);

/* How many of the wanted threads this process can have, at least 1: a limit on processes (ulimit -u, the cgroup's
 * pids.max) may allow fewer, and OpenMP ends the program that asks for more. Starts them once and lets them go. */
int vel_threads_startable(int wanted);

/* Which worker of vel_for runs now: 0 .. ctx->threads - 1 (0 outside). For per-thread workspaces. */
int vel_worker(void);

#endif
