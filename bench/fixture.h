/* fixture.h - the inputs of the benches: simulated by our own steps, once, and kept on disk by a key.
 *
 *     simulate n_obs=CELLS n_vars=GENES random_seed=0 | the steps of the row (bench_row.fixture), by default
 *     filter_and_normalize min_shared_counts=5 | log1p |
 *     moments n_pcs=min(30, GENES - 1) n_neighbors=min(30, CELLS - 1) dtype=float64
 *
 * which is what the same calls of scVelo 0.3.4 make, with Ms and Mu cast to float64. A fixture may hold a fit: the
 * programs then start from the same file with the fit in it. The key is a hash of the recipe and of this program's own
 * bytes: a fixture is never older than the code that would make it. A packed one (bench_row.packing) is the plain one
 * written again by the reference's driver. */
#ifndef VEL_BENCH_FIXTURE_H
#define VEL_BENCH_FIXTURE_H

#include "bench/result.h"

/* `simulate` with its shape and seed, and the recipe above with these steps (NULL: the default); in the arena. */
vel_err bench_simulate_recipe(vel_ctx *ctx, vel_arena *arena, int64_t cells, int64_t genes,
                              const char **recipe) VEL_CHECKED;
vel_err bench_fixture_recipe(vel_ctx *ctx, vel_arena *arena, int64_t cells, int64_t genes, const char *steps,
                             const char **recipe) VEL_CHECKED;

/* Sets line->fixture to its recipe and line->input to its file, made now unless it is there (line->made_now), within
 * line->making_s. A child that fails makes the line BENCH_LINE_FIXTURE, with its story: no error. Fixtures of the same
 * shape by another program are removed, once nobody has used them for half an hour. */
vel_err bench_fixture(vel_ctx *ctx, bench_run *run, bench_line *line) VEL_CHECKED;

#endif
