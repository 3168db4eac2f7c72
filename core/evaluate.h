/* evaluate.h - times and loss under given parameters, the last few remembered.
 *
 * A fit asks for the same parameters again and again: the accepted ones, the best vertex of a search, the alternative
 * that was refused before. About half of the evaluations are found among the last twelve; mostly their losses are
 * enough, so that times are kept of the best few only and found again where they are wanted once more. Parameters are
 * the same only if their precision tags are too: alpha / beta of singles is not that of doubles. */
#ifndef VEL_CORE_EVALUATE_H
#define VEL_CORE_EVALUATE_H

#include "core/misfit.h"

enum { VEL_EVALUATIONS = 12, VEL_EVALUATED_TIMES = 3 };

typedef struct {
    /* of what: the parameters, whether times were projected, the kept ratio */
    vel_trajectory p;
    bool projected;
    vel_ratio ratio;
    /* what */
    const vel_times *times; /* NULL: forgotten */
    double loss;
    int64_t used; /* when; 0: never */
} vel_evaluation;

typedef struct {
    vel_cells cells;
    double *room;  /* n, of the caller: work */
    vel_mask mask; /* of the loss */
    vel_assign_mode mode;
    vel_ratio ratio;
    vel_assign_work *work;
    double *misfit_work; /* 3 n, of work */
    vel_evaluation entry[VEL_EVALUATIONS], *kept;
    vel_times times[VEL_EVALUATED_TIMES];
    int64_t clock;
} vel_evaluator;

/* Memory for the cells that the evaluator has; mode and ratio may change between evaluations. From ctx->scratch: about
 * 170 bytes a cell, in a duet 100. */
vel_err vel_evaluator_new(vel_ctx *ctx, vel_evaluator *e) VEL_CHECKED;

/* The evaluation at p: stays as it is for the next VEL_EVALUATIONS - 2 evaluations, but for the times. */
vel_evaluation *vel_evaluate(vel_evaluator *e, const vel_trajectory *p);

/* Its times, found again if they are forgotten: there until the next evaluation, the best ones for longer. */
const vel_times *vel_evaluation_times(vel_evaluator *e, vel_evaluation *x);

/* Keeps this one and its times until another is kept. */
void vel_evaluation_keep(vel_evaluator *e, vel_evaluation *kept);

/* The loss at p with times found elsewhere. */
double vel_evaluate_loss(vel_evaluator *e, const vel_trajectory *p, vel_vec t);

#endif
