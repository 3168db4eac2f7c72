#include "bench/ladder.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

/* Below these a cost says nothing about growth: the clock of a child, and the kernel's batches of pages. */
static const double least_s = 1e-3, least_b = 4e6;

static vel_err plan_climb(vel_ctx *ctx, const bench_ladder *ladder, const bench_ladder_step *step, bench_side *side) {
    bench_climb *climb = &side->climbs[side->n_climbs++];
    climb->step = step;
    for (int i = 0; i < side->sizes.n; i++) {
        bench_rung *r = &climb->rung[i];
        *r = (bench_rung){.wall_s = NAN, .cpu_s = NAN, .added_b = NAN, .peak_b = NAN};
        r->samples = vel_arena_zalloc(ladder->run->arena, (size_t)ladder->run->request.repeat, sizeof *r->samples);
        if (!r->samples) return vel_no_memory(ctx, (size_t)ladder->run->request.repeat, sizeof *r->samples);
    }
    return VEL_OK;
}

vel_err bench_ladder_plan(vel_ctx *ctx, const bench_ladder_request *request, bench_ladder *ladder) {
    bench_side *cells = &ladder->sides[BENCH_OVER_CELLS], *genes = &ladder->sides[BENCH_OVER_GENES];
    const char *only = ladder->run->request.only;
    ladder->budget_s = request->budget_s > 0 ? request->budget_s : BENCH_LADDER_BUDGET;
    VEL_TRY(bench_sizes_parse(ctx, "--cells", request->cells ? request->cells : BENCH_LADDER_CELLS,
                              BENCH_LADDER_LEAST_CELLS, &cells->sizes));
    VEL_TRY(bench_sizes_parse(ctx, "--genes", request->genes ? request->genes : BENCH_LADDER_GENES,
                              BENCH_LADDER_LEAST_GENES, &genes->sizes));
    VEL_TRY(bench_shape_parse(ctx, "--beside", request->beside ? request->beside : BENCH_LADDER_BESIDE, &genes->beside,
                              &cells->beside));
    if (genes->beside < BENCH_LADDER_LEAST_CELLS || cells->beside < BENCH_LADDER_LEAST_GENES)
        return vel_fail(ctx, VEL_EUSAGE, "--beside: at least %dx%d", BENCH_LADDER_LEAST_CELLS,
                        BENCH_LADDER_LEAST_GENES);
    for (int i = 0; i < bench_n_ladder_steps; i++) {
        if (only && fnmatch(only, bench_ladder_steps[i].name, 0) != 0) continue;
        for (int s = 0; s < BENCH_SIDES; s++)
            VEL_TRY(plan_climb(ctx, ladder, &bench_ladder_steps[i], &ladder->sides[s]));
    }
    if (cells->n_climbs && cells->sizes.n + genes->sizes.n) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "%s: nothing to climb", only ? only : "--cells none --genes none");
}

void bench_ladder_shape(const bench_ladder *ladder, const bench_side *side, int rung, int64_t *cells, int64_t *genes) {
    const bool over_cells = side == &ladder->sides[BENCH_OVER_CELLS];
    *cells = over_cells ? side->sizes.at[rung] : side->beside;
    *genes = over_cells ? side->beside : side->sizes.at[rung];
}

static void real_sizes(const bench_sizes *sizes, double *x) {
    for (int i = 0; i < sizes->n; i++) x[i] = (double)sizes->at[i];
}

double bench_ladder_expect(const bench_ladder *ladder, const bench_side *side, const bench_climb *climb, int rung) {
    double x[BENCH_MOST_SIZES], life[BENCH_MOST_SIZES];
    const bench_ladder_input input = climb->step->input;
    real_sizes(&side->sizes, x);
    for (int i = 0; i < rung; i++) life[i] = climb->rung[i].life_s;
    const double one = bench_growth_next(rung, x, life, x[rung]), most = ladder->run->request.repeat;
    double seconds = one > 0 ? one * fmin(most, ceil(BENCH_LADDER_ENOUGH / one)) : 0;
    if (!side->ready[input][rung]) seconds += bench_growth_next(rung, x, side->making_s[input], x[rung]);
    return seconds;
}

static void conclude(const bench_side *side, bench_climb *climb) {
    double x[BENCH_MOST_SIZES], wall[BENCH_MOST_SIZES], cpu[BENCH_MOST_SIZES], added[BENCH_MOST_SIZES];
    real_sizes(&side->sizes, x);
    for (int i = 0; i < side->sizes.n; i++) {
        wall[i] = climb->rung[i].wall_s;
        cpu[i] = climb->rung[i].cpu_s;
        added[i] = climb->rung[i].added_b;
    }
    climb->wall = bench_growth_of(side->sizes.n, x, wall, least_s);
    climb->cpu = bench_growth_of(side->sizes.n, x, cpu, least_s);
    climb->memory = bench_growth_of(side->sizes.n, x, added, least_b);
}

void bench_ladder_conclude(bench_ladder *ladder) {
    for (int s = 0; s < BENCH_SIDES; s++)
        for (int i = 0; i < ladder->sides[s].n_climbs; i++) conclude(&ladder->sides[s], &ladder->sides[s].climbs[i]);
}

int bench_ladder_exit(const bench_ladder *ladder) {
    if (ladder->run->interrupted) return 130;
    for (int s = 0; s < BENCH_SIDES; s++)
        for (int i = 0; i < ladder->sides[s].n_climbs; i++)
            for (int r = 0; r < ladder->sides[s].sizes.n; r++)
                if (ladder->sides[s].climbs[i].rung[r].state == BENCH_RUNG_FAILED) return 3;
    return 0;
}
