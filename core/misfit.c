#include "core/misfit.h"

#include <math.h>

#include "core/fmath.h"
#include "core/sum.h"

/* du[n], ds[n] of the cells of the mask; eu, es, on: n doubles of work each. */
typedef struct {
    double *du, *ds, *eu, *es, *on;
} residuals;

static residuals split(double *work, int64_t n) {
    return (residuals){work, work + n, work + 2 * n, work + 3 * n, work + 4 * n};
}

/* Decay since the cell's branch began; on = 1 for the induction branch. */
static void decays(const vel_trajectory *p, vel_mask mask, vel_vec t, const residuals *r) {
    for (int64_t j = 0; j < mask.n; j++) {
        double tau;
        r->on[j] = vel_branch_time(p, vel_at(t, mask.cell[j]), &tau);
        r->eu[j] = -p->rates.beta.v * tau;
        r->es[j] = -p->rates.gamma.v * tau;
    }
    vel_exp_n(mask.n, r->eu, r->eu);
    vel_exp_n(mask.n, r->es, r->es);
}

static residuals residuals_of(const vel_cells *c, const vel_trajectory *p, vel_mask mask, vel_vec t, double *work) {
    residuals r = split(work, mask.n);
    vel_branch on = vel_branch_of(p, true), off = vel_branch_of(p, false);
    double std_u = c->std_u.v, std_s = c->std_s.v, sigma = p->sigma.v;
    decays(p, mask, t, &r);
    for (int64_t j = 0; j < mask.n; j++) {
        const vel_branch *b = r.on[j] != 0 ? &on : &off;
        double u = vel_branch_u(b, r.eu[j]), s = vel_branch_s(b, r.eu[j], r.es[j]);
        int64_t i = mask.cell[j];
        r.du[j] = ((u - vel_div(vel_at(c->u, i), p->sigma).v) / std_u) * sigma;
        r.ds[j] = (s - c->s.v[i]) / std_s;
    }
    return r;
}

/* d = du^2 + ds^2 + reg^2, in place of du. */
static void square(const vel_cells *c, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask,
                   const residuals *r) {
    vel_num excess = vel_weak(0);
    if (ratio->fixed) excess = vel_sub(vel_div(p->rates.gamma, p->rates.beta), ratio->rho);
    for (int64_t j = 0; j < mask.n; j++) {
        vel_num reg = vel_weak(0);
        if (ratio->fixed) reg = vel_div(vel_mul(excess, vel_at(c->s, mask.cell[j])), c->std_s);
        r->du[j] = (r->du[j] * r->du[j] + r->ds[j] * r->ds[j]) + vel_square(reg).v;
    }
}

double vel_loss(const vel_cells *cells, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                double *work) {
    residuals r = residuals_of(cells, p, mask, t, work);
    square(cells, p, ratio, mask, &r);
    return vel_sum_f64(r.du, mask.n);
}

static double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

/* mean(d) - mean(sign(ds) sqrt(d))^2 */
static double variance(int64_t n, const double *d, const double *ds, double *work) {
    if (!n) return NAN;
    for (int64_t j = 0; j < n; j++) work[j] = sign(ds[j]) * sqrt(d[j]);
    double mean = vel_mean_f64(work, n);
    return vel_mean_f64(d, n) - mean * mean;
}

double vel_likelihood(const vel_cells *cells, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                      double *work) {
    residuals r = residuals_of(cells, p, mask, t, work);
    square(cells, p, ratio, mask, &r);
    double n = (double)mask.n - (double)cells->n * 0.01;
    if (n < 2) n = 2;
    double v = variance(mask.n, r.du, r.ds, r.eu);
    v += v == 0;
    double ll = -0.5 / n * vel_sum_f64(r.du, mask.n) / v;
    return vel_exp(ll - 0.5 * vel_log(2 * M_PI * v));
}

double vel_misfit_variance(const vel_cells *cells, const vel_trajectory *p, vel_mask mask, vel_vec t, double *work) {
    vel_ratio none = {.fixed = false};
    residuals r = residuals_of(cells, p, mask, t, work);
    square(cells, p, &none, mask, &r);
    return variance(mask.n, r.du, r.ds, r.eu);
}
