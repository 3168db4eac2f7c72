/* passes.h - the loops over all cells of one evaluation of the fit, when everything in them is double.
 *
 * Each does the operations of core/kinetics.c, core/assign.c and core/misfit.c in their order, so that the bits are the
 * same, in vectors of the CPU. Arrays must not overlap unless said. Nothing is allocated. O(n). */
#ifndef VEL_CORE_PASSES_H
#define VEL_CORE_PASSES_H

#include "core/cpu.h"
#include "core/gaps.h"
#include "core/kinetics.h"

/* What is taken the logarithm of when times are found: (s - b u - x) / start, or (u - x) / start by u alone; clipped to
 * [low, high]. */
typedef struct {
    bool by_u;
    double b, x, start, low, high;
} vel_pass_ratio;

/* Cells and the units of distances: ((x - U) / q_u)^2 + ((s - S) / q_s)^2. */
typedef struct {
    const double *x, *s;
    double q_u, q_s;
} vel_pass_frame;

/* Cells of the loss: du = ((U - u/sigma) / std_u) sigma, ds = (S - s) / std_s. */
typedef struct {
    const double *u, *s;
    double sigma, std_u, std_s;
    double excess; /* gamma/beta - rho; the term is left out if it is 0 */
} vel_pass_misfit;

/* Cells on their branches [0] off and [1] on: where as `since` gives it, and exp of its eu and es. */
typedef struct {
    const vel_branch *branch;
    const double *where, *eu, *es;
} vel_pass_cells;

/* What a curve is drawn with: u sigma + u0, s + s0. */
typedef struct {
    double sigma, u0, s0;
} vel_pass_levels;

/* Gaps of one branch, found by core/gaps.h: the cells whose state is this one move back. */
typedef struct {
    const uint8_t *state;
    uint8_t mine;
    const vel_gaps *gaps;
} vel_pass_move;

/* The states of cells, numbered as below, and their times on both branches. */
typedef struct {
    const uint8_t *state;
    const double *tau, *tau_off;
    double switch_at;
} vel_pass_times;

enum { VEL_OFF, VEL_ON, VEL_STEADY_OFF, VEL_STEADY_ON };

/* How far times reach. */
typedef struct {
    double last, last_on; /* the largest of all, of the cells that are on; -Inf if there is none */
    int64_t waiting;      /* how many are at the switch */
    bool finite;          /* no NaN and no Inf among them; else the rest does not count */
} vel_pass_reach;

typedef struct {
    void (*ratios)(int64_t n, const vel_pass_ratio *r, const double *u, const double *s, double *y);

    /* y = x / by */
    void (*divide)(int64_t n, const double *x, double by, double *y);

    /* t = factor t */
    void (*scale)(int64_t n, double factor, double *t);

    /* x = max(mean + (0 + scale x), 0) */
    void (*blur)(int64_t n, double scale, const double *mean, double *x);

    /* The largest t among the cells with s > 0; NaN if any of t is NaN or infinite. */
    double (*largest)(int64_t n, const double *t, const double *s);

    /* t = min(max(t, 0), most); most not NaN; a NaN in t stays. */
    void (*clip)(int64_t n, double most, double *t);

    /* eu = -beta t, es = -gamma t: what exp is taken of. */
    void (*decays)(int64_t n, double beta, double gamma, const double *t, double *eu, double *es);

    /* u, s hold eu, es and get the state on the branch. */
    void (*states)(int64_t n, const vel_branch *b, double *u, double *s);

    /* Squared distances to the curve (u, s). */
    void (*distances)(int64_t n, const vel_pass_frame *f, const double *u, const double *s, double *row);

    /* Squared distances to one state. */
    void (*distances_to)(int64_t n, double u, double s, const vel_pass_frame *f, double *row);

    /* The same where the spliced are singles, S and q_s too: that square is one. */
    void (*distances_to_singles)(int64_t n, double u, double s, const vel_pass_frame *f, double *row);

    /* For times t: where[i] = 1 on the induction branch, else 0; eu, es as in decays, since the branch began. */
    void (*since)(int64_t n, const vel_rates *r, double switch_at, const double *t, double *where, double *eu,
                  double *es);

    /* d = du^2 + ds^2 + reg^2 on the branch of each cell, and ds; d may be eu, ds may be es. */
    void (*misfits)(int64_t n, const vel_pass_cells *cells, const vel_pass_misfit *m, double *d, double *ds);

    /* u, s hold eu, es of `since` and get the state of each cell on its branch, drawn. */
    void (*drawn)(int64_t n, const vel_branch branch[2], const vel_pass_levels *levels, const double *where, double *u,
                  double *s);

    /* y[n]: the time of each cell on its branch, tau where the state is VEL_ON. */
    void (*mine)(int64_t n, const vel_pass_times *times, double *y);

    /* Moves times back by the gaps; moved[n + 1]: which have another time now. Returns how many. */
    int64_t (*move)(int64_t n, const vel_pass_move *move, double *tau, int32_t *moved);

    /* t[n], on[n] once the states are final, 0 times the other branch's time added as in the reference: a cell at the
     * steady state "off" counts as on with time 0, one at "on" as off with time t_. */
    void (*choose)(int64_t n, const vel_pass_times *times, double *t, uint8_t *on);

    void (*reach)(int64_t n, const double *t, const uint8_t *on, double switch_at, vel_pass_reach *reach);
} vel_passes;

/* The set of a level; of a build without it, the plain one. */
const vel_passes *vel_passes_at(vel_cpu level);

#endif
