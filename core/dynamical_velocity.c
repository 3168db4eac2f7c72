#include "core/dynamical_velocity.h"

#include <string.h>

#include "core/fmath.h"
#include "core/velocity_screen.h"

enum { CHUNK = VEL_VELOCITY_CHUNK, GENES = VEL_DYNAMICAL_GENES };
_Static_assert((int)VEL_VELOCITY_TOGETHER == (int)VEL_DYNAMICAL_GENES,
               "the states of all genes of a call stand together");

/* What all cells of a call share. */
typedef struct {
    const vel_velocity_engine *engine;
    const vel_nearby *nearby;
    int count; /* of genes */
    const vel_dynamical_gene *genes;
    const vel_velocity_model *models;
    vel_velocity_rooms rooms;
} job;

/* Cells of y, filled up. */
static size_t whole(int64_t n) { return (size_t)(n + 3) / 4 * 4; }

size_t vel_dynamical_work(int64_t n) {
    return GENES * (size_t)(n + 1) + GENES * whole(n) + (VEL_VELOCITY_TOGETHER * (size_t)n + 7) / 8;
}

static vel_velocity_rooms rooms_in(double *work, int64_t n) {
    double *y = work + GENES * (n + 1);
    return (vel_velocity_rooms){work, y, (uint8_t *)(y + GENES * whole(n))};
}

/* ---- states */

static void find_kinds(const job *j, const vel_dynamical_opts *opts) {
    unsigned open = ~0U;
    if (opts->nearby && !opts->latent_time)
        open = vel_velocity_screen(j->engine, opts, j->count, j->models, j->genes, &j->rooms);
    for (int g = 0; g < j->count; g += VEL_VELOCITY_PAIR)
        if (open >> g & 3)
            vel_velocity_kinds(j->engine, opts, g, j->count - g < VEL_VELOCITY_PAIR ? 1 : VEL_VELOCITY_PAIR, j->models,
                               j->genes, &j->rooms);
}

/* ---- times */

/* The averages of the times of the likeliest states, to y[8 c + g]. */
static void average_times(const job *j) {
    const int64_t n = j->nearby->n;
    const int32_t *place = j->nearby->place;
    double *x = j->rooms.x;
    memset(j->count < GENES ? x : x + GENES * n, 0, GENES * (size_t)(j->count < GENES ? n + 1 : 1) * sizeof *x);
    for (int64_t first = 0; first < n; first += CHUNK)
        for (int g = 0; g < j->count; g++) {
            const vel_dynamical_gene *gene = &j->genes[g];
            const int64_t some = vel_velocity_some(n - first);
            vel_velocity_column t;
            vel_velocity_fetch_times(gene, first + CHUNK);
            j->engine->loops->times(some, j->rooms.kinds + GENES * first + g, j->models[g].switch_at,
                                    gene->tau_on + first, gene->tau_off + first, t);
            for (int64_t i = 0; i < some; i++) x[GENES * (int64_t)place[first + i] + g] = t[i];
        }
    j->engine->loops->average(j->nearby, x, (const double[]){1, 1}, j->rooms.y);
}

/* ---- velocities */

/* Velocities of n cells from `first` on at the averaged times. */
static void move_some(const job *j, int g, int64_t first, int64_t n) {
    const vel_velocity_model *m = &j->models[g];
    const vel_dynamical_gene *gene = &j->genes[g];
    const vel_rates rates = {.beta = {.v = m->beta}, .gamma = {.v = m->gamma}};
    const vel_course c = {{m->alpha * 0, m->alpha},
                          {m->u_switch, m->u_switch * 0},
                          {m->s_switch, m->s_switch * 0},
                          m->beta,
                          m->gamma,
                          m->inverse,
                          m->scaling};
    vel_velocity_column t, before, eu, es, u, s, v, v_u;
    vel_velocity_fetch_data(gene, first + CHUNK);
    for (int64_t i = 0; i < n; i++) t[i] = j->rooms.y[GENES * (first + i) + g];
    j->engine->passes->since(n, &rates, m->switch_at, t, before, eu, es);
    vel_exp_n(n, eu, eu);
    vel_exp_n(n, es, es);
    vel_velocity_observe(j->engine, m, &gene->data, first, n, u, s);
    const vel_moving q = {m->switch_at, j->rooms.kinds + GENES * first + g, t, eu, es, u, s};
    if (n == CHUNK) {
        j->engine->loops->move(n, &c, &q, gene->v + first, gene->v_u + first);
    } else {
        j->engine->loops->move(n, &c, &q, v, v_u);
        memcpy(gene->v + first, v, (size_t)n * sizeof *v);
        memcpy(gene->v_u + first, v_u, (size_t)n * sizeof *v_u);
    }
}

/* numpy.clip from below: a NaN stays, and of equals (zeros) the bound is taken. */
static inline double at_least(double x, double bound) { return x <= bound ? bound : x; }

/* The same where every cell stands for itself. */
static void move_on_branches(const job *j, int g, int64_t first, int64_t n) {
    const vel_velocity_model *m = &j->models[g];
    const vel_dynamical_gene *gene = &j->genes[g];
    const uint8_t *kinds = j->rooms.kinds + GENES * first + g;
    vel_velocity_column u, s, u_on, s_on, u_off, s_off;
    vel_velocity_observe(j->engine, m, &gene->data, first, n, u, s);
    vel_velocity_follow(j->engine, m, VEL_ON, n, gene->tau_on + first, u_on, s_on);
    vel_velocity_follow(j->engine, m, VEL_OFF, n, gene->tau_off + first, u_off, s_off);
    for (int64_t i = 0; i < n; i++) {
        double on = kinds[GENES * i] == VEL_ON, off = kinds[GENES * i] == VEL_OFF;
        double at_u = u_on[i] * on + u_off[i] * off, at_s = s_on[i] * on + s_off[i] * off;
        gene->v[first + i] = at_least(at_u * m->beta - at_s * m->gamma, -s[i]);
        gene->v_u[first + i] = at_least((m->alpha * on - m->beta * at_u) * m->scaling, -u[i] * m->scaling);
    }
}

void vel_dynamical_velocity(const vel_dynamical_opts *opts, int count, const vel_dynamical_gene *genes, double *work) {
    const vel_velocity_engine engine = vel_velocity_engine_now();
    const int64_t n = count ? genes[0].data.n : 0;
    vel_velocity_model models[GENES];
    for (int g = 0; g < count; g++) models[g] = vel_velocity_model_make(&genes[g].fit);
    const job j = {&engine, opts->nearby, count, genes, models, rooms_in(work, n)};
    find_kinds(&j, opts);
    if (opts->nearby) average_times(&j);
    for (int64_t first = 0; first < n; first += CHUNK)
        for (int g = 0; g < count; g++)
            (opts->nearby ? move_some : move_on_branches)(&j, g, first, vel_velocity_some(n - first));
}

void vel_dynamical_residuals(const vel_dynamical_gene *gene) {
    const vel_velocity_engine engine = vel_velocity_engine_now();
    vel_velocity_model m = vel_velocity_model_make(&gene->fit);
    m.u0 = gene->fit.u0 * m.scaling / m.scaling; /* the reference does not rescale the basal level here */
    for (int64_t first = 0; first < gene->data.n; first += CHUNK) {
        const int64_t n = vel_velocity_some(gene->data.n - first);
        vel_velocity_column u, s;
        vel_velocity_observe(&engine, &m, &gene->data, first, n, u, s);
        for (int64_t i = 0; i < n; i++) {
            double before = gene->tau_on[first + i] < m.switch_at;
            gene->v[first + i] = u[i] * m.beta - s[i] * m.gamma;
            gene->v_u[first + i] = (m.alpha * before - m.beta * u[i]) * m.scaling;
        }
    }
}
