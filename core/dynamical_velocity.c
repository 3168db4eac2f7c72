#include "core/dynamical_velocity.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "core/dynamical_velocity_bodies.h"
#include "core/fmath.h"
#include "core/passes.h"

enum { OFF, ON, STEADY_OFF, STEADY_ON, STATES };
enum { CHUNK = 256, SOME = 4, GENES = VEL_DYNAMICAL_GENES };
enum { PAIR = 2 }; /* genes that are averaged at once: a cache line a cell */

/* The fit with beta rescaled, and the branches: [0] repression, [1] induction. */
typedef struct {
    double alpha, beta, gamma, inverse; /* inverse: 1 / (gamma - beta), NaN if they are equal */
    double u_switch, s_switch, switch_at, scaling, std_u, std_s;
    vel_branch branch[2];
} model;

/* What the loops of this CPU are, and what all genes of a call share. */
typedef struct {
    const vel_velocity_loops *loops;
    const vel_passes *passes;
    const vel_dynamical_opts *opts;
} engine;

static engine engine_here(const vel_dynamical_opts *opts) {
    vel_cpu level = vel_cpu_level();
    bool plain = level == VEL_CPU_PLAIN;
#if defined(__x86_64__)
    return (engine){plain ? &vel_velocity_loops_plain : &vel_velocity_loops_avx2, vel_passes_at(level), opts};
#else
    (void)plain;
    return (engine){&vel_velocity_loops_plain, vel_passes_at(level), opts};
#endif
}

static vel_branch branch_from(const model *m, double u0, double s0, double alpha) {
    double c = (alpha - u0 * m->beta) * m->inverse;
    return (vel_branch){alpha, u0, s0, alpha / m->beta, alpha / m->gamma, c};
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
    m.branch[ON] = branch_from(&m, 0, 0, m.alpha);
    double eu = vel_exp(-m.beta * m.switch_at), es = vel_exp(-m.gamma * m.switch_at);
    m.u_switch = vel_branch_u(&m.branch[ON], eu);
    m.s_switch = vel_branch_s(&m.branch[ON], eu, es);
    m.branch[OFF] = branch_from(&m, m.u_switch, m.s_switch, 0);
    return m;
}

/* Columns of a chunk of cells. */
typedef double column[CHUNK];

/* The data of cells as the model sees them. */
static void observe(const vel_dynamical_gene *g, int64_t first, int64_t n, column u, column s) {
    double scaling = g->fit.scaling, u0 = g->fit.u0 / scaling, s0 = g->fit.s0;
    for (int64_t i = 0; i < n; i++) {
        if (g->data.type == VEL_F32) {
            u[i] = (float)((double)((const float *)g->data.u)[first + i] / scaling) - u0;
            s[i] = (double)((const float *)g->data.s)[first + i] - s0;
        } else {
            u[i] = ((const double *)g->data.u)[first + i] / scaling - u0;
            s[i] = ((const double *)g->data.s)[first + i] - s0;
        }
    }
}

/* States of n <= CHUNK cells on a branch, tau after it began. */
static void follow(const engine *e, const model *m, int branch, int64_t n, const double *tau, column u, column s) {
    e->passes->decays(n, m->beta, m->gamma, tau, u, s);
    vel_exp_n(n, u, u);
    vel_exp_n(n, s, s);
    e->passes->states(n, &m->branch[branch], u, s);
}

/* Sums over the cells, in order, of the distance to the nearer branch and of its signed root. */
typedef struct {
    double distance, root;
} spread;

/* Squared distances of n cells to the four states, side by side in rows; adds the nearer branch to the spread. */
static void measure(const engine *e, const model *m, const vel_dynamical_gene *g, int64_t first, int64_t n,
                    double *rows, spread *sum) {
    column u, s, u_on, s_on, u_off, s_off, row[STATES], distance, root;
    observe(g, first, n, u, s);
    follow(e, m, ON, n, g->tau_on + first, u_on, s_on);
    follow(e, m, OFF, n, g->tau_off + first, u_off, s_off);
    vel_pass_frame frame = {u, s, m->std_u, m->std_s};
    e->passes->distances(n, &frame, u_on, s_on, row[ON]);
    e->passes->distances(n, &frame, u_off, s_off, row[OFF]);
    e->passes->distances_to(n, m->branch[ON].u_inf, m->branch[ON].s_inf, &frame, row[STEADY_ON]);
    e->passes->distances_to(n, 0, 0, &frame, row[STEADY_OFF]);
    vel_nearer q = {row[ON], row[OFF], s, s_on, s_off, m->std_s};
    e->loops->nearer(n, &q, distance, root);
    for (int64_t i = 0; i < n; i++) {
        sum->distance += distance[i];
        sum->root += root[i];
    }
    e->loops->interleave(n, (const double *const[]){row[0], row[1], row[2], row[3]}, rows);
}

/* The arrays of a call. */
typedef struct {
    double *rows; /* PAIR STATES (n + 1): distances of two genes: at the places of the cells, if there are neighbours */
    double *averaged; /* PAIR STATES n: their averages; then times of GENES genes */
    double *times;    /* GENES (n + 1), like rows */
    uint8_t *kinds;   /* GENES n: the likeliest state of each cell */
} arrays;

size_t vel_dynamical_work(int64_t n) {
    return (size_t)(n + 1) * (2 * PAIR * STATES + GENES) + (GENES * (size_t)n + 7) / 8;
}

static arrays arrays_in(double *work, int64_t n) {
    double *averaged = work + PAIR * STATES * (n + 1), *times = averaged + PAIR * STATES * (n + 1);
    return (arrays){work, averaged, times, (uint8_t *)(times + GENES * (n + 1))};
}

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Fills half of the rows; returns the variance of the distances. */
static double measure_cells(const engine *e, const model *m, const vel_dynamical_gene *g, double *half) {
    int64_t n = g->data.n;
    spread sum = {0, 0};
    for (int64_t first = 0; first < n; first += CHUNK) {
        double rows[STATES * CHUNK];
        int64_t count = least(CHUNK, n - first);
        measure(e, m, g, first, count, rows, &sum);
        for (int64_t i = 0; i < count; i++) {
            int64_t place = e->opts->nearby ? e->opts->nearby->place[first + i] : first + i;
            memcpy(half + PAIR * STATES * place, rows + STATES * i, STATES * sizeof *rows);
        }
    }
    double root = sum.root / (double)n;
    return sum.distance / (double)n - root * root;
}

/* The averages of two genes, over their variances. */
static void average_pair(const engine *e, int64_t n, const double variance[PAIR], const arrays *a) {
    if (e->opts->nearby) {
        memset(a->rows + PAIR * STATES * n, 0, PAIR * STATES * sizeof *a->rows);
        e->loops->average(e->opts->nearby, a->rows, variance, a->averaged);
    } else {
        for (int64_t i = 0; i < PAIR * STATES * n; i++) a->averaged[i] = a->rows[i] / variance[i / STATES % PAIR];
    }
}

static inline double square(double x) { return x * x; }

/* Adds the squared distance in time, weighed by the mean distance of the branch. */
static void pull_to_latent_time(const model *m, int64_t n, const double *latent, const double *tau_on,
                                const double *tau_off, double *rows) {
    double mean[STATES] = {0};
    for (int64_t c = 0; c < n; c++)
        for (int k = 0; k < STATES; k++) mean[k] += rows[PAIR * STATES * c + k];
    for (int k = 0; k < STATES; k++) mean[k] /= (double)n;
    for (int64_t c = 0; c < n; c++) {
        double on = square(tau_on[c] - latent[c]) * mean[ON];
        double off = square(tau_off[c] + m->switch_at - latent[c]) * mean[OFF];
        rows[PAIR * STATES * c + OFF] += off;
        rows[PAIR * STATES * c + ON] += on;
        rows[PAIR * STATES * c + STEADY_OFF] += on; /* the reference swaps the steady states here */
        rows[PAIR * STATES * c + STEADY_ON] += off;
    }
}

/* The likeliest states of n <= 4 cells, by their likelihoods. */
static void classify_some(const engine *e, int64_t n, double scale, const double *half, uint8_t *kinds) {
    double p[STATES * SOME] = {0};
    for (int64_t i = 0; i < STATES * n; i++) p[i] = -0.5 * half[PAIR * STATES * (i / STATES) + i % STATES];
    vel_exp_n(STATES * n, p, p);
    e->loops->likeliest(n, p, scale, kinds);
}

/* Where the likelihood of a state is that of none; NaN: out of reach, so that no cell is sure. */
static double limit_of(double scale) {
    return scale > 1e-100 && scale < 1e100 ? 2 * vel_log(scale / VEL_LIKELIHOOD_OF_NONE) : NAN;
}

/* The likeliest state of each cell, from one half of the averages: by the least exponent, which takes neither exp nor
 * division, but where that is too near to call. */
static void classify_cells(const engine *e, int64_t n, double variance, const double *half, uint8_t *kinds) {
    double scale = 1 / (2 * M_PI * sqrt(variance));
    e->loops->surest(n, half, limit_of(scale), kinds);
    for (int64_t first = 0; first < n; first += SOME) {
        int64_t count = least(SOME, n - first);
        if (memchr(kinds + first, VEL_UNSURE, (size_t)count))
            classify_some(e, count, scale, half + PAIR * STATES * first, kinds + first);
    }
}

/* The times of the likeliest states as number g of each cell. */
static void put_times(const vel_nearby *nearby, const model *m, const vel_dynamical_gene *gene, int g,
                      const arrays *a) {
    const uint8_t *kinds = a->kinds + g * gene->data.n;
    for (int64_t c = 0; c < gene->data.n; c++)
        a->times[GENES * (int64_t)nearby->place[c] + g] =
            gene->tau_on[c] * (kinds[c] == ON) + (gene->tau_off[c] + m->switch_at) * (kinds[c] == OFF);
}

/* The columns of a chunk that velocities are made of. */
typedef struct {
    column before, after, curve, eu, es, u, s;
} moving;

static void move(const engine *e, const model *m, const vel_dynamical_gene *g, int64_t first, int64_t n,
                 const moving *at) {
    column v, v_u;
    vel_curve c = {{m->alpha * 0, m->alpha},
                   {m->u_switch, m->u_switch * 0},
                   {m->s_switch, m->s_switch * 0},
                   m->beta,
                   m->gamma,
                   m->inverse,
                   m->scaling};
    vel_moving q = {at->before, at->after, at->curve, at->eu, at->es, at->u, at->s};
    e->loops->move(n, &c, &q, v, v_u);
    memcpy(g->v + first, v, (size_t)n * sizeof *v);
    memcpy(g->v_u + first, v_u, (size_t)n * sizeof *v_u);
}

/* Velocities at the averaged times, number g of t[GENES n]. */
static void move_at_times(const engine *e, const model *m, const vel_dynamical_gene *gene, int g, const arrays *a) {
    const uint8_t *kinds = a->kinds + g * gene->data.n;
    const vel_rates rates = {.beta = {.v = m->beta}, .gamma = {.v = m->gamma}};
    for (int64_t first = 0; first < gene->data.n; first += CHUNK) {
        int64_t n = least(CHUNK, gene->data.n - first);
        moving at;
        column t;
        for (int64_t i = 0; i < n; i++) t[i] = a->averaged[GENES * (first + i) + g];
        e->passes->since(n, &rates, m->switch_at, t, at.before, at.eu, at.es);
        vel_exp_n(n, at.eu, at.eu);
        vel_exp_n(n, at.es, at.es);
        for (int64_t i = 0; i < n; i++) {
            at.after[i] = t[i] >= m->switch_at;
            at.curve[i] = kinds[first + i] < 2;
        }
        observe(gene, first, n, at.u, at.s);
        move(e, m, gene, first, n, &at);
    }
}

/* numpy.clip from below: a NaN stays, and of equals (zeros) the bound is taken. */
static inline double at_least(double x, double bound) { return x <= bound ? bound : x; }

/* Velocities where every cell stands for itself. */
static void move_on_branches(const engine *e, const model *m, const vel_dynamical_gene *g, const uint8_t *kinds) {
    for (int64_t first = 0; first < g->data.n; first += CHUNK) {
        int64_t n = least(CHUNK, g->data.n - first);
        column u, s, u_on, s_on, u_off, s_off;
        observe(g, first, n, u, s);
        follow(e, m, ON, n, g->tau_on + first, u_on, s_on);
        follow(e, m, OFF, n, g->tau_off + first, u_off, s_off);
        for (int64_t i = 0; i < n; i++) {
            double on = kinds[first + i] == ON, off = kinds[first + i] == OFF;
            double at_u = u_on[i] * on + u_off[i] * off, at_s = s_on[i] * on + s_off[i] * off;
            g->v[first + i] = at_least(at_u * m->beta - at_s * m->gamma, -s[i]);
            g->v_u[first + i] = at_least((m->alpha * on - m->beta * at_u) * m->scaling, -u[i] * m->scaling);
        }
    }
}

/* The likeliest states of genes first and, if there is one more, first + 1. */
static void classify_pair(const engine *e, int first, int count, const model *m, const vel_dynamical_gene *genes,
                          const arrays *a) {
    int64_t n = genes[0].data.n;
    double variance[PAIR] = {1, 1};
    for (int k = 0; k < count; k++)
        variance[k] = measure_cells(e, &m[first + k], &genes[first + k], a->rows + STATES * k);
    average_pair(e, n, variance, a);
    for (int k = 0; k < count; k++) {
        const vel_dynamical_gene *g = &genes[first + k];
        double *half = a->averaged + STATES * k;
        if (e->opts->latent_time)
            pull_to_latent_time(&m[first + k], n, e->opts->latent_time, g->tau_on, g->tau_off, half);
        classify_cells(e, n, variance[k], half, a->kinds + (first + k) * n);
    }
}

void vel_dynamical_velocity(const vel_dynamical_opts *opts, int count, const vel_dynamical_gene *genes, double *work) {
    const engine e = engine_here(opts);
    int64_t n = count ? genes[0].data.n : 0;
    arrays a = arrays_in(work, n);
    model m[GENES];
    memset(work, 0, vel_dynamical_work(n) * sizeof *work);
    for (int g = 0; g < count; g++) m[g] = make_model(&genes[g].fit);
    for (int g = 0; g < count; g += PAIR) classify_pair(&e, g, count - g < PAIR ? count - g : PAIR, m, genes, &a);
    if (!opts->nearby) {
        for (int g = 0; g < count; g++) move_on_branches(&e, &m[g], &genes[g], a.kinds + g * n);
        return;
    }
    for (int g = 0; g < count; g++) put_times(opts->nearby, &m[g], &genes[g], g, &a);
    e.loops->average(opts->nearby, a.times, (const double[]){1, 1}, a.averaged);
    for (int g = 0; g < count; g++) move_at_times(&e, &m[g], &genes[g], g, &a);
}

void vel_dynamical_residuals(const vel_dynamical_gene *gene) {
    vel_dynamical_gene raw = *gene;
    raw.fit.u0 = gene->fit.u0 * gene->fit.scaling; /* the reference does not rescale the basal level here */
    model m = make_model(&gene->fit);
    for (int64_t first = 0; first < gene->data.n; first += CHUNK) {
        int64_t n = least(CHUNK, gene->data.n - first);
        column u, s;
        observe(&raw, first, n, u, s);
        for (int64_t i = 0; i < n; i++) {
            double before = gene->tau_on[first + i] < m.switch_at;
            gene->v[first + i] = u[i] * m.beta - s[i] * m.gamma;
            gene->v_u[first + i] = (m.alpha * before - m.beta * u[i]) * m.scaling;
        }
    }
}
