#include "core/velocity_screen.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "core/velocity_screen_bodies.h"

enum { CHUNK = VEL_VELOCITY_CHUNK, STATES = VEL_VELOCITY_STATES, GENES = VEL_SCREEN_GENES };

/* If more than one cell in so many is left open, to average all of them costs no more. */
enum { FEW = 8 };

static const vel_screen_loops *loops_now(void) {
#if defined(__x86_64__)
    if (vel_cpu_level() != VEL_CPU_PLAIN) return &vel_screen_loops_avx2;
#endif
    return &vel_screen_loops_plain;
}

/* What all cells of a call share. */
typedef struct {
    const vel_velocity_engine *engine;
    const vel_nearby *nearby;
    const vel_velocity_model *models;
    const vel_dynamical_gene *genes;
    const vel_velocity_rooms *rooms;
    double variance[GENES];
    vel_velocity_likelihood likelihood[GENES];
    int64_t averaged[GENES]; /* cells, singly */
} work;

/* ---- all cells */

/* Keeps the distances of all genes, and finds their variances. */
static void measure_genes(work *w, int count, const vel_screen_loops *loops, vel_screen_line *lines) {
    const int64_t n = w->nearby->n;
    vel_velocity_spread spread[GENES] = {{0}};
    memset(count < GENES ? lines : lines + n, 0, (size_t)(count < GENES ? n + 1 : 1) * sizeof *lines);
    for (int64_t first = 0; first < n; first += CHUNK)
        for (int g = 0; g < count; g++) {
            const int64_t some = vel_velocity_some(n - first);
            vel_velocity_cells x;
            vel_velocity_fetch_data(&w->genes[g], first + CHUNK);
            vel_velocity_fetch_times(&w->genes[g], first + CHUNK);
            const vel_velocity_model *m = &w->models[g];
            vel_velocity_measure_branches(w->engine, m, &w->genes[g], first, some, &x, &spread[g]);
            const vel_branch *on = &m->branch[VEL_ON];
            const vel_screen_cells cells = {x.row[VEL_OFF], x.row[VEL_ON], x.u,      x.s,
                                            on->u_inf,      on->s_inf,     m->std_u, m->std_s};
            loops->keep(some, &cells, w->nearby->place + first, g, lines);
        }
    for (int g = 0; g < count; g++) w->variance[g] = vel_velocity_variance(&spread[g], n);
}

/* Whether 1 / x is what x is but for its rounding. */
static bool is_moderate(double x) { return fabs(x) > 1e-100 && fabs(x) < 1e100; }

/* Whether no distance is NaN, and single precision can hold what is compared. */
static bool can_screen(const vel_velocity_model *m, double variance) {
    const vel_branch *on = &m->branch[VEL_ON];
    return variance > 1e-20 && variance < 1e8 && isfinite(on->u_inf) && isfinite(on->s_inf) && isfinite(on->c) &&
           is_moderate(m->std_u) && is_moderate(m->std_s);
}

/* Returns which genes cannot be screened. */
static unsigned make_limits(work *w, int count, vel_screen_limits *limits) {
    unsigned odd = 0;
    for (int g = 0; g < GENES; g++) {
        limits->limit[g] = -INFINITY;
        limits->surely[g] = 0;
        if (g >= count) continue;
        if (!can_screen(&w->models[g], w->variance[g])) {
            odd |= 1U << g;
            continue;
        }
        w->likelihood[g] = vel_velocity_likelihood_of(w->variance[g]);
        limits->limit[g] = (float)(w->likelihood[g].limit * w->variance[g]);
        limits->surely[g] = (float)(2 * VEL_SURELY * w->variance[g]);
    }
    return odd;
}

/* ---- single cells */

/* A row of `nearby`: whose it is, where its numbers begin, and how many they are. */
typedef struct {
    int64_t cell, at, length;
} row;

/* The neighbours number `from` and up to CHUNK - 1 more; returns how many. */
static int64_t neighbours(const vel_nearby *nb, const row *r, int64_t from, int32_t *cells) {
    int64_t n = 0;
    for (int64_t e = from; e < r->length && e < from + CHUNK; e++) {
        const int64_t place = (nb->near16 ? nb->near16[r->at + e] : nb->near32[r->at + e]) / 2;
        if (place < nb->n) cells[n++] = nb->order[place];
    }
    return n;
}

static bool all_at_start(const work *w, const row *r, const double *tau_on) {
    int32_t cells[CHUNK];
    for (int64_t from = 0; from < r->length; from += CHUNK) {
        const int64_t n = neighbours(w->nearby, r, from, cells);
        for (int64_t k = 0; k < n; k++)
            if (tau_on[cells[k]] != 0) return false;
    }
    return true;
}

static void gather(const double *data, int64_t n, const int32_t *cells, double *out) {
    for (int64_t k = 0; k < n; k++) out[k] = data[cells[k]];
}

/* Data of cells side by side, in the type that they have. */
typedef union {
    float f32[CHUNK];
    double f64[CHUNK];
} column;

static void gather_data(vel_type type, const void *data, int64_t n, const int32_t *cells, column *out) {
    if (type == VEL_F64)
        gather(data, n, cells, out->f64);
    else
        for (int64_t k = 0; k < n; k++) out->f32[k] = ((const float *)data)[cells[k]];
}

/* Measures n cells of a gene, wherever they stand. */
static void measure_some(const work *w, int g, int64_t n, const int32_t *cells, vel_velocity_cells *x) {
    const vel_dynamical_gene *gene = &w->genes[g];
    const vel_type type = gene->data.type;
    column u, s;
    vel_velocity_column tau_on, tau_off;
    gather_data(type, gene->data.u, n, cells, &u);
    gather_data(type, gene->data.s, n, cells, &s);
    gather(gene->tau_on, n, cells, tau_on);
    gather(gene->tau_off, n, cells, tau_off);
    vel_velocity_observe(w->engine, &w->models[g], &(vel_gene_data){n, type, &u, &s}, 0, n, x->u, x->s);
    vel_velocity_measure(w->engine, &w->models[g], n, tau_on, tau_off, x);
}

static uint8_t exact_kind(const work *w, int g, const row *r) {
    double y[4 * VEL_VELOCITY_PAIR * STATES] = {0}; /* of one cell, with room for four */
    const double weight = w->nearby->weight[r->cell];
    int32_t cells[CHUNK];
    uint8_t kind;
    for (int64_t from = 0; from < r->length; from += CHUNK) {
        vel_velocity_cells x;
        const int64_t n = neighbours(w->nearby, r, from, cells);
        measure_some(w, g, n, cells, &x);
        for (int64_t k = 0; k < n; k++)
            for (int state = 0; state < STATES; state++) y[state] += weight * x.row[state][k];
    }
    for (int state = 0; state < STATES; state++) y[state] /= w->variance[g];
    vel_velocity_classify(w->engine, 1, &w->likelihood[g], y, &kind);
    return kind;
}

static bool too_many(const work *w, int64_t cells) { return cells > w->nearby->n / FEW; }

/* Settles what the screening left open of a row, but in odd genes; returns which genes are odd, those that are too near
 * to call in too many cells among them. */
static unsigned settle_row(work *w, const row *r, unsigned odd, uint8_t *kinds) {
    for (int g = 0; g < GENES; g++) {
        if (kinds[g] < VEL_TIED || (odd >> g & 1)) continue;
        if (kinds[g] == VEL_TIED && all_at_start(w, r, w->genes[g].tau_on))
            kinds[g] = VEL_ON;
        else if (too_many(w, ++w->averaged[g]))
            odd |= 1U << g;
        else
            kinds[g] = exact_kind(w, g, r);
    }
    return odd;
}

static unsigned settle(work *w, unsigned odd) {
    const vel_nearby *nb = w->nearby;
    const int32_t *cell = nb->cell;
    row r = {0};
    for (const vel_nearby_run *run = nb->runs; run < nb->runs + nb->n_runs; run++) {
        r.length = run->blocks * VEL_NEARBY_BLOCK;
        for (int64_t i = 0; i < run->rows; i++, cell++, r.at += r.length) {
            uint64_t open;
            uint8_t *kinds = w->rooms->kinds + (int64_t)GENES * *cell;
            memcpy(&open, kinds, sizeof open);
            r.cell = *cell;
            if (open & UINT64_C(0x8080808080808080)) odd = settle_row(w, &r, odd, kinds);
        }
    }
    return odd;
}

unsigned vel_velocity_screen(const vel_velocity_engine *e, const vel_dynamical_opts *opts, int count,
                             const vel_velocity_model *models, const vel_dynamical_gene *genes,
                             const vel_velocity_rooms *rooms) {
    const vel_screen_loops *loops = loops_now();
    work w = {.engine = e, .nearby = opts->nearby, .models = models, .genes = genes, .rooms = rooms};
    vel_screen_line *lines = (vel_screen_line *)(void *)rooms->x;
    vel_screen_limits limits;
    int64_t unsure[GENES];
    measure_genes(&w, count, loops, lines);
    unsigned odd = make_limits(&w, count, &limits);
    loops->screen(opts->nearby, lines, &limits, rooms->kinds, unsure);
    for (int g = 0; g < count; g++) odd |= (unsigned)too_many(&w, unsure[g]) << g;
    return settle(&w, odd);
}
