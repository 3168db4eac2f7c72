/* dynamical_velocity.h - velocity of one gene from its fitted dynamics.
 *
 * A cell lies on the induction branch, on the repression branch or at one of their steady states, whichever explains
 * its (u, s) best after averaging over its neighbours; its time is averaged likewise, and the velocity is the slope of
 * the fitted curve at that time:
 *
 *     v = beta U(t) - gamma S(t) >= -s,    v_u = (alpha(t) - beta U(t)) scaling >= -u scaling
 *
 * Double throughout, but for u / scaling, which is kept in the type of the data. Means run over the cells in order.
 * Source: Bergen et al. 2020, doi:10.1038/s41587-020-0591-3. Reference: scvelo 0.3.4,
 * compute_divergence(mode="velocity") for several genes (its call for a single one fails). */
#ifndef VEL_CORE_DYNAMICAL_VELOCITY_H
#define VEL_CORE_DYNAMICAL_VELOCITY_H

#include "core/nearby.h"
#include "core/steady_state.h"

/* The fit of a gene as recover_dynamics stores it. */
typedef struct {
    double alpha, beta, gamma; /* fit_alpha, fit_beta (of the unscaled u), fit_gamma */
    double scaling, switch_at; /* fit_scaling, fit_t_ */
    double std_u, std_s;       /* fit_std_u (unscaled), fit_std_s */
    double u0, s0;             /* basal levels to subtract; 0, 0: none */
} vel_fitted_gene;

typedef struct {
    const vel_nearby *nearby;  /* averages over neighbours; NULL: every cell for itself */
    const double *latent_time; /* n, its maximum is 1: pulls the times towards it; NULL: not used */
} vel_dynamical_opts;

/* One gene: what is known, and where its velocities go. */
typedef struct {
    vel_fitted_gene fit;
    vel_gene_data data;
    const double *tau_on, *tau_off; /* fit_tau, fit_tau_: times since the beginning, and since the switch */
    double *v, *v_u;                /* n each, out */
} vel_dynamical_gene;

enum { VEL_DYNAMICAL_GENES = 8 };

/* Doubles of work that genes of n cells need. */
size_t vel_dynamical_work(int64_t n);

/* The velocities of count <= VEL_DYNAMICAL_GENES genes of the same cells: one average over neighbours gives the times
 * of all of them, and one sum the likeliest states (core/velocity_screen.h). work: vel_dynamical_work(n) doubles,
 * 64-byte aligned, overwritten: 136 bytes a cell.
 *
 * NaN in a cell makes the whole gene NaN, by way of the variance. Cannot fail. O(n degree): six exp a cell and gene;
 * with a latent time ten, and five averages. */
void vel_dynamical_velocity(const vel_dynamical_opts *opts, int count, const vel_dynamical_gene *genes, double *work);

/* The residuals of the model's equations at the data instead, tau_on[n] being fit_t:
 *     v = beta u - gamma s,    v_u = (alpha [t < t_] - beta u) scaling */
void vel_dynamical_residuals(const vel_dynamical_gene *gene);

#endif
