/* start.h - where the fit of one gene starts: which cells count, and parameters from the extremes of the data.
 *
 * The cells with u > 0 and s > 0, those above a percentile left out; scale from standard deviations; gamma/beta from
 * the line through the cells of highest s; alpha from their u; a test for two modes, which tells a gene that has
 * reached its steady state. Reference: scvelo 0.3.4, DynamicsRecovery.initialize. */
#ifndef VEL_CORE_START_H
#define VEL_CORE_START_H

#include "core/misfit.h"

typedef struct {
    double percentile;     /* of u and of s: cells above are left out */
    bool fit_scaling;      /* sigma starts as std_u / std_s */
    double scaling;        /* else as this number */
    const double *factors; /* factors[3] of alpha, beta, gamma; NULL: none */
    const uint8_t *prior;  /* prior[n]: cells that are steady beside those found; NULL: none */
} vel_start_options;

typedef struct {
    vel_mask fit;            /* cells of the loss */
    double third_u, third_s; /* of their maxima: those above are the cells of the likelihood */
    vel_num std_u, std_s;
    vel_trajectory p;
    double p_steady;            /* of the test for two modes, 1 if there is nothing to test */
    vel_num steady_u, steady_s; /* the upper modes, u divided by sigma */
} vel_start;

/* The mask of cells u[n], s[n]; fit.n <= 2 means that the gene cannot be fitted, and *recoverable is false. Memory
 * from ctx->scratch. */
vel_err vel_start_mask(vel_ctx *ctx, int64_t n, vel_vec u, vel_vec s, double percentile, vel_start *start,
                       bool *recoverable) VEL_CHECKED;

/* The parameters, once the masks are there. Scratch from ctx->scratch. */
vel_err vel_start_values(vel_ctx *ctx, vel_vec u, vel_vec s, const vel_start_options *options,
                         vel_start *start) VEL_CHECKED;

#endif
