#include "bench/roofline_plot.h"

#include <math.h>

#include "bench/chart.h"
#include "bench/format.h"
#include "bench/host.h"

enum { WIDTH = 760, HEIGHT = 430, MARGIN = 40, PEAKS = 2 };

/* Operations a byte from which to which the roofs are drawn. */
static const double thin = 0.04, dense = 100;

/* The slanted roof of a level: up to the highest peak. */
static vel_err slope_of(vel_ctx *ctx, const bench_level *level, double peak, bench_trace *trace) {
    double *x, *y;
    char figure[BENCH_UNIT];
    const double bandwidth = bench_bandwidth(level);
    const char *name;
    VEL_TRY(VEL_ALLOC(ctx, x, 2));
    VEL_TRY(VEL_ALLOC(ctx, y, 2));
    bench_unit_bandwidth(bandwidth, figure);
    VEL_TRY(bench_format(ctx, ctx->scratch, &name, "%s, %s", level->name, figure));
    x[0] = thin, x[1] = fmin(peak / bandwidth, dense);
    y[0] = thin * bandwidth, y[1] = x[1] * bandwidth;
    *trace = (bench_trace){.name = name, .kind = BENCH_TRACE_GUIDE, .x = x, .y = y, .n = 2};
    return VEL_OK;
}

/* The level roof of an arithmetic: from where the fastest memory reaches it. */
static vel_err peak_of(vel_ctx *ctx, const char *what, double peak, double fastest, bench_trace *trace) {
    double *x, *y;
    char figure[BENCH_UNIT];
    const char *name;
    VEL_TRY(VEL_ALLOC(ctx, x, 2));
    VEL_TRY(VEL_ALLOC(ctx, y, 2));
    bench_unit_rate(peak, figure);
    VEL_TRY(bench_format(ctx, ctx->scratch, &name, "%s precision, %s", what, figure));
    x[0] = fmin(peak / fastest, dense / 2), x[1] = dense;
    y[0] = y[1] = peak;
    *trace = (bench_trace){.name = name, .kind = BENCH_TRACE_GUIDE, .x = x, .y = y, .n = 2};
    return VEL_OK;
}

/* The colour is that of what limits. */
static vel_err point_of(vel_ctx *ctx, const bench_placed *p, bench_trace *trace) {
    static const int colours[BENCH_LIMITS] = {0, 4, 6, 5, 2, 7};
    double *x, *y;
    const char *name;
    VEL_TRY(VEL_ALLOC(ctx, x, 1));
    VEL_TRY(VEL_ALLOC(ctx, y, 1));
    VEL_TRY(bench_format(ctx, ctx->scratch, &name, "%s: %.0f %% of %s", p->kernel->name, 100 * p->roof_s / p->seconds,
                         bench_limit_of_word(p->limit)));
    *x = p->work.flops / p->work.bytes;
    *y = p->work.flops / p->seconds;
    *trace =
        (bench_trace){.name = name, .kind = BENCH_TRACE_POINT, .x = x, .y = y, .n = 1, .colour = colours[p->limit]};
    return VEL_OK;
}

vel_err bench_roofline_plot(vel_ctx *ctx, const bench_roofline *r, const char **text) {
    bench_trace traces[BENCH_LEVELS + PEAKS + BENCH_MOST_KERNELS];
    const bench_speeds *s = &r->one;
    const double single = fmax(s->fused_f32, s->apart_f32), twice = fmax(s->fused_f64, s->apart_f64);
    const char *notes[2], *hardware;
    int n = 0;
    for (int i = 0; i < BENCH_LEVELS; i++) VEL_TRY(slope_of(ctx, &s->level[i], single, &traces[n++]));
    VEL_TRY(peak_of(ctx, "single", single, bench_bandwidth(&s->level[0]), &traces[n++]));
    VEL_TRY(peak_of(ctx, "double", twice, bench_bandwidth(&s->level[0]), &traces[n++]));
    for (int i = 0; i < r->n; i++) VEL_TRY(point_of(ctx, &r->placed[i], &traces[n++]));
    VEL_TRY(bench_host_line(ctx, &r->run->host, &hardware));
    notes[0] =
        "Lines: what this machine gives one thread. Points: the kernels, with the share of what limits them; that "
        "need not be a line shown.";
    notes[1] = hardware;
    static const double ticks[] = {0.01, 0.1, 1, 10, 100};
    const bench_panel panel = {.title = "Operations a second over operations a byte",
                               .x_name = "operations a byte",
                               .traces = traces,
                               .n_traces = n,
                               .x_unit = bench_unit_count,
                               .x_ticks = ticks,
                               .n_x_ticks = sizeof ticks / sizeof *ticks,
                               .y_unit = bench_unit_rate};
    vel_text t = vel_text_new(ctx->scratch);
    bench_chart_svg(&t, &(bench_chart){.title = "Roofline of the kernels",
                                       .notes = notes,
                                       .n_notes = 2,
                                       .panels = &panel,
                                       .n_panels = 1,
                                       .columns = 1,
                                       .width = WIDTH,
                                       .height = HEIGHT,
                                       .margin = MARGIN});
    return vel_text_done(ctx, &t, text);
}
