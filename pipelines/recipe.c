#include "pipelines/recipe.h"

#include <ctype.h>
#include <string.h>

#include "core/near.h"
#include "pipelines/named.h"
#include "pipelines/word.h"

enum { DEEPEST = 4 }; /* named recipes within named recipes */

/* The end of a word that starts at s: white space or '|' outside quotes and brackets. NULL: a quote or bracket stays
 * open. */
static const char *word_end(const char *s) {
    int depth = 0;
    for (; *s; s++) {
        if (*s == '"' || *s == '\'') {
            char quote = *s++;
            for (; *s && *s != quote; s++)
                if (*s == '\\' && quote == '"' && s[1]) s++;
            if (!*s) return NULL;
        } else if (*s == '[') {
            depth++;
        } else if (*s == ']' && depth) {
            depth--;
        } else if (!depth && strchr(" \t\r\n|", *s)) {
            break;
        }
    }
    return depth ? NULL : s;
}

static vel_err copy_part(vel_ctx *ctx, vel_arena *arena, const char *from, const char *to, char **out) {
    size_t n = (size_t)(to - from);
    *out = vel_arena_alloc(arena, n + 1, 1);
    if (!*out) return vel_no_memory(ctx, n + 1, 1);
    memcpy(*out, from, n);
    (*out)[n] = 0;
    return VEL_OK;
}

/* Takes the next word of a call off *s; NULL at the end of the call, with *s at '|' or the end. */
static vel_err next_word(vel_ctx *ctx, vel_arena *arena, const char **s, char **word) {
    *s += strspn(*s, " \t\r\n");
    *word = NULL;
    if (!**s || **s == '|') return VEL_OK;
    const char *end = word_end(*s);
    if (!end) return vel_fail(ctx, VEL_EUSAGE, "recipe: a quote or bracket is not closed: %s", *s);
    VEL_TRY(copy_part(ctx, arena, *s, end, word));
    *s = end;
    return VEL_OK;
}

static const vel_arg *find_arg(const vel_call *call, const char *name) {
    for (int i = 0; i < call->n_args; i++)
        if (vel_same_name(call->args[i].name, name)) return &call->args[i];
    return NULL;
}

vel_err vel_call_set(vel_ctx *ctx, vel_call *call, const char *name, vel_value value) {
    vel_arg *arg = (vel_arg *)find_arg(call, name);
    if (!arg) {
        if (call->n_args == VEL_MOST_ARGS)
            return vel_fail(ctx, VEL_EUSAGE, "step %s: more than %d options", call->name, VEL_MOST_ARGS);
        arg = &call->args[call->n_args++];
    }
    *arg = (vel_arg){name, value};
    return VEL_OK;
}

static bool is_name(const char *s) {
    for (const char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-' && *c != '.') return false;
    return *s != 0;
}

static vel_err parse_arg(vel_ctx *ctx, vel_arena *arena, char *word, vel_call *call) {
    char *equals = strchr(word, '=');
    if (equals) *equals = 0;
    if (!equals || !is_name(word))
        return vel_fail(ctx, VEL_EUSAGE, "recipe: step %s: expected key=value, found %s%s", call->name, word,
                        equals ? "=…" : "");
    if (find_arg(call, word)) return vel_fail(ctx, VEL_EUSAGE, "recipe: step %s: %s is given twice", call->name, word);
    vel_value value;
    VEL_TRY(vel_word_value(ctx, arena, word, equals + 1, &value));
    return vel_call_set(ctx, call, word, value);
}

static vel_err parse_call(vel_ctx *ctx, vel_arena *arena, const char **s, vel_call *call) {
    char *word;
    VEL_TRY(next_word(ctx, arena, s, &word));
    if (!word) return vel_fail(ctx, VEL_EUSAGE, "recipe: a step is missing %s", **s ? "before '|'" : "at the end");
    if (!is_name(word)) return vel_fail(ctx, VEL_EUSAGE, "recipe: expected the name of a step, found %s", word);
    *call = (vel_call){.name = word, .step = vel_step_find(word)};
    for (;;) {
        VEL_TRY(next_word(ctx, arena, s, &word));
        if (!word) return VEL_OK;
        VEL_TRY(parse_arg(ctx, arena, word, call));
    }
}

static vel_err parse_into(vel_ctx *ctx, const char *text, int depth, vel_recipe *recipe) {
    for (const char *s = text;; s++) {
        if (recipe->n_calls == VEL_MOST_CALLS)
            return vel_fail(ctx, VEL_EUSAGE, "recipe: more than %d steps", VEL_MOST_CALLS);
        vel_call *call = &recipe->calls[recipe->n_calls];
        VEL_TRY(parse_call(ctx, recipe->arena, &s, call));
        const vel_named *named = call->step ? NULL : vel_named_find(call->name);
        if (!named) {
            recipe->n_calls++;
        } else if (call->n_args) {
            return vel_fail(ctx, VEL_EUSAGE, "recipe: %s is a recipe, not a step: options belong to its steps",
                            call->name);
        } else if (depth == DEEPEST) {
            return vel_fail(ctx, VEL_EUSAGE, "recipe: %s is nested too deeply", call->name);
        } else {
            VEL_TRY(parse_into(ctx, named->recipe, depth + 1, recipe));
        }
        if (!*s) return VEL_OK;
    }
}

vel_err vel_recipe_parse(vel_ctx *ctx, vel_arena *arena, const char *text, vel_recipe *recipe) {
    *recipe = (vel_recipe){.arena = arena, .calls = vel_arena_alloc(arena, VEL_MOST_CALLS, sizeof *recipe->calls)};
    if (!recipe->calls) return vel_no_memory(ctx, VEL_MOST_CALLS, sizeof *recipe->calls);
    return parse_into(ctx, text, 0, recipe);
}

vel_err vel_recipe_lacks(vel_ctx *ctx, vel_arena *arena, const vel_named *named, const char **steps) {
    vel_recipe recipe;
    vel_text t = vel_text_new(arena);
    VEL_TRY(vel_recipe_parse(ctx, arena, named->recipe, &recipe));
    vel_text_add(&t, "%s", "");
    for (int i = 0; i < recipe.n_calls; i++)
        if (!recipe.calls[i].step) vel_text_add(&t, "%s%s", t.length ? ", " : "", recipe.calls[i].name);
    return vel_text_done(ctx, &t, steps);
}

bool vel_step_is_awaited(vel_ctx *ctx, const char *name) {
    vel_recipe recipe;
    for (int i = 0; i < vel_n_named; i++) {
        if (vel_recipe_parse(ctx, ctx->scratch, vel_named_rows[i]->recipe, &recipe)) return false;
        for (int k = 0; k < recipe.n_calls; k++)
            if (!recipe.calls[k].step && vel_same_name(recipe.calls[k].name, name)) return true;
    }
    return false;
}

static vel_err unknown_step(vel_ctx *ctx, const char *name) {
    if (vel_step_is_awaited(ctx, name))
        return vel_fail(ctx, VEL_EUSAGE, "this version has no step %s yet (vel steps lists those it has)", name);
    vel_near near = {.name = name};
    for (int i = 0; i < vel_n_steps; i++) vel_near_offer(&near, vel_steps[i]->name);
    for (int i = 0; i < vel_n_named; i++) vel_near_offer(&near, vel_named_rows[i]->name);
    return vel_fail(ctx, VEL_EUSAGE, "there is no step '%s'%s%s%s (vel steps lists them)", name,
                    near.best ? "; did you mean " : "", near.best ? near.best : "", near.best ? "?" : "");
}

static vel_err unknown_option(vel_ctx *ctx, const vel_step *step, const char *name) {
    const vel_opt *near = vel_opt_nearest(step->opts, name);
    return vel_fail(ctx, VEL_EUSAGE, "step %s has no option '%s'%s%s%s (vel %s --help lists them)", step->name, name,
                    near ? "; did you mean " : "", near ? near->name : "", near ? "?" : "", step->name);
}

vel_err vel_recipe_check(vel_ctx *ctx, const vel_recipe *recipe) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    for (int i = 0; i < recipe->n_calls; i++) {
        if (!recipe->calls[i].step) return unknown_step(ctx, recipe->calls[i].name);
        if (recipe->calls[i].step->inputs == 0 && i > 0)
            return vel_fail(ctx, VEL_EUSAGE, "step %s makes its own data: it can only be the first of a recipe",
                            recipe->calls[i].name);
        void *opts;
        VEL_TRY(vel_call_opts(ctx, ctx->scratch, &recipe->calls[i], &opts));
        if (recipe->calls[i].step->check) VEL_TRY(recipe->calls[i].step->check(ctx, opts));
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err set_default(vel_ctx *ctx, vel_arena *arena, const vel_opt *row, void *opts) {
    vel_value value;
    VEL_TRY(vel_word_value(ctx, arena, row->name, row->def, &value));
    return vel_opt_set(ctx, row, &value, opts);
}

vel_err vel_call_opts(vel_ctx *ctx, vel_arena *arena, const vel_call *call, void **opts) {
    size_t size = call->step->opts_size ? call->step->opts_size : 1;
    *opts = vel_arena_zalloc(arena, 1, size);
    if (!*opts) return vel_no_memory(ctx, 1, size);
    for (const vel_opt *row = call->step->opts; row && row->name; row++) VEL_TRY(set_default(ctx, arena, row, *opts));
    for (int i = 0; i < call->n_args; i++) {
        const vel_opt *row = vel_opt_find(call->step->opts, call->args[i].name);
        if (!row) return unknown_option(ctx, call->step, call->args[i].name);
        vel_err e = vel_opt_set(ctx, row, &call->args[i].value, *opts);
        if (e) return e;
    }
    return VEL_OK;
}

/* n_jobs is taken for scVelo's sake and changes no bit: like --threads it is no part of what was done. */
static bool is_recorded(const vel_opt *row) { return strcmp(row->name, "n_jobs") != 0; }

vel_err vel_recipe_resolved(vel_ctx *ctx, const vel_recipe *recipe, const char **text) {
    vel_text t = vel_text_new(recipe->arena);
    for (int i = 0; i < recipe->n_calls; i++) {
        const vel_call *call = &recipe->calls[i];
        void *opts;
        VEL_TRY(vel_call_opts(ctx, recipe->arena, call, &opts));
        vel_text_add(&t, "%s%s", i ? " | " : "", call->step->name);
        for (const vel_opt *row = call->step->opts; row && row->name; row++) {
            if (!is_recorded(row)) continue;
            vel_value value = vel_opt_get(row, opts);
            vel_text_add(&t, " %s=", row->name);
            vel_text_value(&t, &value);
        }
    }
    return vel_text_done(ctx, &t, text);
}

vel_err vel_recipe_text(vel_ctx *ctx, const vel_recipe *recipe, const char **text) {
    vel_text t = vel_text_new(recipe->arena);
    for (int i = 0; i < recipe->n_calls; i++) {
        const vel_call *call = &recipe->calls[i];
        vel_text_add(&t, "%s%s", i ? " | " : "", call->name);
        for (int a = 0; a < call->n_args; a++) {
            vel_text_add(&t, " %s=", call->args[a].name);
            vel_text_value(&t, &call->args[a].value);
        }
    }
    return vel_text_done(ctx, &t, text);
}
