/* worker.h - the child that measures this program: one recipe, in a process of its own.
 *
 *     velbench worker [--input FILE [--forget PATH,…]] [--before RECIPE] --op RECIPE [--threads N] [--result FILE]
 * [--untimed | --counts]
 *
 * Reads the whole file, drops the fields to forget (what op would find done already), runs `before`, tells its runner,
 * runs `op`, tells again (wire.h), writes the result. --untimed: op is not timed (a fixture). --counts: the same, and
 * what was simulated is made a workflow's input. */
#ifndef VEL_BENCH_WORKER_H
#define VEL_BENCH_WORKER_H

#include "core/adata.h"

/* Exit code of the program. argv[0] is "worker"; what fails is said on stderr. */
int bench_worker_main(int argc, char **argv);

/* Simulated abundances as counts (rounded, in X, spliced and unspliced), and obs/clusters: the fifths of obs/true_t. */
vel_err bench_make_counts(vel_ctx *ctx, vel_adata *ad) VEL_CHECKED;

#endif
