#include "core/simulate.h"

#include <math.h>

#include "core/fmath.h"
#include "core/normals.h"
#include "core/passes.h"
#include "core/stats.h"

static double at(vel_rate r, int64_t i) { return r.value[i * r.step]; }

void vel_simulate_times(vel_rng *python, int64_t n, double t_max, double *t) {
    t[0] = 0;
    for (int64_t i = 1; i < n; i++) {
        double step = -0.1 * vel_log(vel_rng_uniform(python));
        t[i] = i == 1 ? step : t[i - 1] + step;
    }
    if (t_max <= 0) return;
    double factor = t_max / t[n - 1];
    for (int64_t i = 0; i < n; i++) t[i] *= factor;
}

double vel_simulate_switch(int64_t n, const double *t, double fraction) {
    double end = fraction * t[n - 1], last = NAN;
    for (int64_t i = 0; i < n && t[i] < end; i++) last = t[i];
    return last;
}

typedef struct {
    double u, s;
} state;

/* The branch from a state on, coefficients rounded as the reference does. */
static vel_branch branch_of(state start, double alpha, double beta, double gamma) {
    double gap = gamma - beta, inverse = 1 / gap * (gap != 0);
    return (vel_branch){alpha, start.u, start.s, alpha / beta, alpha / gamma, (alpha - start.u * beta) * inverse};
}

static state on_branch(const vel_branch *b, double decay_u, double decay_s) {
    return (state){vel_branch_u(b, decay_u), vel_branch_s(b, decay_u, decay_s)};
}

/* Both branches of cell i: after the switch, before it. */
typedef struct {
    double beta, gamma;
    vel_branch off, on;
} branches;

static branches branches_of(const vel_simulated *g, int64_t i) {
    double beta = at(g->beta, i), gamma = at(g->gamma, i);
    vel_branch on = branch_of((state){0, 0}, at(g->alpha, i), beta, gamma);
    state switched = on_branch(&on, vel_exp(-beta * g->switch_time), vel_exp(-gamma * g->switch_time));
    return (branches){beta, gamma, branch_of(switched, g->alpha_off, beta, gamma), on};
}

/* Cells of one branch, since[n] after it began, all of the same rates. */
static void states_of(const branches *r, const vel_branch *b, int64_t n, const double *since, double *u, double *s) {
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    passes->decays(n, r->beta, r->gamma, since, u, s);
    vel_exp_n(n, u, u);
    vel_exp_n(n, s, s);
    passes->states(n, b, u, s);
}

void vel_simulate_states(const vel_simulated *g, int64_t n, const double *t, double *work, double *u, double *s) {
    int64_t early = 0, same = g->alpha.step | g->beta.step | g->gamma.step ? 1 : n;
    while (early < n && t[early] < g->switch_time) early++;
    for (int64_t i = early; i < n; i++) work[i] = t[i] - g->switch_time;
    for (int64_t i = 0; i < n; i += same) {
        branches b = branches_of(g, i);
        int64_t on = early < i ? 0 : early - i < same ? early - i : same;
        states_of(&b, &b.on, on, t + i, u + i, s + i);
        states_of(&b, &b.off, same - on, work + i + on, u + i + on, s + i + on);
    }
}

double vel_simulate_spread(int64_t n, const double *x, double *work) { return vel_percentile_f64(x, n, 99, work); }

void vel_simulate_noise(vel_rng *numpy, double scale, int64_t n, const double *mean, double *x) {
    vel_normals(numpy, n, x);
    vel_passes_at(vel_cpu_level())->blur(n, scale, mean, x);
}

void vel_simulate_clip(int64_t n, double *x) { vel_passes_at(vel_cpu_level())->clip(n, INFINITY, x); }

/* What happens next: 0 transcription, 1 splicing, 2 degradation, 3 nothing. */
static int next_event(vel_rng *numpy, double alpha, double splicing, double degradation) {
    double p[3] = {alpha, splicing, degradation};
    double sum = p[0] + p[1] + p[2];
    for (int k = 0; k < 3 && sum > 0; k++) p[k] /= sum;
    double r = vel_rng_uniform(numpy), reached = 0;
    for (int k = 0; k < 3; k++) {
        reached = k ? reached + p[k] : p[k];
        if (r <= reached) return k;
    }
    return 3;
}

void vel_simulate_events(vel_rng *numpy, const vel_simulated *g, int64_t n, const double *t, double *u, double *s) {
    static const int du[] = {1, -1, 0, 0}, ds[] = {0, 1, -1, 0};
    state x = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        double alpha = t[i] < g->switch_time ? at(g->alpha, i) : g->alpha_off;
        bool idle = alpha == 0 && x.u == 0 && x.s == 0;
        int event = idle ? 3 : next_event(numpy, alpha, at(g->beta, 0) * x.u, at(g->gamma, 0) * x.s);
        x.u += du[event];
        x.s += ds[event];
        u[i] = x.u;
        s[i] = x.s;
    }
}
