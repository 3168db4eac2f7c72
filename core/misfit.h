/* misfit.h - how far the cells are from the trajectory at their times: loss, likelihood, variance.
 *
 * For the cells of a mask, with k = [t < t_], tau = t k + (t - t_)(1 - k) and (U, S) the state at tau on the branch k:
 *
 *     du = ((U - u/sigma) / std_u) sigma,    ds = (S - s) / std_s,    reg = ((gamma/beta - rho) s) / std_s
 *     loss = sum of du^2 + ds^2 + reg^2       (NumPy's pairwise order)
 *
 * rho is the steady-state ratio kept from the start of the fit; without it reg is 0. All in double from the branch
 * masks on, which are integers in the reference. Reference: scvelo 0.3.4, get_loss, get_likelihood, get_variance. */
#ifndef VEL_CORE_MISFIT_H
#define VEL_CORE_MISFIT_H

#include "core/assign.h"

/* The cells that count. */
typedef struct {
    int32_t *cell; /* in the order of the sums */
    int64_t n;
    double *u, *s; /* of these cells: vel_mask_take */
} vel_mask;

/* Copies the data of the mask's cells to room[2 n]; must come before the mask is used below. */
void vel_mask_take(const vel_cells *cells, vel_mask *mask, double *room);

/* Leaves only the cells above both, with their data. */
void vel_mask_keep_above(vel_mask *mask, double u, double s);

typedef struct {
    bool fixed;
    vel_num rho;
} vel_ratio;

/* Work for all of these: 2 n doubles, n the cells of the mask. */

/* The sum of squares under p with times t of all cells. */
double vel_loss(const vel_cells *cells, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                double *work);

/* Whether the loss under p is above the limit whatever the times are, NaN counting as above: no cell has more u than
 * the path reaches at the switch, so that what the cells have beyond it is lost. False says nothing. O(n) at most. */
bool vel_loss_surely_above(const vel_cells *cells, const vel_trajectory *p, vel_mask mask, double limit);

/* exp of the log likelihood a cell over the mask; NaN for an empty one. */
double vel_likelihood(const vel_cells *cells, const vel_trajectory *p, const vel_ratio *ratio, vel_mask mask, vel_vec t,
                      double *work);

/* Variance of the signed distances, the ratio's term left out; NaN for an empty mask. */
double vel_misfit_variance(const vel_cells *cells, const vel_trajectory *p, vel_mask mask, vel_vec t, double *work);

#endif
