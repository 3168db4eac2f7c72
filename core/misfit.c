#include "core/misfit.h"

#include <math.h>

#include "core/fmath.h"
#include "core/passes.h"
#include "core/sum.h"

/* Cells that are taken through all steps together: few enough for the first cache. */
enum { PIECE = 256 };

#define SLACK 1e-6      /* more than single precision and the sum of a loss lose to rounding, relative */
#define LAST_BITS 1e-12 /* more than 1 - exp does */

/* What the reference's get_likelihood takes from the number of cells, as a share of all, and the least it leaves. */
#define DISCOUNT 0.01
#define LEAST_CELLS 2.0

/* d, ds of the cells of a mask, or of a piece of it, whose times are t; on is scratch. */
typedef struct {
    double *d, *ds, *on, *t;
} residuals;

void vel_mask_take(const vel_cells *cells, vel_mask *mask, double *room) {
    double *u = room, *s = room + mask->n;
    for (int64_t j = 0; j < mask->n; j++) {
        u[j] = cells->u.v[mask->cell[j]];
        s[j] = cells->s.v[mask->cell[j]];
    }
    mask->u = u;
    mask->s = s;
}

void vel_mask_keep_above(vel_mask *mask, double u, double s) {
    int64_t n = 0;
    for (int64_t j = 0; j < mask->n; j++) {
        if (!(mask->u[j] > u && mask->s[j] > s)) continue;
        mask->cell[n] = mask->cell[j];
        mask->u[n] = mask->u[j];
        mask->s[n++] = mask->s[j];
    }
    mask->n = n;
}

/* gamma/beta - rho, 0 if there is no ratio to keep. */
static vel_num excess_of(const vel_trajectory *p, const vel_ratio *ratio) {
    return ratio->fixed ? vel_sub(vel_div(p->rates.gamma, p->rates.beta), ratio->rho) : vel_weak(0);
}

/* Whether every operation is one of doubles (or of zeros). */
static bool all_double(const vel_cells *c, const vel_trajectory *p, vel_num excess, vel_tag t) {
    bool ratio = excess.v == 0 || vel_larger(excess.tag, c->s.tag) == VEL_DOUBLE;
    return ratio && vel_larger(c->u.tag, p->sigma.tag) == VEL_DOUBLE && vel_larger(t, p->switch_at.tag) == VEL_DOUBLE;
}

static void tagged_squares(const vel_cells *c, const vel_trajectory *p, vel_num excess, vel_mask mask, vel_tag t,
                           const vel_branch b[2], const residuals *r) {
    double *eu = r->d, *es = r->ds;
    for (int64_t j = 0; j < mask.n; j++) {
        double tau;
        r->on[j] = vel_branch_time(p, (vel_num){r->t[j], t}, &tau);
        eu[j] = -p->rates.beta.v * tau;
        es[j] = -p->rates.gamma.v * tau;
    }
    vel_exp_n(mask.n, eu, eu);
    vel_exp_n(mask.n, es, es);
    for (int64_t j = 0; j < mask.n; j++) {
        const vel_branch *branch = &b[r->on[j] != 0];
        vel_num x = vel_div((vel_num){mask.u[j], c->u.tag}, p->sigma), s = {mask.s[j], c->s.tag};
        double du = ((vel_branch_u(branch, eu[j]) - x.v) / c->std_u.v) * p->sigma.v;
        double ds = (vel_branch_s(branch, eu[j], es[j]) - s.v) / c->std_s.v;
        vel_num reg = vel_div(vel_mul(excess, s), c->std_s);
        r->d[j] = (du * du + ds * ds) + vel_square(reg).v;
        r->ds[j] = ds;
    }
}

static void double_squares(const vel_cells *c, const vel_trajectory *p, vel_num excess, vel_mask mask,
                           const vel_branch b[2], const residuals *r) {
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    vel_pass_misfit m = {mask.u, mask.s, p->sigma.v, c->std_u.v, c->std_s.v, excess.v};
    passes->since(mask.n, &p->rates, p->switch_at.v, r->t, r->on, r->d, r->ds);
    vel_exp_n(mask.n, r->d, r->d);
    vel_exp_n(mask.n, r->ds, r->ds);
    passes->misfits(mask.n, &(vel_pass_cells){b, r->on, r->d, r->ds}, &m, r->d, r->ds);
}

/* d = du^2 + ds^2 + reg^2, and ds, of the cells of the mask. */
static residuals squares(const vel_cells *c, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                         double *work) {
    double on[PIECE], at[PIECE];
    vel_branch branches[2] = {vel_branch_of(p, false), vel_branch_of(p, true)};
    vel_num excess = excess_of(p, ratio);
    bool wide = all_double(c, p, excess, t.tag);
    for (int64_t i = 0; i < mask.n; i += PIECE) {
        vel_mask some = {mask.cell + i, mask.n - i < PIECE ? mask.n - i : PIECE, mask.u + i, mask.s + i};
        residuals r = {work + i, work + mask.n + i, on, at};
        for (int64_t j = 0; j < some.n; j++) at[j] = t.v[some.cell[j]];
        if (wide)
            double_squares(c, p, excess, some, branches, &r);
        else
            tagged_squares(c, p, excess, some, t.tag, branches, &r);
    }
    return (residuals){.d = work, .ds = work + mask.n};
}

double vel_loss(const vel_cells *cells, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                double *work) {
    return vel_sum_f64(squares(cells, p, ratio, mask, t, work).d, mask.n);
}

/* The most u of the path, not less than any that is computed; NaN if it does not rise from 0. */
static double most_u(const vel_trajectory *p) {
    if (!(p->rates.alpha.v > 0 && p->rates.beta.v > 0 && p->sigma.v > 0 && p->switch_at.v > 0)) return NAN;
    double end = vel_branch_of(p, true).u_inf, late = vel_branch_of(p, false).u0;
    double u = end * (1 - vel_exp(-p->rates.beta.v * p->switch_at.v));
    return (late > u ? late : u) * (1 + SLACK) + end * LAST_BITS;
}

bool vel_loss_surely_above(const vel_cells *cells, const vel_trajectory *p, vel_mask mask, double limit) {
    double std_u = cells->std_u.v, most = most_u(p) * p->sigma.v, sum = 0;
    if (!vel_trajectory_is_moderate(p, std_u)) return false;
    double enough = limit * (1 + SLACK) * (std_u * std_u);
    for (int64_t j = 0; j < mask.n && sum <= enough; j++) {
        double beyond = mask.u[j] * (1 - SLACK) - most;
        if (beyond > 0) sum += beyond * beyond;
    }
    return sum > enough;
}

static double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

/* mean(d) - mean(sign(ds) sqrt(d))^2; ds is overwritten. */
static double variance(int64_t n, const double *d, double *ds) {
    if (!n) return NAN;
    for (int64_t j = 0; j < n; j++) ds[j] = sign(ds[j]) * sqrt(d[j]);
    double mean = vel_mean_f64(ds, n);
    return vel_mean_f64(d, n) - mean * mean;
}

double vel_likelihood(const vel_cells *cells, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                      double *work) {
    residuals r = squares(cells, p, ratio, mask, t, work);
    double n = (double)mask.n - (double)cells->n * DISCOUNT;
    if (n < LEAST_CELLS) n = LEAST_CELLS;
    double v = variance(mask.n, r.d, r.ds);
    v += v == 0;
    double ll = -0.5 / n * vel_sum_f64(r.d, mask.n) / v;
    return vel_exp(ll - 0.5 * vel_log(2 * M_PI * v));
}

double vel_misfit_variance(const vel_cells *cells, const vel_trajectory *p, vel_mask mask, vel_vec t, double *work) {
    vel_ratio none = {.fixed = false};
    residuals r = squares(cells, p, &none, mask, t, work);
    return variance(mask.n, r.d, r.ds);
}
