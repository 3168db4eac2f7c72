/* kinetics.h - closed-form splicing kinetics of one gene, and its inverse.
 *
 *     du/dt = alpha - beta u,    ds/dt = beta u - gamma s
 *
 * From (u0, s0), with eu = exp(-beta tau), es = exp(-gamma tau):
 *
 *     u(tau) = u0 eu + alpha/beta (1 - eu)
 *     s(tau) = s0 es + alpha/gamma (1 - es) + (alpha - u0 beta) / (gamma - beta) (es - eu)
 *
 * Every operation is rounded as the tags say (core/tagged.h), in the order of the reference; beta = gamma gives NaN in
 * s, as there. Units: abundances in counts, times and 1/rates in one unit that the fit is free to choose. Source:
 * Bergen et al. 2020, doi:10.1038/s41587-020-0591-3, Methods. Reference: scvelo 0.3.4, SplicingDynamics, tau_inv. */
#ifndef VEL_CORE_KINETICS_H
#define VEL_CORE_KINETICS_H

#include "core/tagged.h"

typedef struct {
    vel_num alpha; /* transcription, counts / time, >= 0 */
    vel_num beta;  /* splicing,      1 / time,      >  0 */
    vel_num gamma; /* degradation,   1 / time,      >  0 */
} vel_rates;

typedef struct {
    vel_num u, s; /* unspliced, spliced, counts */
} vel_state;

/* The solution on a branch as a function of the decays eu, es, its coefficients widened to double:
 *
 *     u = u0 eu + u_inf (1 - eu),    s = s0 es + s_inf (1 - es) + c (es - eu)            u_inf = alpha / beta, ... */
typedef struct {
    double alpha, u0, s0, u_inf, s_inf, c;
} vel_branch;

static inline double vel_branch_u(const vel_branch *b, double eu) { return b->u0 * eu + b->u_inf * (1 - eu); }
static inline double vel_branch_s(const vel_branch *b, double eu, double es) {
    return (b->s0 * es + b->s_inf * (1 - es)) + b->c * (es - eu);
}

/* The state after time tau from (u0, s0). */
vel_state vel_kinetics_at(const vel_rates *r, vel_state from, vel_num tau);

/* The same for tau[n], all from one state.
 *
 *   tau     times since the phase began
 *   u, s    out: the states, tags included; neither may overlap tau or the other
 *
 * Cannot fail and allocates nothing. NaN in tau gives NaN out. O(n): two exp an element. */
void vel_kinetics_states(const vel_rates *r, vel_state from, int64_t n, vel_vec tau, vel_vec *u, vel_vec *s);

/* The time at which u, or u and s, are reached from a state: by u alone if gamma >= beta, else by both. The logarithm's
 * argument is clipped to [1e-6, 1 - 1e-6]. */
vel_num vel_kinetics_time(const vel_rates *r, vel_state from, vel_state at);
vel_num vel_kinetics_time_of_u(const vel_rates *r, vel_num u0, vel_num u);

/* The same for u[n], s[n]; tau is out, may be u. */
void vel_kinetics_times(const vel_rates *r, vel_state from, int64_t n, vel_vec u, vel_vec s, vel_vec *tau);

#endif
