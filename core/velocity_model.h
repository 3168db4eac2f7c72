/* velocity_model.h - the fitted curve of a gene as core/dynamical_velocity.h needs it, and how far cells are from its
 * four states, a chunk of cells at a time.
 *
 * All of it is elementwise, so that a cell has the same bits in any chunk. Nothing is allocated, nothing can fail; what
 * is not finite goes on as NaN or Inf. States are numbered as in core/passes.h. */
#ifndef VEL_CORE_VELOCITY_MODEL_H
#define VEL_CORE_VELOCITY_MODEL_H

#include "core/dynamical_velocity.h"
#include "core/dynamical_velocity_bodies.h"
#include "core/least.h"
#include "core/passes.h"

enum { VEL_VELOCITY_CHUNK = 128, VEL_VELOCITY_STATES = 4 };

/* A quantity of the cells of a chunk. */
typedef double vel_velocity_column[VEL_VELOCITY_CHUNK];

/* What the loops of this CPU are. */
typedef struct {
    const vel_velocity_loops *loops;
    const vel_passes *passes;
} vel_velocity_engine;

vel_velocity_engine vel_velocity_engine_now(void);

/* The fit with beta rescaled, and the branches: [0] repression, [1] induction. */
typedef struct {
    double alpha, beta, gamma;
    double inverse;              /* 1 / (gamma - beta), NaN if they are equal */
    double u_switch, s_switch;   /* the state at the switch, which is at the time switch_at */
    double switch_at, scaling;   /* scaling: of u, which the model has divided by it */
    double std_u, std_s, u0, s0; /* deviations and basal levels of u / scaling and of s */
    vel_branch branch[2];
} vel_velocity_model;

vel_velocity_model vel_velocity_model_make(const vel_fitted_gene *fit);

/* The data of the n <= VEL_VELOCITY_CHUNK cells from `first` on as the model sees them: u / scaling - u0, s - s0. */
void vel_velocity_observe(const vel_velocity_engine *e, const vel_velocity_model *m, const vel_gene_data *data,
                          int64_t first, int64_t n, double *u, double *s);

/* u, s: the states of n cells on a branch, tau after it began. */
void vel_velocity_follow(const vel_velocity_engine *e, const vel_velocity_model *m, int branch, int64_t n,
                         const double *tau, double *u, double *s);

/* n cells: their data and squared distances to the states. */
typedef struct {
    vel_velocity_column u, s, row[VEL_VELOCITY_STATES];
} vel_velocity_cells;

/* The distances of cells whose u, s are given. */
void vel_velocity_measure(const vel_velocity_engine *e, const vel_velocity_model *m, int64_t n, const double *tau_on,
                          const double *tau_off, vel_velocity_cells *cells);

/* Those to the steady states alone. */
void vel_velocity_measure_steady(const vel_velocity_engine *e, const vel_velocity_model *m, int64_t n,
                                 vel_velocity_cells *cells);

/* Ask for the data or the times of the chunk that begins at a cell, which come while other genes are worked on. Beyond
 * the last cell nothing happens. */
void vel_velocity_fetch_data(const vel_dynamical_gene *g, int64_t first);
void vel_velocity_fetch_times(const vel_dynamical_gene *g, int64_t first);

/* Sums over the cells, in order, of the distance to the nearer branch and of its signed root. */
typedef struct {
    double distance, root;
} vel_velocity_spread;

/* The data of n cells of a gene from `first` on and their distances to both branches, which are added to the spread. */
void vel_velocity_measure_branches(const vel_velocity_engine *e, const vel_velocity_model *m,
                                   const vel_dynamical_gene *g, int64_t first, int64_t n, vel_velocity_cells *cells,
                                   vel_velocity_spread *spread);

/* The variance of the distances of n cells. */
double vel_velocity_variance(const vel_velocity_spread *spread, int64_t n);

/* The least of n and what a chunk holds. */
static inline int64_t vel_velocity_some(int64_t n) { return vel_least(n, VEL_VELOCITY_CHUNK); }

#endif
