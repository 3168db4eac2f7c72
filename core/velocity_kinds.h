/* velocity_kinds.h - the likeliest state of every cell, from averages over neighbours that are all formed as the
 * reference forms them.
 *
 * The likelihood of a state k is scale exp(-y_k / 2), y_k the average of its squared distances over the neighbours,
 * divided by their variance; that of `none`, a fifth one, is fixed. What needs no more than the states,
 * core/velocity_screen.h finds without most of the averages.
 * Reference: scvelo 0.3.4, compute_divergence. */
#ifndef VEL_CORE_VELOCITY_KINDS_H
#define VEL_CORE_VELOCITY_KINDS_H

#include "core/velocity_model.h"

enum { VEL_VELOCITY_PAIR = 2 }; /* genes that are averaged at once: a cache line a cell */

/* Rooms for n cells, 64-byte aligned. */
typedef struct {
    double *x;      /* 8 (n + 1): what is averaged over neighbours, at the places of the cells; the last is 0 */
    double *y;      /* 8 n, filled up to the next multiple of four cells: averages, by cell */
    uint8_t *kinds; /* VEL_VELOCITY_TOGETHER n: the state of cell c in gene g is kinds[8 c + g] */
} vel_velocity_rooms;

/* What a distance is compared by. */
typedef struct {
    double scale, limit; /* limit: of y, where the likelihood is that of `none`; NaN: out of reach, no state is sure */
} vel_velocity_likelihood;

vel_velocity_likelihood vel_velocity_likelihood_of(double variance);

/* The states of n cells by y[8 c + k], which has room for a multiple of four cells: to kinds[8 c]. Mostly by the least
 * y, which takes neither exp nor division, but where that is too near to call. */
void vel_velocity_classify(const vel_velocity_engine *e, int64_t n, const vel_velocity_likelihood *l, const double *y,
                           uint8_t *kinds);

/* The states of count <= VEL_VELOCITY_PAIR genes from number `first` on, to the kinds of the rooms. x and y are
 * overwritten. */
void vel_velocity_kinds(const vel_velocity_engine *e, const vel_dynamical_opts *opts, int first, int count,
                        const vel_velocity_model *models, const vel_dynamical_gene *genes,
                        const vel_velocity_rooms *rooms);

#endif
