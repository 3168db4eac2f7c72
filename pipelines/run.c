#include "pipelines/run.h"

#include <string.h>

#include "core/floats.h"
#include "core/text.h"
#include "pipelines/record.h"

/* X and layers are what a step is for, even where it can do without one; the rest would be missed by nobody. */
static bool is_worth_saying(const vel_planned_key *read) {
    return read->key->optional && read->in_file && strcmp(read->path, "X") && strncmp(read->path, "layers/", 7);
}

static vel_err say_reads(vel_ctx *ctx, const vel_planned *s) {
    vel_text t = vel_text_new(ctx->scratch);
    for (int k = 0; k < s->n_reads; k++)
        if (is_worth_saying(&s->reads[k])) vel_text_add(&t, "%s%s", t.length ? ", " : "", s->reads[k].path);
    const char *paths;
    VEL_TRY(vel_text_done(ctx, &t, &paths));
    if (*paths) vel_say(ctx, VEL_INFO, "%s reads what happens to be there: %s", s->call.step->name, paths);
    return VEL_OK;
}

/* What the plan counted on and an earlier step left out. */
static vel_err check_reads(vel_ctx *ctx, const vel_adata *ad, const vel_planned *s) {
    for (int k = 0; k < s->n_reads; k++) {
        const vel_planned_key *read = &s->reads[k];
        if (!read->key->optional && !vel_has(ad, read->path))
            return vel_fail(ctx, VEL_EKEY, "%s needs %s, which no step before it has made", s->call.step->name,
                            read->path);
    }
    return VEL_OK;
}

static vel_err run_step(vel_ctx *ctx, const vel_planned *s, vel_adata **ad) {
    const vel_step *step = s->call.step;
    VEL_TRY(vel_poll(ctx));
    if (s->made_for)
        vel_say(ctx, VEL_INFO, "%s needs %s, which is not there: %s is run first, with its defaults", s->made_by,
                s->made_for, step->name);
    if (step->inputs == 0) return step->make(ctx, s->opts, ad);
    VEL_TRY(check_reads(ctx, *ad, s));
    VEL_TRY(say_reads(ctx, s));
    return step->run(ctx, *ad, s->opts);
}

vel_err vel_run(vel_ctx *ctx, const vel_plan *plan, const vel_run_listener *listener, vel_adata **ad) {
    VEL_PLAIN_FLOATS;
    for (int i = 0; i < plan->n_steps; i++) {
        const vel_planned *s = &plan->steps[i];
        if (listener && listener->begin) listener->begin(listener->user, s, i, plan->n_steps);
        vel_err e = run_step(ctx, s, ad);
        if (e && !ctx->message[0]) vel_fail(ctx, e, "%s: %s", s->call.step->name, vel_err_words(e));
        if (listener && listener->end && *ad) {
            vel_err told = listener->end(listener->user, *ad, s, e);
            if (!e) e = told;
        }
        vel_arena_reset(ctx->scratch);
        if (*ad) vel_adata_rest(*ad);
        VEL_TRY(e);
    }
    vel_err e = vel_record_write(ctx, *ad, plan);
    vel_arena_reset(ctx->scratch);
    return e;
}

static vel_err run_in(vel_ctx *ctx, vel_arena *arena, const char *text, vel_adata **ad) {
    vel_recipe recipe;
    vel_plan plan;
    VEL_TRY(vel_recipe_parse(ctx, arena, text, &recipe));
    VEL_TRY(vel_recipe_check(ctx, &recipe));
    VEL_TRY(vel_plan_make(ctx, *ad, &recipe, &plan));
    return vel_run(ctx, &plan, NULL, ad);
}

vel_err vel_run_recipe(vel_ctx *ctx, const char *text, vel_adata **ad) {
    vel_arena *arena = vel_arena_new();
    if (!arena) return vel_no_memory(ctx, 1, 1);
    vel_err e = run_in(ctx, arena, text, ad);
    vel_arena_free(arena);
    return e;
}
