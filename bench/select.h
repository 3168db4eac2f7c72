/* select.h - which benches a run does: a tier, and a glob over names. */
#ifndef VEL_BENCH_SELECT_H
#define VEL_BENCH_SELECT_H

#include "bench/benches.h"
#include "core/ctx.h"

typedef enum {
    BENCH_SET_LONG,       /* the default: the published ones that are not extra-long */
    BENCH_SET_QUICK,      /* the quick ones */
    BENCH_SET_EXTRA_LONG, /* the extra-long ones */
    BENCH_SET_VENDOR,     /* the published workflows, of every tier */
    BENCH_SET_STEPS,      /* single steps, threads, memory to its bounds, files */
    BENCH_SET_STEPS_LONG, /* of these, what takes a rival long */
    BENCH_N_SETS
} bench_set;

const char *bench_set_word(bench_set set); /* "quick", as the flag without its dashes */

/* The rows of the set whose name matches `only` (NULL: all), in the table's order; list has room for bench_n_rows.
 * VEL_EUSAGE if there is none: says in which other set the glob would match. */
vel_err bench_select(vel_ctx *ctx, bench_set set, const char *only, const bench_row **list, int *n) VEL_CHECKED;

#endif
