/* run.h - runs the benches: a fresh child for each repeat of each program, repeats interleaved. */
#ifndef VEL_BENCH_RUN_H
#define VEL_BENCH_RUN_H

#include "bench/result.h"

/* Told as the run goes on; members may be NULL. */
typedef struct {
    void *user;
    void (*start)(void *user, const bench_run *run, int line, int backend, int repeat);
    vel_err (*done)(void *user, bench_run *run, int line); /* after each bench: the time to write the outputs */
} bench_listener;

/* Lines for the selected rows, all pending. run->request, backends and arena are set. */
vel_err bench_run_plan(vel_ctx *ctx, bench_run *run, const bench_row *const *rows, int n) VEL_CHECKED;

/* Does every line. What fails in a child is in the lines; VEL_EINTR or VEL_ETERM: asked to stop, and what was finished
 * is there (run->interrupted). */
vel_err bench_run_all(vel_ctx *ctx, bench_run *run, const bench_listener *listener) VEL_CHECKED;

#endif
