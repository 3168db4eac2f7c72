/* plan.h - what a recipe does to a file, known before anything is run: which fields are read and written, which steps
 * come first because a field is missing. A recipe that cannot end well is refused here, with the data untouched. */
#ifndef VEL_PIPELINES_PLAN_H
#define VEL_PIPELINES_PLAN_H

#include "pipelines/recipe.h"

typedef struct {
    const vel_key *key;
    const char *path;
    bool in_file; /* a read that is there before the recipe starts; false: an earlier step writes it */
    bool likely;  /* a write that is not just possible */
} vel_planned_key;

typedef struct {
    vel_call call;
    void *opts;
    const char *made_for, *made_by; /* of a step that was put in: the missing field, the step that needs it */
    vel_planned_key *reads, *writes;
    int n_reads, n_writes; /* rows that count; reads only those that are there */
} vel_planned;

typedef struct {
    const vel_recipe *recipe;
    vel_planned *steps;
    int n_steps;
    bool packs; /* for the estimate: what is written will be compressed */
} vel_plan;

/* Whether the step reads that field. */
bool vel_planned_reads(const vel_planned *s, const char *path);

enum { VEL_MOST_PLANNED = 2 * VEL_MOST_CALLS };

/* Plans a checked recipe for a file; ad is NULL if the recipe makes its own. Nothing is read. VEL_EKEY names the step,
 * the field it lacks and what is there instead. */
vel_err vel_plan_make(vel_ctx *ctx, vel_adata *ad, const vel_recipe *recipe, vel_plan *plan) VEL_CHECKED;

#endif
