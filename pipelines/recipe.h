/* recipe.h - what to do, as one string: "moments n_neighbors=30 | velocity mode=deterministic".
 *
 *     recipe = call { "|" call }        call = name { key "=" value }        value: see word.h
 *
 * Quotes and brackets protect spaces and '|'. A call may name another recipe (named.h), which then stands in its place.
 */
#ifndef VEL_PIPELINES_RECIPE_H
#define VEL_PIPELINES_RECIPE_H

#include "core/text.h"
#include "pipelines/named.h"
#include "pipelines/step.h"

typedef struct {
    const char *name;
    vel_value value;
} vel_arg;

enum { VEL_MOST_ARGS = 48, VEL_MOST_CALLS = 64 };

typedef struct {
    const char *name;
    const vel_step *step; /* NULL: this program has no such step */
    vel_arg args[VEL_MOST_ARGS];
    int n_args;
} vel_call;

/* Lives in the arena it was parsed into, and so do its values: they outlive the steps' runs. */
typedef struct {
    vel_arena *arena;
    vel_call *calls;
    int n_calls;
} vel_recipe;

/* VEL_EUSAGE says where the text goes wrong. A step that is not there is no error yet. */
vel_err vel_recipe_parse(vel_ctx *ctx, vel_arena *arena, const char *text, vel_recipe *recipe) VEL_CHECKED;

/* Sets an option of a call, or replaces what it was set to. */
vel_err vel_call_set(vel_ctx *ctx, vel_call *call, const char *name, vel_value value) VEL_CHECKED;

/* Every step is there, every option is one of its step and takes its value: VEL_EUSAGE names what is not, with the
 * nearest name. */
vel_err vel_recipe_check(vel_ctx *ctx, const vel_recipe *recipe) VEL_CHECKED;

/* The option struct of a call: defaults, then what the call sets. In the arena. */
vel_err vel_call_opts(vel_ctx *ctx, vel_arena *arena, const vel_call *call, void **opts) VEL_CHECKED;

/* The canonical string of a checked recipe: every option but n_jobs, in the order of the step's table, defaults
 * included. */
vel_err vel_recipe_resolved(vel_ctx *ctx, const vel_recipe *recipe, const char **text) VEL_CHECKED;

/* The steps of a named recipe that this program does not have, "latent_time, velocity_embedding"; "": it can be run. */
vel_err vel_recipe_lacks(vel_ctx *ctx, vel_arena *arena, const vel_named *named, const char **steps) VEL_CHECKED;

/* Whether a named recipe asks for this step, and it is not there. */
bool vel_step_is_awaited(vel_ctx *ctx, const char *name);

/* The recipe as it was written, named recipes replaced by their steps. */
vel_err vel_recipe_text(vel_ctx *ctx, const vel_recipe *recipe, const char **text) VEL_CHECKED;

#endif
