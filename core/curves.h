/* curves.h - the fitted curves of one gene, evaluated.
 *
 *     alpha(t) = alpha [t < t_],    u(t) sigma + u0,    s(t) + s0
 *
 * Reference: scvelo 0.3.4, compute_dynamics. */
#ifndef VEL_CORE_CURVES_H
#define VEL_CORE_CURVES_H

#include <stdint.h>

typedef struct {
    double alpha, beta, gamma, sigma, switch_at; /* beta of the unspliced divided by sigma: fit_beta * fit_scaling */
    double u0, s0;                               /* basal levels */
} vel_curve;

/* The curves at t[n]: u[n], s[n] out, may not overlap t; alpha[n] too, or NULL. NaN in t gives NaN. O(n): two exp an
 * element. */
void vel_curve_at(const vel_curve *curve, int64_t n, const double *t, double *alpha, double *u, double *s);

/* The times at which a curve is drawn beyond the data: 500 from 0 to the switch, 500 from there to last. */
enum { VEL_CURVE_POINTS = 1000 };
void vel_curve_times(double switch_at, double last, double *t);

#endif
