/* counts.h - simulated abundances made the input that a workflow starts from. */
#ifndef VEL_BENCH_COUNTS_H
#define VEL_BENCH_COUNTS_H

#include "bench/benches.h"
#include "core/adata.h"

/* The abundances (dense float64 in X, spliced and unspliced) rounded to counts and kept in that form, and obs/clusters:
 * the fifths of obs/true_t. BENCH_AS_MADE: nothing is done. */
vel_err bench_make_counts(vel_ctx *ctx, vel_adata *ad, bench_form form) VEL_CHECKED;

#endif
