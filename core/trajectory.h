/* trajectory.h - one gene's path: transcription from the origin until the switch, decay after it.
 *
 * Source: Bergen et al. 2020, doi:10.1038/s41587-020-0591-3, Methods.
 * Reference: scvelo 0.3.4, BaseDynamics, vectorize. */
#ifndef VEL_CORE_TRAJECTORY_H
#define VEL_CORE_TRAJECTORY_H

#include "core/kinetics.h"

/* The parameters of one gene's fit. */
typedef struct {
    vel_rates rates;
    vel_num sigma;     /* unspliced counts are divided by it */
    vel_num switch_at; /* the time at which transcription stops, t_ */
} vel_trajectory;

/* The same parameters, precision included: alpha / beta of singles is not that of doubles. */
bool vel_trajectory_same(const vel_trajectory *a, const vel_trajectory *b);

/* Whether float32 has all of its precision in u / sigma and in std_u / sigma: neither these nor what they are made of
 * are near its ends, u as far as it matters beside std_u. */
bool vel_trajectory_is_moderate(const vel_trajectory *p, double std_u);

/* The branch of a cell before or after the switch. The reference chooses it by an integer mask, so that all is double
 * here, except that the state at the switch and 1 / (gamma - beta) are formed in the precision of the parameters. */
vel_branch vel_branch_of(const vel_trajectory *p, bool on);

/* Whether t lies on the induction branch, and the time since the branch began: tau = t [t < t_] + (t - t_) [t >= t_],
 * the products formed so that Inf gives NaN as in the reference. */
static inline bool vel_branch_time(const vel_trajectory *p, vel_num t, double *tau) {
    double on = t.v < p->switch_at.v, off = 1 - on;
    *tau = t.v * on + vel_sub(t, p->switch_at).v * off;
    return on != 0;
}

#endif
