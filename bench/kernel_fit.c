#include "bench/kernel_fit.h"

#include "core/decide_bodies.h"
#include "core/fmath.h"
#include "core/passes.h"
#include "core/project.h"
#include "core/sum.h"

static const vel_branch branch = {.alpha = 1, .u0 = 0.1, .s0 = 0.1, .u_inf = 1, .s_inf = 1, .c = -0.5};

struct bench_screens {
    vel_two *cell, *sum[VEL_VOICES];
    vel_steady_sums steady;
};

/* The last two rows are distances to the origin and to a steady state that is itself the centre. */
static void sum_last_rows(const bench_kernel_data *d) {
    const vel_choice rows = {.segments = &d->segments, .n = d->shape.cells, .row = {d->row[2], d->row[3]}};
    const vel_decide_bodies *bodies = vel_decide_bodies_now();
    struct bench_screens *s = d->screens;
    bodies->interleave(&rows, VEL_VOICES, s->cell);
    bodies->sum(&d->segments, VEL_VOICES, s->cell, NULL, s->sum[0]);
    for (int64_t c = 0; c < d->shape.cells; c++) {
        s->steady.origin[c] = s->sum[0][c][0];
        s->steady.centre[c] = s->sum[0][c][1];
    }
    s->steady.by_u = s->steady.by_s = s->steady.apart = 0;
}

vel_err bench_make_screens(vel_ctx *ctx, bench_kernel_data *d) {
    VEL_TRY(VEL_ALLOC(ctx, d->screens, 1));
    VEL_TRY(VEL_ALLOC(ctx, d->screens->cell, VEL_VOICES * d->segments.places));
    for (int v = 0; v < VEL_VOICES; v++)
        VEL_TRY(VEL_ZALLOC(ctx, d->screens->sum[v], d->shape.cells + VEL_SEGMENT_BLOCK));
    VEL_TRY(vel_steady_sums_new(ctx, d->shape.cells, &d->screens->steady));
    sum_last_rows(d);
    return VEL_OK;
}

vel_err bench_run_decide(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_choice choice = {.segments = &d->segments,
                               .n = d->shape.cells,
                               .count = 4,
                               .row = {d->row[0], d->row[1]},
                               .tag = VEL_DOUBLE,
                               .steady = &d->screens->steady};
    const vel_decide_bodies *bodies = vel_decide_bodies_now();
    (void)ctx;
    for (int v = 0; v < VEL_VOICES; v++) bodies->interleave(&choice, VEL_VOICES, d->screens->cell + v);
    bodies->sum_both(&d->segments, d->screens->cell, d->screens->sum);
    for (int v = 0; v < VEL_VOICES; v++) bodies->compare(&choice, 4, d->screens->sum[v], d->state);
    return VEL_OK;
}

vel_err bench_run_kinetics(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    const int64_t n = d->shape.cells;
    (void)ctx;
    passes->decays(n, 3, 2, d->times, d->a, d->b);
    vel_exp_n(n, d->a, d->a);
    vel_exp_n(n, d->b, d->b);
    passes->states(n, &branch, d->a, d->b);
    return VEL_OK;
}

vel_err bench_run_loss_passes(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    const int64_t n = d->shape.cells;
    const vel_rates rates = {vel_double(1), vel_double(3), vel_double(2)};
    const vel_branch branches[2] = {branch, branch};
    const vel_pass_misfit misfit = {.u = d->u, .s = d->s, .sigma = 1.1, .std_u = 0.3, .std_s = 0.4, .excess = 0.1};
    (void)ctx;
    passes->since(n, &rates, 0.5, d->times, d->c, d->a, d->b);
    passes->misfits(n, &(vel_pass_cells){branches, d->c, d->a, d->b}, &misfit, d->a, d->b);
    d->a[0] = vel_sum_f64(d->a, n);
    return VEL_OK;
}

vel_err bench_run_projection(vel_ctx *ctx, bench_kernel_data *d) {
    vel_vec time = {d->a, VEL_DOUBLE}, x = {d->u, VEL_DOUBLE}, s = {d->s, VEL_DOUBLE};
    const vel_points curve = {
        d->shape.points, {d->curve_t, VEL_DOUBLE}, {d->curve_u, VEL_DOUBLE}, {d->curve_s, VEL_DOUBLE}};
    (void)ctx;
    vel_project(d->shape.cells, x, s, &curve, &time);
    return VEL_OK;
}
