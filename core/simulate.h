/* simulate.h - splicing kinetics of one gene over cells, with noise: the reference's simulated data.
 *
 *     u(tau) = u0 e^(-beta tau) + alpha/beta (1 - e^(-beta tau))
 *     s(tau) = s0 e^(-gamma tau) + alpha/gamma (1 - e^(-gamma tau))
 *              + (alpha - beta u0) / (gamma - beta) (e^(-gamma tau) - e^(-beta tau))
 *
 * A cell at time t is in induction (from (0, 0), rate alpha) while t < switch_time, then in repression (from the state
 * at the switch, rate alpha_off). gamma = beta gives NaN. Reference: scvelo 0.3.4, datasets.simulation. The order of
 * operations and of random draws is the reference's, so the bits are. */
#ifndef VEL_CORE_SIMULATE_H
#define VEL_CORE_SIMULATE_H

#include "core/rng.h"

/* A rate: value[i * step] for cell i; step 0: one for all cells, 1: one a cell. */
typedef struct {
    const double *value;
    int64_t step;
} vel_rate;

typedef struct {
    vel_rate alpha, beta, gamma; /* 1 / time; counts / time for alpha */
    double alpha_off;            /* transcription after the switch */
    double switch_time;
} vel_simulated;

/* Time points of a Poisson process: t[0] = 0, then the running sum of -0.1 ln r; n >= 1.
 * t_max > 0 stretches them so that the last is t_max (once rounded); 0: as drawn. */
void vel_simulate_times(vel_rng *python, int64_t n, double t_max, double *t);

/* The last of t[n] (ascending) before fraction * t[n - 1]; NaN if there is none. */
double vel_simulate_switch(int64_t n, const double *t, double fraction);

/* One gene without noise. t[n] (ascending) -> u[n], s[n], nothing clipped. work[n]. No two arrays may overlap. Two exp
 * a cell. */
void vel_simulate_states(const vel_simulated *g, int64_t n, const double *t, double *work, double *u, double *s);

/* What noise is measured by: the 99th percentile of x[n]; a tenth of it is its standard deviation at level 1. work[n].
 */
double vel_simulate_spread(int64_t n, const double *x, double *work);

/* x[i] = mean[i] + scale * N(0, 1), drawn in order, clipped at 0. x[n] and mean[n] may not overlap. */
void vel_simulate_noise(vel_rng *numpy, double scale, int64_t n, const double *mean, double *x);

/* Values below 0 become 0; a NaN stays. */
void vel_simulate_clip(int64_t n, double *x);

/* One gene by Gillespie's algorithm, one event a cell: transcription, splicing or degradation by their propensities
 * (alpha or alpha_off by the cell's time, beta u, gamma s). u[n], s[n] hold the state after the cell's event. Beta and
 * gamma must be one for all cells. */
void vel_simulate_events(vel_rng *numpy, const vel_simulated *g, int64_t n, const double *t, double *u, double *s);

#endif
