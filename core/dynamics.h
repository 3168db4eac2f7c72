/* dynamics.h - the dynamical model of one gene, fitted by expectation and maximisation.
 *
 * Times of all cells and the parameters alpha, beta, gamma, sigma, t_ in turn: a scaling grid, an alpha grid, then
 * simplex searches over groups of parameters, each followed by an update that is accepted if the loss falls. With the
 * reference's ten iterations a search makes a single step, so that parameters are start values times fixed factors and
 * comparisons of losses choose among them: one bit can change a gene. Hence precision tags (core/tagged.h) and orders
 * of sums are followed exactly. Source: Bergen et al. 2020, doi:10.1038/s41587-020-0591-3. Reference: scvelo 0.3.4,
 * DynamicsRecovery. */
#ifndef VEL_CORE_DYNAMICS_H
#define VEL_CORE_DYNAMICS_H

#include "core/start.h"

/* One gene's data. */
typedef struct {
    int64_t n;                    /* cells */
    const void *u, *s;            /* u[n], s[n]: unspliced, spliced abundances, >= 0 */
    vel_type type_u, type_s;      /* VEL_F32 or VEL_F64 */
    const vel_segments *segments; /* neighbours, to average over; NULL: none */
    vel_part part;                /* alone, or beside another fit with the same neighbours */
} vel_dynamics_problem;

/* How to fit: the defaults are vel_dynamics_defaults(). */
typedef struct {
    int64_t max_iter;          /* a fifth of it, rounded down, is the simplex's limit; <= 0: no search */
    vel_assign_mode mode;      /* of the second stage; VEL_ASSIGN_PROJECT_ALL with projected_throughout: of both */
    bool projected_throughout; /* project from the beginning */
    bool steady_states;        /* fit them */
    bool basal;                /* subtract the least abundance */
    bool update_always;        /* high_pars_resolution: an update after every simplex iteration */
    bool fit_scaling;
    vel_start_options start;
} vel_dynamics_settings;

typedef enum { VEL_FITTED, VEL_FEW_CELLS, VEL_NEGATIVE, VEL_NOT_FINITE, VEL_FIT_STATUSES } vel_fit_status;

/* Why a gene was not fitted, and what the search did. */
typedef struct {
    vel_fit_status status;
    int64_t cell;    /* of the first negative or not finite value */
    bool in_spliced; /* whether that is one of s */
    int64_t updates; /* accepted: losses in the history */
} vel_dynamics_info;

typedef struct {
    double alpha, beta, gamma, switch_at, sigma; /* beta: divided by sigma, as the reference stores it */
    double std_u, std_s, likelihood, u0, s0;     /* u0, s0: what basal subtracted */
    double p_steady, steady_u, steady_s, variance;
    const double *loss;        /* info.updates values, from the scratch of the call */
    double *t, *tau, *tau_off; /* n each: given by the caller, work meanwhile; t averaged over the neighbours, if there
                                * are */
} vel_dynamics_solution;

vel_dynamics_settings vel_dynamics_defaults(void);

/* A bound on info.updates. */
int64_t vel_dynamics_most_updates(const vel_dynamics_settings *settings);

const char *vel_fit_status_words(vel_fit_status status); /* "fitted", "too few cells" */

/* Fits one gene. The solution is written only if info->status is VEL_FITTED. Fails only for want of memory, which is
 * all from ctx->scratch: about 240 bytes a cell, in a duet 180. O(n (degree + log n)) an evaluation, some forty
 * evaluations. */
vel_err vel_dynamics_fit(vel_ctx *ctx, const vel_dynamics_problem *problem, const vel_dynamics_settings *settings,
                         vel_dynamics_solution *solution, vel_dynamics_info *info) VEL_CHECKED;

#endif
