/* made_ladder.h - a ladder with made-up figures: linear, quadratic, stopped and failed climbs. */
#ifndef VEL_TESTS_BENCH_MADE_LADDER_H
#define VEL_TESTS_BENCH_MADE_LADDER_H

#include <math.h>

#include "bench/ladder.h"
#include "tests/bench/made.h"

static inline void made_rung(bench_rung *r, double wall_s, double added_b) {
    r->state = BENCH_RUNG_RAN;
    r->samples[r->n++] = (bench_sample){.wall_ns = (int64_t)(wall_s * 1e9), .cgroup_peak_bytes = -1, .exact = true};
    r->wall_s = r->cpu_s = wall_s;
    r->life_s = wall_s;
    r->added_b = added_b;
    r->peak_b = added_b + 1e8;
}

/* Every rung of every climb by cost = factor size^exponent. Freed by made_ladder_free. */
static inline bench_ladder *made_ladder(vel_ctx *ctx, const char *only) {
    bench_run *run = made_run();
    bench_ladder *ladder = calloc(1, sizeof *ladder);
    assert_non_null(ladder);
    ladder->run = run;
    run->request.only = only;
    const bench_ladder_request request = {.budget_s = 60};
    assert_int_equal(bench_ladder_plan(ctx, &request, ladder), VEL_OK);
    for (int s = 0; s < BENCH_SIDES; s++)
        for (int i = 0; i < ladder->sides[s].n_climbs; i++)
            for (int r = 0; r < ladder->sides[s].sizes.n; r++) {
                bench_climb *climb = &ladder->sides[s].climbs[i];
                const double x = (double)ladder->sides[s].sizes.at[r];
                const bool square = s == BENCH_OVER_CELLS && climb->step->over_cells;
                made_rung(&climb->rung[r], (square ? 1e-9 * x * x : 1e-4 * x) * (i + 1), 1e4 * x * (i + 1));
            }
    bench_ladder_conclude(ladder);
    return ladder;
}

static inline void made_ladder_free(bench_ladder *ladder) {
    made_run_free(ladder->run);
    free(ladder);
}

#endif
