#include "bench/kernel_fit.h"

#include "core/decide.h"
#include "core/fmath.h"
#include "core/passes.h"
#include "core/project.h"
#include "core/sum.h"

static const vel_branch branch = {.alpha = 1, .u0 = 0.1, .s0 = 0.1, .u_inf = 1, .s_inf = 1, .c = -0.5};

vel_err bench_make_screen(vel_ctx *ctx, bench_kernel_data *d) {
    VEL_TRY(VEL_ALLOC(ctx, d->screen, 1));
    return vel_screen_new(ctx, &d->segments, (vel_part){0}, d->screen);
}

vel_err bench_run_decide(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_choice choice = {.segments = &d->segments,
                               .n = d->shape.cells,
                               .count = 4,
                               .row = {d->row[0], d->row[1], d->row[2], d->row[3]},
                               .tag = VEL_DOUBLE};
    (void)ctx;
    const vel_changed none[2] = {{NULL, 0}, {NULL, 0}};
    vel_decide(&choice, d->screen, d->state);
    vel_decide_again(&choice, none, d->screen, (uint8_t *)d->a, d->state);
    return VEL_OK;
}

vel_err bench_run_kinetics(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    const int64_t n = d->shape.cells;
    (void)ctx;
    passes->decays(n, 3, 2, d->t, d->a, d->b);
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
    passes->since(n, &rates, 0.5, d->t, d->c, d->a, d->b);
    passes->misfits(n, branches, &misfit, d->c, d->a, d->b, d->a, d->b);
    d->a[0] = vel_sum_f64(d->a, n);
    return VEL_OK;
}

vel_err bench_run_projection(vel_ctx *ctx, bench_kernel_data *d) {
    vel_vec time = {d->a, VEL_DOUBLE};
    (void)ctx;
    vel_project(d->shape.cells, (vel_vec){d->u, VEL_DOUBLE}, (vel_vec){d->s, VEL_DOUBLE}, d->shape.points,
                (vel_vec){d->curve_t, VEL_DOUBLE}, (vel_vec){d->curve_u, VEL_DOUBLE}, (vel_vec){d->curve_s, VEL_DOUBLE},
                &time);
    return VEL_OK;
}
