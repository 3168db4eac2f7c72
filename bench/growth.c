#include "bench/growth.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/fmath.h"

/* Slope of y on x by least squares, and the root of the mean squared residual. n >= 2, x not all equal. */
static double slope_of(int n, const double *x, const double *y, double *rms) {
    double mx = 0, my = 0, sxx = 0, sxy = 0, left = 0;
    for (int i = 0; i < n; i++) mx += x[i] / n, my += y[i] / n;
    for (int i = 0; i < n; i++) sxx += (x[i] - mx) * (x[i] - mx), sxy += (x[i] - mx) * (y[i] - my);
    const double slope = sxy / sxx;
    for (int i = 0; i < n; i++) {
        const double r = y[i] - my - slope * (x[i] - mx);
        left += r * r / n;
    }
    *rms = sqrt(left);
    return slope;
}

static double n_log_n(double log_size) { return log_size + vel_log(log_size); }

static double n_squared(double log_size) { return 2 * log_size; }

/* Whether the cost grows as the law does: its exponent against the law's own growth is 1. */
static bool follows(int n, const double *log_size, const double *log_cost, double (*law)(double)) {
    double x[BENCH_TOP_RUNGS], rms;
    for (int i = 0; i < n; i++) x[i] = law(log_size[i]);
    return fabs(slope_of(n, x, log_cost, &rms) - 1) <= BENCH_GROWTH_MARGIN;
}

static bench_law law_of(int n, const double *log_size, const double *log_cost, double exponent) {
    if (exponent < 1 - BENCH_GROWTH_MARGIN) return BENCH_LAW_UNDER;
    if (exponent <= 1 + BENCH_GROWTH_MARGIN) return BENCH_LAW_LINEAR;
    if (follows(n, log_size, log_cost, n_log_n)) return BENCH_LAW_N_LOG_N;
    return follows(n, log_size, log_cost, n_squared) ? BENCH_LAW_QUADRATIC : BENCH_LAW_POWER;
}

bench_growth bench_growth_of(int n, const double *size, const double *cost, double least) {
    double x[BENCH_TOP_RUNGS], y[BENCH_TOP_RUNGS];
    bench_growth g = {.exponent = NAN, .rms = NAN};
    for (int i = n - 1; i >= 0 && g.n < BENCH_TOP_RUNGS; i--) {
        if (!(cost[i] > least) || !isfinite(cost[i])) continue;
        x[g.n] = vel_log(size[i]);
        y[g.n++] = vel_log(cost[i]);
    }
    if (g.n < 2) return g;
    g.exponent = slope_of(g.n, x, y, &g.rms);
    g.law = law_of(g.n, x, y, g.exponent);
    return g;
}

double bench_growth_next(int n, const double *size, const double *cost, double next) {
    int last = -1, before = -1;
    for (int i = 0; i < n; i++)
        if (cost[i] > 0) before = last, last = i;
    if (last < 0) return 0;
    double exponent = BENCH_STEEPEST;
    if (before >= 0) exponent = vel_log(cost[last] / cost[before]) / vel_log(size[last] / size[before]);
    return cost[last] * vel_exp(fmin(fmax(1, exponent), BENCH_STEEPEST) * vel_log(next / size[last]));
}

void bench_law_words(const bench_growth *g, char *text) {
    static const char *const words[] = {"–", "less than linear", "linear", "n log n", "quadratic"};
    if (g->law == BENCH_LAW_POWER)
        snprintf(text, BENCH_LAW_WORDS, "n^%.2f", g->exponent);
    else
        snprintf(text, BENCH_LAW_WORDS, "%s", words[g->law]);
}
