#include "core/start.h"

#include <math.h>

#include "core/bimodal.h"

#define EXTREME 98.0  /* percentile from which on a cell counts as extreme */
#define UPPER_SHARE 3 /* upper cells are above a third of the maximum */
#define BIMODAL 1e-3  /* below this p the modes are believed */
#define SLOW 0.05     /* gamma / beta, scaled: below this and */
#define FAST 1.5      /* above that it is moved by */
#define OFF_BETA 1e-6 /* added to gamma, so that it is not beta */
#define PULL 1.2      /* this factor */

typedef struct {
    int64_t n;
    vel_vec u, s; /* of the cells of the mask, u divided by sigma */
    uint8_t *high_u, *high_s;
    double *a, *b, *c; /* scratch; the three follow each other */
} sample;

static vel_vec gathered(vel_mask m, vel_vec x, double *out) {
    for (int64_t j = 0; j < m.n; j++) out[j] = x.v[m.cell[j]];
    return (vel_vec){out, x.tag};
}

static vel_num max_of(vel_mask m, vel_vec x, double *work) { return vel_vec_max(m.n, gathered(m, x, work)); }

vel_err vel_start_mask(vel_ctx *ctx, int64_t n, vel_vec u, vel_vec s, double percentile, vel_start *start,
                       bool *recoverable) {
    int32_t *cell;
    double *work;
    VEL_TRY(VEL_ALLOC(ctx, cell, n));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, work, 2 * n));
    vel_mask all = {.cell = cell};
    for (int64_t i = 0; i < n; i++)
        if (s.v[i] > 0 && u.v[i] > 0) cell[all.n++] = (int32_t)i;
    *recoverable = all.n > 2;
    if (!*recoverable) return VEL_OK;

    double most_s = vel_vec_percentile(all.n, gathered(all, s, work), percentile, work + n).v;
    double most_u = vel_vec_percentile(all.n, gathered(all, u, work), percentile, work + n).v;
    int64_t kept = 0;
    for (int64_t j = 0; j < all.n; j++) {
        int32_t i = cell[j];
        if ((!(most_s > 0) || s.v[i] <= most_s) && (!(most_u > 0) || u.v[i] <= most_u)) cell[kept++] = i;
    }
    all.n = kept;
    start->third_u = kept ? vel_div(max_of(all, u, work), vel_weak(UPPER_SHARE)).v : INFINITY;
    start->third_s = kept ? vel_div(max_of(all, s, work), vel_weak(UPPER_SHARE)).v : INFINITY;
    start->fit = all;
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static void mark_extremes(const sample *x, const uint8_t *prior, const vel_mask *m, uint8_t *steady) {
    double high_s = vel_vec_percentile(x->n, x->s, EXTREME, x->a).v;
    double high_u = vel_vec_percentile(x->n, x->u, EXTREME, x->a).v;
    for (int64_t j = 0; j < x->n; j++) {
        x->high_s[j] = x->s.v[j] >= high_s;
        x->high_u[j] = x->u.v[j] >= high_u;
        steady[j] = x->high_s[j] || (prior && prior[m->cell[j]]);
    }
}

/* gamma of the line u = gamma s through the steady cells; the others stay in the sums as zeros. */
static vel_num steady_gamma(const sample *x, const uint8_t *steady, vel_num sigma) {
    vel_vec us = {x->a, vel_larger(x->u.tag, x->s.tag)}, ss = {x->b, x->s.tag};
    for (int64_t j = 0; j < x->n; j++) {
        vel_num u = vel_mul(vel_weak(steady[j]), vel_at(x->u, j)), s = vel_mul(vel_weak(steady[j]), vel_at(x->s, j));
        us.v[j] = vel_mul(s, u).v;
        ss.v[j] = vel_square(s).v;
    }
    vel_num slope = vel_div(vel_vec_sum(x->n, us, x->c), vel_vec_sum(x->n, ss, x->c));
    vel_num gamma = vel_add(slope, vel_weak(OFF_BETA));
    if (vel_less(gamma, vel_div(vel_weak(SLOW), sigma))) return vel_mul(gamma, vel_weak(PULL));
    if (vel_less(vel_div(vel_weak(FAST), sigma), gamma)) return vel_div(gamma, vel_weak(PULL));
    return gamma;
}

static vel_num mean_where(const sample *x, vel_vec values, const uint8_t *a, const uint8_t *b) {
    int64_t k = 0;
    for (int64_t j = 0; j < x->n; j++)
        if (a[j] || b[j]) x->a[k++] = values.v[j];
    return vel_vec_mean(k, (vel_vec){x->a, values.tag}, x->b);
}

static void test_modes(const sample *x, vel_start *start) {
    vel_bimodality u, s;
    start->p_steady = 1;
    start->steady_u = start->steady_s = vel_weak(0);
    if (!vel_bimodality_test(x->n, x->u, x->a, &u) || !vel_bimodality_test(x->n, x->s, x->a, &s)) return;
    start->p_steady = s.p > u.p ? s.p : u.p;
    start->steady_u = u.upper;
    start->steady_s = s.upper;
}

static vel_err take_sample(vel_ctx *ctx, vel_vec u, vel_vec s, const vel_start_options *o, vel_start *start,
                           sample *x) {
    int64_t n = start->fit.n;
    double *memory;
    VEL_TRY(VEL_ALLOC(ctx, memory, 5 * n));
    VEL_TRY(VEL_ALLOC(ctx, x->high_u, n));
    VEL_TRY(VEL_ALLOC(ctx, x->high_s, n));
    x->n = n;
    x->u = gathered(start->fit, u, memory);
    x->s = gathered(start->fit, s, memory + n);
    x->a = memory + 2 * n;
    x->b = memory + 3 * n;
    x->c = memory + 4 * n;

    start->std_u = vel_vec_std(n, x->u, x->a);
    start->std_s = vel_vec_std(n, x->s, x->a);
    if (start->std_u.v == 0 || start->std_s.v == 0) start->std_u = start->std_s = vel_weak(1);
    vel_num sigma = o->fit_scaling ? vel_div(start->std_u, start->std_s) : vel_weak(o->scaling);
    vel_tag tag = vel_larger(u.tag, sigma.tag);
    for (int64_t j = 0; j < n; j++) x->u.v[j] = vel_div(vel_at(x->u, j), sigma).v;
    x->u.tag = tag;
    start->p.sigma = sigma;
    return VEL_OK;
}

vel_err vel_start_values(vel_ctx *ctx, vel_vec u, vel_vec s, const vel_start_options *options, vel_start *start) {
    sample x;
    uint8_t *steady;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(take_sample(ctx, u, s, options, start, &x));
    VEL_TRY(VEL_ALLOC(ctx, steady, x.n));
    mark_extremes(&x, options->prior, &start->fit, steady);

    vel_rates r = {.beta = vel_weak(1), .gamma = steady_gamma(&x, steady, start->p.sigma)};
    vel_state end = {mean_where(&x, x.u, x.high_u, x.high_s), mean_where(&x, x.s, x.high_s, x.high_s)};
    r.alpha = vel_mul(end.u, r.beta);
    if (options->factors) {
        r.alpha = vel_double(r.alpha.v * options->factors[0]);
        r.beta = vel_double(r.beta.v * options->factors[1]);
        r.gamma = vel_double(r.gamma.v * options->factors[2]);
    }
    test_modes(&x, start);
    if (start->p_steady < BIMODAL) {
        end.u = vel_div(vel_add(end.u, start->steady_u), vel_weak(2));
        r.alpha = vel_mul(r.gamma, end.s);
        r.beta = vel_div(r.alpha, end.u);
    }
    start->p.rates = r;
    start->p.switch_at = vel_kinetics_time(&r, (vel_state){vel_weak(0), vel_weak(0)}, end);
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
