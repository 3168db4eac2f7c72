#include "core/dynamical_velocity.h"

#include <math.h>

#include "core/fmath.h"

/* Likelihood of a fifth state, "none of these", and what is added to the sum that the likelihoods are divided by; both
 * scvelo 0.3.4's. */
#define LIKELIHOOD_OF_NONE 1e-6
#define LEAST_EVIDENCE 1e-2

enum { OFF, ON, STEADY_OFF, STEADY_ON, STATES, NONE = STATES };
enum { CHUNK = 256 };

/* The fit with beta rescaled, the state at the switch, and what the closed form needs. */
typedef struct {
    double alpha, beta, gamma, inverse; /* inverse: 1 / (gamma - beta), NaN if they are equal */
    double u_switch, s_switch, switch_at, scaling, std_u, std_s;
} model;

typedef struct {
    double u, s;
} state;

/* State after the exponentials eu, es of a branch that begins at `from` with transcription alpha. */
static inline state state_after(const model *m, state from, double alpha, double eu, double es) {
    double c = (alpha - from.u * m->beta) * m->inverse;
    return (state){from.u * eu + alpha / m->beta * (1 - eu), from.s * es + alpha / m->gamma * (1 - es) + c * (es - eu)};
}

static model make_model(const vel_fitted_gene *f) {
    model m = {.alpha = f->alpha,
               .beta = f->beta * f->scaling,
               .gamma = f->gamma,
               .switch_at = f->switch_at,
               .scaling = f->scaling,
               .std_u = f->std_u / f->scaling,
               .std_s = f->std_s};
    double gap = m.gamma - m.beta;
    m.inverse = 1 / gap * (gap != 0);
    state at = state_after(&m, (state){0, 0}, m.alpha, vel_exp(-m.beta * m.switch_at), vel_exp(-m.gamma * m.switch_at));
    m.u_switch = at.u;
    m.s_switch = at.s;
    return m;
}

/* The data of a cell as the model sees it. */
static inline state observed(const vel_fitted_gene *f, const vel_gene_data *g, int64_t c) {
    if (g->type == VEL_F32) {
        double u = (float)((double)((const float *)g->u)[c] / f->scaling), s = ((const float *)g->s)[c];
        return (state){u - f->u0 / f->scaling, s - f->s0};
    }
    return (state){((const double *)g->u)[c] / f->scaling - f->u0 / f->scaling, ((const double *)g->s)[c] - f->s0};
}

/* exp(-rate t), n <= CHUNK. */
static void decay(int64_t n, double rate, const double *t, double *e) {
    for (int64_t i = 0; i < n; i++) e[i] = -rate * t[i];
    vel_exp_n(n, e, e);
}

/* States of a chunk of cells on both branches. */
typedef struct {
    state on[CHUNK], off[CHUNK];
} branches;

static void find_branches(const model *m, int64_t n, const double *tau_on, const double *tau_off, branches *b) {
    double eu[CHUNK], es[CHUNK];
    decay(n, m->beta, tau_on, eu);
    decay(n, m->gamma, tau_on, es);
    for (int64_t i = 0; i < n; i++) b->on[i] = state_after(m, (state){0, 0}, m->alpha, eu[i], es[i]);
    decay(n, m->beta, tau_off, eu);
    decay(n, m->gamma, tau_off, es);
    for (int64_t i = 0; i < n; i++) b->off[i] = state_after(m, (state){m->u_switch, m->s_switch}, 0, eu[i], es[i]);
}

static inline double sign(double x) { return isnan(x) ? x : (double)((x > 0) - (x < 0)); }

static inline double square(double x) { return x * x; }

/* Sums over the cells, in order, of the distance to the nearer branch and of its signed root. */
typedef struct {
    double distance, root;
} spread;

/* Squared distances of a cell to the four states; adds the nearer branch to the spread. */
static inline void measure(const model *m, state x, state on, state off, double *row, spread *sum) {
    double ds_on = (x.s - on.s) / m->std_s, ds_off = (x.s - off.s) / m->std_s;
    row[ON] = square((x.u - on.u) / m->std_u) + square(ds_on);
    row[OFF] = square((x.u - off.u) / m->std_u) + square(ds_off);
    row[STEADY_ON] = square((x.u - m->alpha / m->beta) / m->std_u) + square((x.s - m->alpha / m->gamma) / m->std_s);
    row[STEADY_OFF] = square(x.u / m->std_u) + square(x.s / m->std_s);
    double o = row[ON] < row[OFF] || (isnan(row[ON]) && !isnan(row[OFF]));
    double distance = row[ON] * o + row[OFF] * (1 - o);
    sum->distance += distance;
    sum->root += sign(ds_on * o + ds_off * (1 - o)) * sqrt(distance);
}

/* Four rows at once, a cell's side by side; two doubles are a vector everywhere. */
typedef double pair __attribute__((vector_size(16), may_alias));

static void average_rows(const vel_average *avg, const double *rows, double *out) {
    const pair *x = (const pair *)rows;
    pair *y = (pair *)out;
    for (int64_t c = 0; c < avg->n; c++) {
        double w = avg->weight[c];
        pair low = {0, 0}, high = {0, 0};
        for (int64_t e = avg->indptr[c]; e < avg->indptr[c + 1]; e++) {
            low += w * x[2 * (int64_t)avg->indices[e]];
            high += w * x[2 * (int64_t)avg->indices[e] + 1];
        }
        y[2 * c] = low;
        y[2 * c + 1] = high;
    }
}

/* Rows of distances before and after averaging (then times instead), and a byte a cell. */
size_t vel_dynamical_work(int64_t n) { return (size_t)n * 2 * STATES + ((size_t)n + 7) / 8; }

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Fills the rows; returns the variance of the distances. */
static double measure_cells(const model *m, const vel_fitted_gene *f, const vel_gene_data *g, const double *tau_on,
                            const double *tau_off, double *rows) {
    spread sum = {0, 0};
    branches b;
    for (int64_t first = 0; first < g->n; first += CHUNK) {
        int64_t count = least(CHUNK, g->n - first);
        find_branches(m, count, tau_on + first, tau_off + first, &b);
        for (int64_t i = 0; i < count; i++)
            measure(m, observed(f, g, first + i), b.on[i], b.off[i], rows + STATES * (first + i), &sum);
    }
    double n = (double)g->n;
    return sum.distance / n - square(sum.root / n);
}

/* Adds the squared distance in time, weighed by the mean distance of the branch. */
static void pull_to_latent_time(const model *m, int64_t n, const double *latent, const double *tau_on,
                                const double *tau_off, double *rows) {
    double mean[STATES] = {0};
    for (int64_t c = 0; c < n; c++)
        for (int k = 0; k < STATES; k++) mean[k] += rows[STATES * c + k];
    for (int k = 0; k < STATES; k++) mean[k] /= (double)n;
    for (int64_t c = 0; c < n; c++) {
        double on = square(tau_on[c] - latent[c]) * mean[ON];
        double off = square(tau_off[c] + m->switch_at - latent[c]) * mean[OFF];
        rows[STATES * c + OFF] += off;
        rows[STATES * c + ON] += on;
        rows[STATES * c + STEADY_OFF] += on; /* the reference swaps the steady states here */
        rows[STATES * c + STEADY_ON] += off;
    }
}

/* The likeliest state of each of n <= CHUNK cells, NONE among them; the first of equals, a NaN before all. */
static void classify(int64_t n, const double *rows, double scale, uint8_t *states) {
    double p[STATES * CHUNK];
    for (int64_t i = 0; i < STATES * n; i++) p[i] = -0.5 * rows[i];
    vel_exp_n(STATES * n, p, p);
    for (int64_t c = 0; c < n; c++) {
        double q[STATES + 1], total = 0;
        for (int k = 0; k < STATES; k++) q[k] = scale * p[STATES * c + k];
        q[NONE] = LIKELIHOOD_OF_NONE;
        for (int k = 0; k <= STATES; k++) total += q[k];
        total += LEAST_EVIDENCE;
        total += total == 0;
        int best = 0;
        for (int k = 0; k <= STATES; k++) q[k] /= total;
        for (int k = 1; k <= STATES && !isnan(q[best]); k++)
            if (q[k] > q[best] || isnan(q[k])) best = k;
        states[c] = (uint8_t)best;
    }
}

/* numpy.clip from below: a NaN stays, and of equals (zeros) the bound is taken. */
static inline double at_least(double x, double bound) { return x <= bound ? bound : x; }

/* A run of cells that is worked on at once. */
typedef struct {
    int64_t first, count;
    const uint8_t *kinds; /* count: their likeliest states */
    double *out[2];       /* v and v_u of all cells */
} chunk;

static inline void put_velocity(const model *m, state data, state at, double alpha, int64_t c, const chunk *part) {
    part->out[0][c] = at_least(at.u * m->beta - at.s * m->gamma, -data.s);
    part->out[1][c] = at_least((alpha - m->beta * at.u) * m->scaling, -data.u * m->scaling);
}

/* Velocities at the averaged times t[count]. */
static void at_times(const model *m, const vel_fitted_gene *f, const vel_gene_data *g, const double *t,
                     const chunk *part) {
    double tau[CHUNK], eu[CHUNK], es[CHUNK];
    for (int64_t i = 0; i < part->count; i++) {
        double before = t[i] < m->switch_at;
        tau[i] = t[i] * before + (t[i] - m->switch_at) * (1 - before);
    }
    decay(part->count, m->beta, tau, eu);
    decay(part->count, m->gamma, tau, es);
    for (int64_t i = 0; i < part->count; i++) {
        double before = t[i] < m->switch_at, after = t[i] >= m->switch_at, on_curve = part->kinds[i] < 2;
        state from = {m->u_switch * (1 - before), m->s_switch * (1 - before)};
        state at = state_after(m, from, m->alpha * before, eu[i], es[i]);
        double on = on_curve * before, off = on_curve * after;
        at = (state){at.u * on + at.u * off, at.s * on + at.s * off};
        put_velocity(m, observed(f, g, part->first + i), at, m->alpha * before * on, part->first + i, part);
    }
}

/* Velocities where every cell stands for itself. */
static void at_branches(const model *m, const vel_fitted_gene *f, const vel_gene_data *g, const branches *b,
                        const chunk *part) {
    for (int64_t i = 0; i < part->count; i++) {
        double on = part->kinds[i] == ON, off = part->kinds[i] == OFF;
        state at = {b->on[i].u * on + b->off[i].u * off, b->on[i].s * on + b->off[i].s * off};
        put_velocity(m, observed(f, g, part->first + i), at, m->alpha * on, part->first + i, part);
    }
}

/* Divides the rows by the variance and finds the likeliest state of each cell, in place of its distances. */
static void classify_cells(int64_t n, double variance, double *rows, uint8_t *kinds) {
    double scale = 1 / (2 * M_PI * sqrt(variance));
    for (int64_t first = 0; first < n; first += CHUNK)
        classify(least(CHUNK, n - first), rows + STATES * first, scale, kinds + first);
}

/* The times of the likeliest states, averaged: t[n] out, raw[n] scratch. */
static void average_times(const vel_average *avg, const double *tau_on, const double *tau_off, double switch_at,
                          const uint8_t *kinds, double *raw, double *t) {
    for (int64_t c = 0; c < avg->n; c++)
        raw[c] = tau_on[c] * (kinds[c] == ON) + (tau_off[c] + switch_at) * (kinds[c] == OFF);
    vel_average_f64(avg, raw, t);
}

void vel_dynamical_velocity(const vel_dynamical_opts *opts, const vel_fitted_gene *fit, const vel_gene_data *gene,
                            const double *tau_on, const double *tau_off, double *work, double *v, double *v_u) {
    int64_t n = gene->n;
    double *rows = work, *averaged = rows + STATES * n, *t = rows;
    uint8_t *kinds = (uint8_t *)(averaged + STATES * n);
    model m = make_model(fit);
    double variance = measure_cells(&m, fit, gene, tau_on, tau_off, rows);
    if (opts->average)
        average_rows(opts->average, rows, averaged);
    else
        averaged = rows;
    for (int64_t i = 0; i < STATES * n; i++) averaged[i] /= variance;
    if (opts->latent_time) pull_to_latent_time(&m, n, opts->latent_time, tau_on, tau_off, averaged);
    classify_cells(n, variance, averaged, kinds);
    if (opts->average) average_times(opts->average, tau_on, tau_off, m.switch_at, kinds, rows + n, t);
    for (int64_t first = 0; first < n; first += CHUNK) {
        chunk part = {first, least(CHUNK, n - first), kinds + first, {v, v_u}};
        if (opts->average) {
            at_times(&m, fit, gene, t + first, &part);
        } else {
            branches b;
            find_branches(&m, part.count, tau_on + first, tau_off + first, &b);
            at_branches(&m, fit, gene, &b, &part);
        }
    }
}

void vel_dynamical_residuals(const vel_fitted_gene *fit, const vel_gene_data *gene, const double *time, double *v,
                             double *v_u) {
    vel_fitted_gene raw = *fit;
    raw.u0 = fit->u0 * fit->scaling; /* the reference does not rescale the basal level here */
    model m = make_model(fit);
    for (int64_t c = 0; c < gene->n; c++) {
        state x = observed(&raw, gene, c);
        v[c] = x.u * m.beta - x.s * m.gamma;
        v_u[c] = (m.alpha * (time[c] < m.switch_at) - m.beta * x.u) * m.scaling;
    }
}
