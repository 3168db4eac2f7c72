/* align.h - one scale of time for all genes: the span of a gene's transient times is made t_max.
 *
 *     M = (max_c t [t < t_] + max_c (t - t_) [t > t_]) / (share of cells with 0 < t, t != t_),    m = t_max / M
 *
 * alpha, beta, gamma are divided by m; t_, t, tau, tau_off are multiplied by it. Reference: scvelo 0.3.4,
 * align_dynamics. */
#ifndef VEL_CORE_ALIGN_H
#define VEL_CORE_ALIGN_H

#include "core/dynamics.h"

/* m of one gene from its times t[n], averaged over neighbours if the fit was. NaN among t gives NaN. O(n). */
double vel_align_factor(int64_t n, const double *t, double switch_at, double t_max);

/* Applies m to a solution of n cells, its times included. */
void vel_align(int64_t n, double m, vel_dynamics_solution *solution);

#endif
