#include "bench/ladder_plot.h"

#include <inttypes.h>
#include <stdio.h>

#include "bench/chart.h"
#include "bench/format.h"
#include "bench/host.h"

enum { WIDTH = 330, HEIGHT = 290, MARGIN = 172 };

static double seconds_of(const bench_rung *r) { return r->wall_s; }
static double bytes_of(const bench_rung *r) { return r->added_b; }

/* The colour belongs to the row of the table, so that it stays whatever was selected. */
static vel_err trace_of(vel_ctx *ctx, const bench_side *side, const bench_climb *climb, const double *sizes,
                        double (*of)(const bench_rung *), bench_trace *trace) {
    double *y;
    const int row = (int)(climb->step - bench_ladder_steps);
    VEL_TRY(VEL_ALLOC(ctx, y, side->sizes.n));
    for (int i = 0; i < side->sizes.n; i++) y[i] = of(&climb->rung[i]);
    *trace = (bench_trace){.name = climb->step->name,
                           .x = sizes,
                           .y = y,
                           .n = side->sizes.n,
                           .colour = row % BENCH_COLOURS,
                           .strong = row == bench_n_ladder_steps - 1};
    return VEL_OK;
}

static vel_err panel_of(vel_ctx *ctx, const bench_ladder *ladder, bench_side_kind kind, bool memory,
                        bench_panel *panel) {
    const bench_side *side = &ladder->sides[kind];
    bench_trace *traces;
    double *sizes;
    VEL_TRY(VEL_ALLOC(ctx, traces, BENCH_MOST_CLIMBS));
    VEL_TRY(VEL_ALLOC(ctx, sizes, BENCH_MOST_SIZES));
    for (int i = 0; i < side->sizes.n; i++) sizes[i] = (double)side->sizes.at[i];
    for (int i = 0; i < side->n_climbs; i++)
        VEL_TRY(trace_of(ctx, side, &side->climbs[i], sizes, memory ? bytes_of : seconds_of, &traces[i]));
    *panel = (bench_panel){.x_name = kind == BENCH_OVER_CELLS ? "cells" : "genes",
                           .traces = traces,
                           .n_traces = side->n_climbs,
                           .x_unit = bench_unit_count,
                           .y_unit = memory ? bench_unit_bytes : bench_unit_seconds,
                           .x_ticks = sizes,
                           .n_x_ticks = side->sizes.n,
                           .diagonals = true};
    return bench_format(ctx, ctx->scratch, &panel->title, "%s over %s, %" PRId64 " %s",
                        memory ? "Memory added" : "Time", kind == BENCH_OVER_CELLS ? "cells" : "genes", side->beside,
                        kind == BENCH_OVER_CELLS ? "genes" : "cells");
}

vel_err bench_ladder_plot(vel_ctx *ctx, const bench_ladder *ladder, const char **text) {
    bench_panel panels[2 * BENCH_SIDES];
    const char *notes[2], *hardware;
    int n = 0, columns = 0;
    for (bench_side_kind s = BENCH_OVER_CELLS; s < BENCH_SIDES; s++) columns += ladder->sides[s].sizes.n > 0;
    for (int memory = 0; memory < 2; memory++)
        for (bench_side_kind s = BENCH_OVER_CELLS; s < BENCH_SIDES; s++)
            if (ladder->sides[s].sizes.n) VEL_TRY(panel_of(ctx, ladder, s, memory, &panels[n++]));
    VEL_TRY(bench_host_line(ctx, &ladder->run->host, &hardware));
    VEL_TRY(bench_format(ctx, ctx->scratch, &notes[0],
                         "Dotted: linear growth. Each step by itself; dynamical is the "
                         "whole recipe, from counts to the graph. %d thread%s.",
                         ladder->run->request.threads, ladder->run->request.threads == 1 ? "" : "s"));
    notes[1] = hardware;
    vel_text t = vel_text_new(ctx->scratch);
    bench_chart_svg(&t, &(bench_chart){.title = "Growth over cells and genes",
                                       .notes = notes,
                                       .n_notes = 2,
                                       .panels = panels,
                                       .n_panels = n,
                                       .columns = columns,
                                       .width = WIDTH,
                                       .height = HEIGHT,
                                       .margin = MARGIN});
    return vel_text_done(ctx, &t, text);
}
