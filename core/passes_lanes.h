/* passes_lanes.h - the text of core/passes.h for vectors of LANES doubles. */
#include "core/passes.h"

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias, aligned(8)));
typedef int64_t masks __attribute__((vector_size(LANES * 8), may_alias));
typedef float halves __attribute__((vector_size(LANES * 4)));

/* Runs a step for i = 0, LANES, … with `left` elements left, LANES of them but for the last. */
#define EACH(n, step)                                                       \
    do {                                                                    \
        int64_t i = 0;                                                      \
        for (const int64_t left = LANES; i + left <= (n); i += LANES) step; \
        const int64_t left = (n)-i;                                         \
        if (left > 0) step;                                                 \
    } while (0)

static inline lanes load(const double *p, int64_t left) {
    if (left >= LANES) return *(const lanes *)(const void *)p;
    lanes x = {0};
    for (int64_t k = 0; k < left; k++) x[k] = p[k];
    return x;
}

static inline void store(double *p, lanes x, int64_t left) {
    if (left >= LANES)
        *(lanes *)(void *)p = x;
    else
        for (int64_t k = 0; k < left; k++) p[k] = x[k];
}

static inline lanes pick(masks m, lanes a, lanes b) { return (lanes)(((masks)a & m) | ((masks)b & ~m)); }
static inline lanes within(lanes x, double low, double high) {
    lanes lows = (lanes){0} + low, highs = (lanes){0} + high;
    x = pick(x < lows, lows, x);
    return pick(x > highs, highs, x);
}

static void ratios(int64_t n, const vel_pass_ratio *r, const double *u, const double *s, double *y) {
    if (r->by_u)
        EACH(n, store(y + i, within((load(u + i, left) - r->x) / r->start, r->low, r->high), left));
    else
        EACH(n,
             store(y + i, within(((load(s + i, left) - r->b * load(u + i, left)) - r->x) / r->start, r->low, r->high),
                   left));
}

static void divide(int64_t n, const double *x, double by, double *y) {
    EACH(n, store(y + i, load(x + i, left) / by, left));
}

static void scale(int64_t n, double factor, double *t) { EACH(n, store(t + i, factor * load(t + i, left), left)); }

static inline void blur_step(double scale, const double *mean, double *x, int64_t left) {
    lanes at = load(mean, left) + (0.0 + scale * load(x, left));
    store(x, pick(at < 0, (lanes){0}, at), left);
}

static void blur(int64_t n, double scale, const double *mean, double *x) {
    EACH(n, blur_step(scale, mean + i, x + i, left));
}

static void clip(int64_t n, double most, double *t) { EACH(n, store(t + i, within(load(t + i, left), 0, most), left)); }

static inline void decays_step(double beta, double gamma, const double *t, double *eu, double *es, int64_t left) {
    lanes at = load(t, left);
    store(eu, -beta * at, left);
    store(es, -gamma * at, left);
}

static void decays(int64_t n, double beta, double gamma, const double *t, double *eu, double *es) {
    EACH(n, decays_step(beta, gamma, t + i, eu + i, es + i, left));
}

static inline void states_step(const vel_branch *b, double *u, double *s, int64_t left) {
    lanes eu = load(u, left), es = load(s, left);
    store(u, b->u0 * eu + b->u_inf * (1 - eu), left);
    store(s, (b->s0 * es + b->s_inf * (1 - es)) + b->c * (es - eu), left);
}

static void states(int64_t n, const vel_branch *b, double *u, double *s) {
    EACH(n, states_step(b, u + i, s + i, left));
}

static inline lanes squares(lanes a, lanes b) { return a * a + b * b; }

static void distances(int64_t n, const vel_pass_frame *f, const double *u, const double *s, double *row) {
    EACH(n, store(row + i,
                  squares((load(f->x + i, left) - load(u + i, left)) / f->q_u,
                          (load(f->s + i, left) - load(s + i, left)) / f->q_s),
                  left));
}

static void distances_to(int64_t n, double u, double s, const vel_pass_frame *f, double *row) {
    EACH(n, store(row + i, squares((load(f->x + i, left) - u) / f->q_u, (load(f->s + i, left) - s) / f->q_s), left));
}

static inline void singles_step(const vel_pass_frame *f, double u, float s, int64_t i, int64_t left, double *row) {
    halves ds = (__builtin_convertvector(load(f->s + i, left), halves) - s) / (float)f->q_s;
    lanes du = (load(f->x + i, left) - u) / f->q_u;
    store(row + i, du * du + __builtin_convertvector(ds * ds, lanes), left);
}

static void distances_to_singles(int64_t n, double u, double s, const vel_pass_frame *f, double *row) {
    EACH(n, singles_step(f, u, (float)s, i, left, row));
}

static inline void since_step(const vel_rates *r, double switch_at, const double *t, double *where, double *eu,
                              double *es, int64_t left) {
    lanes at = load(t, left), on = pick(at < switch_at, (lanes){0} + 1, (lanes){0});
    lanes tau = at * on + (at - switch_at) * (1 - on);
    store(where, on, left);
    store(eu, -r->beta.v * tau, left);
    store(es, -r->gamma.v * tau, left);
}

static void since(int64_t n, const vel_rates *r, double switch_at, const double *t, double *where, double *eu,
                  double *es) {
    EACH(n, since_step(r, switch_at, t + i, where + i, eu + i, es + i, left));
}

static inline lanes one_of(masks on, double a, double b) { return pick(on, (lanes){0} + a, (lanes){0} + b); }

typedef struct {
    lanes u, s;
} states_lanes;

/* The states of cells on their branches, of eu and es. */
static inline void states_on(const vel_branch b[2], masks on, lanes eu, lanes es, states_lanes *to) {
    to->u = one_of(on, b[1].u0, b[0].u0) * eu + one_of(on, b[1].u_inf, b[0].u_inf) * (1 - eu);
    to->s = (one_of(on, b[1].s0, b[0].s0) * es + one_of(on, b[1].s_inf, b[0].s_inf) * (1 - es)) +
            one_of(on, b[1].c, b[0].c) * (es - eu);
}

static inline void misfits_step(const vel_pass_cells *c, const vel_pass_misfit *m, double *d, double *ds, int64_t i,
                                int64_t left) {
    states_lanes at;
    states_on(c->branch, load(c->where + i, left) != 0, load(c->eu + i, left), load(c->es + i, left), &at);
    lanes data = load(m->s + i, left);
    lanes du = ((at.u - load(m->u + i, left) / m->sigma) / m->std_u) * m->sigma, dv = (at.s - data) / m->std_s;
    lanes reg = (m->excess * data) / m->std_s;
    store(ds + i, dv, left);
    store(d + i, squares(du, dv) + reg * reg, left);
}

static void misfits(int64_t n, const vel_pass_cells *cells, const vel_pass_misfit *m, double *d, double *ds) {
    const vel_pass_cells c = *cells; /* a copy stays in registers: d and ds may not point to it */
    EACH(n, misfits_step(&c, m, d, ds, i, left));
}

static inline void drawn_step(const vel_branch b[2], const vel_pass_levels *l, const double *where, double *u,
                              double *s, int64_t left) {
    states_lanes at;
    states_on(b, load(where, left) != 0, load(u, left), load(s, left), &at);
    store(u, at.u * l->sigma + l->u0, left);
    store(s, at.s + l->s0, left);
}

static void drawn(int64_t n, const vel_branch branch[2], const vel_pass_levels *levels, const double *where, double *u,
                  double *s) {
    EACH(n, drawn_step(branch, levels, where + i, u + i, s + i, left));
}

#include "core/passes_times_lanes.h"

const vel_passes PASSES = {
    ratios, divide,  scale, blur, largest, clip,   decays, states, distances, distances_to, distances_to_singles,
    since,  misfits, drawn, mine, move,    choose, reach};
