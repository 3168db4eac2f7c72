/* dynamical_velocity_bodies.h - the loops over cells of core/dynamical_velocity.c, one set an instruction set; all give
 * the same bits.
 *
 * Cells come four at a time: arrays of n elements have room up to the next multiple of four, and what is there may be
 * read and overwritten, unless said. Nothing overlaps. */
#ifndef VEL_CORE_DYNAMICAL_VELOCITY_BODIES_H
#define VEL_CORE_DYNAMICAL_VELOCITY_BODIES_H

#include "core/kinetics.h"
#include "core/nearby.h"

/* The data of a gene, of type VEL_F32 or VEL_F64, and what is made of them. */
typedef struct {
    vel_type type;
    const void *u, *s;
    double scaling, u0, s0;
} vel_observed;

/* Cells and where they would be on both branches: their data, and the decays since each branch began. */
typedef struct {
    const double *u, *s, *eu[2], *es[2]; /* [VEL_OFF], [VEL_ON] */
    const vel_branch *branch;            /* [2] */
    double std_u, std_s;
} vel_beside;

/* The course of a gene: where a branch begins and where it leads, [0] repression and [1] induction, and the rates. */
typedef struct {
    double alpha[2], u0[2], s0[2];
    double beta, gamma, inverse, scaling; /* inverse: 1 / (gamma - beta) */
} vel_course;

/* Cells at times t: their states, the decays since the branch began, and the data. */
typedef struct {
    double switch_at;
    const uint8_t *kinds; /* one in VEL_VELOCITY_TOGETHER */
    const double *t, *eu, *es, *u, *s;
} vel_moving;

/* Bytes between the states of a gene: those of so many genes stand together. */
enum { VEL_VELOCITY_TOGETHER = 8 };

typedef struct {
    /* u / scaling - u0 and s - s0 of n cells from `first` on; single data are divided in double and rounded. No more
     * than n are read. */
    void (*observe)(int64_t n, const vel_observed *o, int64_t first, double *u, double *s);

    /* Squared distances to both branches; that to the nearer one, and its root with the sign of the difference in s. */
    void (*branches)(int64_t n, const vel_beside *q, double *const row[2], double *distance, double *root);

    /* x[4 c + k] = row[k][c]; of x no more than n cells are written. */
    void (*interleave)(int64_t n, const double *const row[4], double *x);

    /* y_c = (sum over neighbours of w_c x_j) / per for eight numbers a cell, per[0] of the first four and per[1] of the
     * others: x[8 (n + 1)] by place, the last cell 0, y[8 n] by cell. */
    void (*average)(const vel_nearby *nearby, const double *x, const double per[2], double *y);

    /* The likeliest states that are sure: of x[8 c + k], minus twice the logarithm of the likelihood of state k over
     * scale, the least by more than VEL_SURELY and as much below `limit`, that of `none`; or `none`, if all are as much
     * above. Else VEL_UNSURE. Of kinds no more than n are written. */
    void (*surest)(int64_t n, const double *x, double limit, uint8_t *kinds);

    /* The likeliest of five states: four of likelihood scale p[4 c + k], and `none`. The first of equals, NaN before
     * all. Of kinds no more than n are written. */
    void (*likeliest)(int64_t n, const double *p, double scale, uint8_t *kinds);

    /* t[c] = the time of the state kinds[VEL_VELOCITY_TOGETHER c]: tau_on if it is VEL_ON, tau_off + switch_at if it is
     * VEL_OFF, else 0. Of the others no more than n are read. */
    void (*times)(int64_t n, const uint8_t *kinds, double switch_at, const double *tau_on, const double *tau_off,
                  double *t);

    /* Velocities of s and u. */
    void (*move)(int64_t n, const vel_course *c, const vel_moving *m, double *v, double *v_u);
} vel_velocity_loops;

extern const vel_velocity_loops vel_velocity_loops_plain, vel_velocity_loops_avx2;

/* By so much exponents must differ, that likelihoods do by more than their rounding, a hundred million times. */
#define VEL_SURELY 1e-7
enum { VEL_NO_STATE = 4, VEL_UNSURE = 255 };

/* Likelihood of a fifth state, "none of these", and what is added to the sum that the likelihoods are divided by; both
 * scvelo 0.3.4's. */
#define VEL_LIKELIHOOD_OF_NONE 1e-6
#define VEL_LEAST_EVIDENCE 1e-2

#endif
