/* run.h - the runner: the steps of a recipe, one after the other, and the record of it in uns/vel. */
#ifndef VEL_PIPELINES_RUN_H
#define VEL_PIPELINES_RUN_H

#include "pipelines/plan.h"

/* Told before and after each step; members may be NULL. */
typedef struct {
    void *user;
    void (*begin)(void *user, const vel_planned *step, int i, int n);
    vel_err (*end)(void *user, vel_adata *ad, const vel_planned *step, vel_err e);
} vel_run_listener;

/* Runs a plan. *ad is the data it was made for; NULL before a recipe that makes its own. A step that was put in and an
 * optional field of the file that a step reads are said. On failure the handle holds what was done so far: do not
 * write it. listener may be NULL. ctx->scratch is given back after each step. */
vel_err vel_run(vel_ctx *ctx, const vel_plan *plan, const vel_run_listener *listener, vel_adata **ad) VEL_CHECKED;

/* Parses, checks, plans, runs and records the recipe: all that a library user needs. */
vel_err vel_run_recipe(vel_ctx *ctx, const char *recipe, vel_adata **ad) VEL_CHECKED;

#endif
