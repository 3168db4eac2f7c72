#include "pipelines/record.h"

#include <stdio.h>
#include <string.h>

#include "pipelines/env.h"
#include "pipelines/key.h"

static vel_err recipe_of(vel_ctx *ctx, const vel_plan *plan, const char **text) {
    vel_arena *arena = plan->recipe->arena;
    vel_call *calls = vel_arena_alloc(arena, (size_t)plan->n_steps, sizeof *calls);
    if (!calls) return vel_no_memory(ctx, (size_t)plan->n_steps, sizeof *calls);
    for (int i = 0; i < plan->n_steps; i++) calls[i] = plan->steps[i].call;
    vel_recipe run = {arena, calls, plan->n_steps};
    return vel_recipe_resolved(ctx, &run, text);
}

static bool is_listed(const char *const *list, int64_t n, const char *s) {
    for (int64_t i = 0; i < n; i++)
        if (!strcmp(list[i], s)) return true;
    return false;
}

typedef struct {
    const char **paths;
    int64_t n;
} listing;

static bool is_planned(const vel_plan *plan, const char *path) {
    for (int i = 0; i < plan->n_steps; i++)
        if (vel_planned_reads(&plan->steps[i], path)) return true;
    return false;
}

static void list_planned(const vel_planned *s, listing *l) {
    for (int k = 0; k < s->n_reads; k++) {
        const vel_planned_key *read = &s->reads[k];
        if (read->key->optional && read->in_file && !is_listed(l->paths, l->n, read->path))
            l->paths[l->n++] = read->path;
    }
}

/* What a step seldom needs is not planned, but named if it was read. */
static vel_err list_unplanned(vel_ctx *ctx, const vel_plan *plan, const vel_planned *s, const listing *read,
                              listing *l) {
    const vel_opt *rows = s->call.step->opts;
    for (const vel_key *key = s->call.step->reads; key && key->name; key++) {
        const char *path;
        if (!key->unless || !vel_key_counts(key, rows, s->opts)) continue;
        VEL_TRY(vel_key_path(ctx, plan->recipe->arena, key, rows, s->opts, &path));
        bool seldom = path && is_listed(read->paths, read->n, path) && !is_planned(plan, path);
        if (seldom && !is_listed(l->paths, l->n, path)) l->paths[l->n++] = path;
    }
    return VEL_OK;
}

static vel_err put_optional_reads(vel_ctx *ctx, vel_adata *ad, const vel_plan *plan, const listing *read) {
    int64_t most = read->n;
    for (int i = 0; i < plan->n_steps; i++) most += plan->steps[i].n_reads;
    listing l = {0};
    VEL_TRY(VEL_ALLOC(ctx, l.paths, most));
    for (int i = 0; i < plan->n_steps; i++) {
        list_planned(&plan->steps[i], &l);
        VEL_TRY(list_unplanned(ctx, plan, &plan->steps[i], read, &l));
    }
    return vel_put_texts(ctx, ad, "uns/vel/optional_reads", l.paths, l.n);
}

/* Moves the record of the run before to the end of the history; a recipe run again is not told twice. */
static vel_err put_history(vel_ctx *ctx, vel_adata *ad, const char *recipe) {
    if (!vel_has(ad, "uns/vel/recipe")) return VEL_OK;
    const char *before;
    VEL_TRY(vel_get_text(ctx, ad, "uns/vel/recipe", &before));
    if (!strcmp(before, recipe)) return VEL_OK;
    const vel_field *old = NULL;
    if (vel_has(ad, "uns/vel/history")) VEL_TRY(vel_get(ctx, ad, "uns/vel/history", &old));
    int64_t n = old && old->kind == VEL_TEXTS ? old->rows : 0;
    const char **lines;
    VEL_TRY(VEL_ALLOC(ctx, lines, n + 1));
    for (int64_t i = 0; i <= n; i++) {
        const char *line = i < n ? old->texts[i] : before;
        if (!line) line = "";
        lines[i] = vel_arena_strdup(ctx->scratch, line);
        if (!lines[i]) return vel_no_memory(ctx, strlen(line) + 1, 1);
    }
    return vel_put_texts(ctx, ad, "uns/vel/history", lines, n + 1);
}

vel_err vel_record_write(vel_ctx *ctx, vel_adata *ad, const vel_plan *plan) {
    const char *recipe;
    VEL_TRY(recipe_of(ctx, plan, &recipe));
    const char *const *paths;
    int64_t n;
    uint64_t hash;
    VEL_TRY(vel_reads_of(ctx, ad, &paths, &n, &hash));
    char hex[17];
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)hash);
    listing read = {.n = n};
    VEL_TRY(VEL_ALLOC(ctx, read.paths, n));
    for (int64_t i = 0; i < n; i++) read.paths[i] = paths[i];
    VEL_TRY(put_history(ctx, ad, recipe));
    VEL_TRY(vel_put_text(ctx, ad, "uns/vel/version", VEL_VERSION));
    VEL_TRY(vel_put_text(ctx, ad, "uns/vel/recipe", recipe));
    VEL_TRY(put_optional_reads(ctx, ad, plan, &read));
    VEL_TRY(vel_put_text(ctx, ad, "uns/vel/input_hash", hex));
    if (vel_env_holds_blas()) return vel_drop(ctx, ad, "uns/vel/linear_algebra");
    return vel_put_text(ctx, ad, "uns/vel/linear_algebra",
                        "OpenBLAS was not held to one kernel set: the last bits of pca depend on the machine");
}
