/* stochastic.h - steady-state ratio of one gene from first and second moments (the stochastic model).
 *
 *     u     = gamma s + o            cells of the extreme quantiles of s, or of u and s together; weight 1 / std of the
 *                                    residual of the deterministic fit
 *     c     = gamma v + o2           all cells; weight 1 / std of the residual of their own line
 *     v = 2 <s s> - <s>,   c = 2 <u s> + <u>       moments over a cell's neighbours
 *
 * solved together as one least-squares problem. Ratio and offsets are float32. The variance of the velocity is
 *
 *     (c - 2 <s> <u>) - gamma (v - 2 <s>^2)   (+ 2 o <s>, - o2)
 *
 * Source: Bergen et al. 2020, doi:10.1038/s41587-020-0591-3, Methods; reference: scvelo 0.3.4,
 * Velocity.compute_stochastic and leastsq_generalized. */
#ifndef VEL_CORE_STOCHASTIC_H
#define VEL_CORE_STOCHASTIC_H

#include "core/steady_state.h"

typedef struct {
    vel_steady_opts steady; /* of the deterministic fit */
    bool offset2;           /* fit o2 */
    bool pairwise;          /* the deviation of the residual is summed in pairs (sum.h), as the reference does once it
                               has cut its matrices to some of the genes; else one cell after the other */
    bool anew;              /* the genes were cut between the fits: offsets are float32 */
} vel_stochastic_opts;

/* One gene, beside its first moments (vel_gene_data): second moments over the neighbours, n each. */
typedef struct {
    const float *ss, *us;
} vel_second_moments;

typedef struct {
    double gamma, offset, offset2; /* float32 values */
} vel_stochastic;

/* Bytes of work that a fit of n cells needs. */
size_t vel_stochastic_work(int64_t n);

/* Fits one gene after its deterministic fit. work: vel_stochastic_work(n) bytes, 64-byte aligned, overwritten. What is
 * not defined is 0. Cannot fail. O(n). */
void vel_stochastic_fit(const vel_stochastic_opts *opts, const vel_gene_data *gene, const vel_second_moments *second,
                        const vel_steady *steady, void *work, vel_stochastic *fit);

/* variance[n] of the velocity: values of the type of the fit (vel_steady_type). */
void vel_stochastic_variance(const vel_stochastic_opts *opts, const vel_gene_data *gene,
                             const vel_second_moments *second, const vel_stochastic *fit, double *variance);

#endif
