/* assign.h - the E step of one gene: which time, and which branch of the trajectory, each cell has.
 *
 * For given parameters every cell gets a time on the induction branch ("on") and one on the repression branch ("off"),
 * by the inverse of the solution or by orthogonal projection; the squared distances to both, averaged over the cell's
 * neighbours, decide between them; gaps in the times are removed; the distances decide again, now against the two
 * steady states as well. With x = u / sigma, q_u = std_u / sigma, q_s = std_s:
 *
 *     r = ((x - U) / q_u)^2 + ((s - S) / q_s)^2
 *
 * Ties go to off. NaN distances win. Every operation is rounded as the tags say. Reference: scvelo 0.3.4,
 * BaseDynamics.get_divergence. */
#ifndef VEL_CORE_ASSIGN_H
#define VEL_CORE_ASSIGN_H

#include "core/duet.h"
#include "core/segments.h"
#include "core/trajectory.h"

/* How times are found: by the inverse solution; by projection if beta < gamma (the default's second stage); always by
 * projection. */
typedef enum { VEL_ASSIGN_INVERSE, VEL_ASSIGN_PROJECT, VEL_ASSIGN_PROJECT_ALL } vel_assign_mode;

/* What stays the same during a fit: n cells of one gene, at least one of which has s > 0. */
typedef struct {
    int64_t n;
    vel_vec u, s; /* unspliced, spliced; SINGLE or DOUBLE */
    vel_num std_u, std_s;
    const vel_segments *segments; /* neighbours, to average over; NULL: none */
    bool steady;                  /* the steady states are candidates too */
    vel_part part;                /* alone, or beside another fit */
} vel_cells;

typedef struct {
    vel_vec t;   /* time since transcription began */
    uint8_t *on; /* 1: induction or its steady state */
} vel_times;

typedef struct vel_assign_work vel_assign_work;

/* Memory for these cells, from ctx->scratch, beside room[n], which stays in use. */
vel_err vel_assign_work_new(vel_ctx *ctx, const vel_cells *cells, double *room, vel_assign_work **work) VEL_CHECKED;

/* 3 n doubles that are anyone's from one assignment to the next, which may leave anything in them. */
double *vel_assign_spare(vel_assign_work *work);

/* Whether the times under p are found by projection. */
bool vel_assign_projects(const vel_trajectory *p, vel_assign_mode mode);

/* The times under p: t[n], on[n] are overwritten. O(n (degree + log n)), with projection O(500 n). */
void vel_assign(const vel_cells *cells, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *work,
                vel_times *out);

/* Whether the branches under p are those that were found last, of the same cells. */
bool vel_assign_holds(const vel_assign_work *work, const vel_trajectory *p, vel_assign_mode mode);

/* The times on both branches after gap removal, of every cell: tau[n], tau_off[n]. O(n) if they are held. */
void vel_assign_branches(const vel_cells *cells, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *work,
                         vel_vec *tau, vel_vec *tau_off);

#endif
