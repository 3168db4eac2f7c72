#include "core/simulate.h"

#include <math.h>

#include "core/fmath.h"
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

/* decay_u = e^(-beta tau), decay_s = e^(-gamma tau). */
static state solution(state start, double alpha, double beta, double gamma, double decay_u, double decay_s) {
    double gap = gamma - beta;
    double inverse = 1 / gap * (gap != 0);
    double c = (alpha - start.u * beta) * inverse;
    double u = start.u * decay_u + alpha / beta * (1 - decay_u);
    double s = start.s * decay_s + alpha / gamma * (1 - decay_s) + c * (decay_s - decay_u);
    return (state){u, s};
}

static state at_switch(const vel_simulated *g, int64_t i) {
    double beta = at(g->beta, i), gamma = at(g->gamma, i);
    return solution((state){0, 0}, at(g->alpha, i), beta, gamma, vel_exp(-beta * g->switch_time),
                    vel_exp(-gamma * g->switch_time));
}

void vel_simulate_states(const vel_simulated *g, int64_t n, const double *t, double *work, double *u, double *s) {
    double *decay_u = work, *decay_s = work + n;
    for (int64_t i = 0; i < n; i++) {
        double tau = t[i] < g->switch_time ? t[i] : t[i] - g->switch_time;
        decay_u[i] = -at(g->beta, i) * tau;
        decay_s[i] = -at(g->gamma, i) * tau;
    }
    vel_exp_n(2 * n, work, work);
    int64_t varies = g->alpha.step | g->beta.step | g->gamma.step;
    state switched = at_switch(g, 0);
    for (int64_t i = 0; i < n; i++) {
        if (varies) switched = at_switch(g, i);
        bool on = t[i] < g->switch_time;
        state x = solution(on ? (state){0, 0} : switched, on ? at(g->alpha, i) : g->alpha_off, at(g->beta, i),
                           at(g->gamma, i), decay_u[i], decay_s[i]);
        u[i] = x.u;
        s[i] = x.s;
    }
}

void vel_simulate_noise(vel_rng *numpy, double noise, int64_t n, double *x, double *work) {
    double scale = noise * vel_percentile_f64(x, n, 99, work) / 10;
    for (int64_t i = 0; i < n; i++) x[i] += 0.0 + scale * vel_rng_gauss(numpy);
}

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
