#include "core/velocity_kinds.h"

#include <math.h>
#include <string.h>

#include "core/fmath.h"
#include "core/least.h"

enum { SOME = 4, CHUNK = VEL_VELOCITY_CHUNK, STATES = VEL_VELOCITY_STATES, PAIR = VEL_VELOCITY_PAIR };

/* ---- states by averages */

vel_velocity_likelihood vel_velocity_likelihood_of(double variance) {
    const double scale = 1 / (2 * M_PI * sqrt(variance));
    return (vel_velocity_likelihood){
        scale, scale > 1e-100 && scale < 1e100 ? 2 * vel_log(scale / VEL_LIKELIHOOD_OF_NONE) : NAN};
}

/* The likeliest states of n <= 4 cells, by their likelihoods. */
static void classify_some(const vel_velocity_engine *e, int64_t n, double scale, const double *half, uint8_t *kinds) {
    double p[STATES * SOME] = {0};
    for (int64_t i = 0; i < STATES * n; i++) p[i] = -0.5 * half[PAIR * STATES * (i / STATES) + i % STATES];
    vel_exp_n(STATES * n, p, p);
    e->loops->likeliest(n, p, scale, kinds);
}

void vel_velocity_classify(const vel_velocity_engine *e, int64_t n, const vel_velocity_likelihood *l, const double *y,
                           uint8_t *kinds) {
    for (int64_t first = 0; first < n; first += CHUNK) {
        const int64_t count = vel_velocity_some(n - first);
        const double *half = y + PAIR * STATES * first;
        uint8_t found[CHUNK];
        e->loops->surest(count, half, l->limit, found);
        for (int64_t i = 0; i < count; i += SOME) {
            const int64_t some = vel_least(count - i, SOME);
            if (memchr(found + i, VEL_UNSURE, (size_t)some))
                classify_some(e, some, l->scale, half + PAIR * STATES * i, found + i);
        }
        for (int64_t i = 0; i < count; i++) kinds[VEL_VELOCITY_TOGETHER * (first + i)] = found[i];
    }
}

/* ---- averages */

/* Fills half of x; returns the variance of the distances. */
static double measure_cells(const vel_velocity_engine *e, const vel_nearby *nearby, const vel_velocity_model *m,
                            const vel_dynamical_gene *g, double *half) {
    const int64_t n = g->data.n;
    vel_velocity_spread spread = {0, 0};
    for (int64_t first = 0; first < n; first += CHUNK) {
        const int64_t count = vel_velocity_some(n - first);
        double rows[STATES * CHUNK];
        vel_velocity_cells x;
        vel_velocity_measure_branches(e, m, g, first, count, &x, &spread);
        vel_velocity_measure_steady(e, m, count, &x);
        e->loops->interleave(count, (const double *const[]){x.row[0], x.row[1], x.row[2], x.row[3]}, rows);
        for (int64_t i = 0; i < count; i++) {
            const int64_t place = nearby ? nearby->place[first + i] : first + i;
            memcpy(half + PAIR * STATES * place, rows + STATES * i, STATES * sizeof *rows);
        }
    }
    return vel_velocity_variance(&spread, n);
}

/* The averages of two genes, over their variances. */
static void average_pair(const vel_velocity_engine *e, const vel_nearby *nearby, int64_t n, const double variance[PAIR],
                         const vel_velocity_rooms *rooms) {
    if (nearby) {
        memset(rooms->x + PAIR * STATES * n, 0, PAIR * STATES * sizeof *rooms->x);
        e->loops->average(nearby, rooms->x, variance, rooms->y);
    } else {
        for (int64_t i = 0; i < PAIR * STATES * n; i++) rooms->y[i] = rooms->x[i] / variance[i / STATES % PAIR];
    }
    for (int64_t i = PAIR * STATES * n; i % (PAIR * STATES * SOME); i++) rooms->y[i] = 0;
}

static inline double square(double x) { return x * x; }

/* Adds the squared distance in time, weighed by the mean distance of the branch. */
static void pull_to_latent_time(const vel_velocity_model *m, const vel_dynamical_gene *g, const double *latent,
                                double *rows) {
    const int64_t n = g->data.n;
    double mean[STATES] = {0};
    for (int64_t c = 0; c < n; c++)
        for (int k = 0; k < STATES; k++) mean[k] += rows[PAIR * STATES * c + k];
    for (int k = 0; k < STATES; k++) mean[k] /= (double)n;
    for (int64_t c = 0; c < n; c++) {
        double on = square(g->tau_on[c] - latent[c]) * mean[VEL_ON];
        double off = square(g->tau_off[c] + m->switch_at - latent[c]) * mean[VEL_OFF];
        rows[PAIR * STATES * c + VEL_OFF] += off;
        rows[PAIR * STATES * c + VEL_ON] += on;
        rows[PAIR * STATES * c + VEL_STEADY_OFF] += on; /* the reference swaps the steady states here */
        rows[PAIR * STATES * c + VEL_STEADY_ON] += off;
    }
}

void vel_velocity_kinds(const vel_velocity_engine *e, const vel_dynamical_opts *opts, int first, int count,
                        const vel_velocity_model *models, const vel_dynamical_gene *genes,
                        const vel_velocity_rooms *rooms) {
    const int64_t n = genes[first].data.n;
    double variance[PAIR] = {1, 1};
    if (count < PAIR) memset(rooms->x, 0, (size_t)(PAIR * STATES * n) * sizeof *rooms->x);
    for (int k = 0; k < count; k++)
        variance[k] = measure_cells(e, opts->nearby, &models[first + k], &genes[first + k], rooms->x + STATES * k);
    average_pair(e, opts->nearby, n, variance, rooms);
    for (int k = 0; k < count; k++) {
        double *half = rooms->y + STATES * k;
        if (opts->latent_time) pull_to_latent_time(&models[first + k], &genes[first + k], opts->latent_time, half);
        const vel_velocity_likelihood l = vel_velocity_likelihood_of(variance[k]);
        vel_velocity_classify(e, n, &l, half, rooms->kinds + first + k);
    }
}
