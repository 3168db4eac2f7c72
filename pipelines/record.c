#include "pipelines/record.h"

#include <stdio.h>
#include <string.h>

#include "pipelines/env.h"

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

static vel_err put_optional_reads(vel_ctx *ctx, vel_adata *ad, const vel_plan *plan) {
    int64_t most = 0, n = 0;
    for (int i = 0; i < plan->n_steps; i++) most += plan->steps[i].n_reads;
    const char **paths;
    VEL_TRY(VEL_ALLOC(ctx, paths, most));
    for (int i = 0; i < plan->n_steps; i++) {
        for (int k = 0; k < plan->steps[i].n_reads; k++) {
            const vel_planned_key *read = &plan->steps[i].reads[k];
            if (read->key->optional && read->in_file && !is_listed(paths, n, read->path)) paths[n++] = read->path;
        }
    }
    return vel_put_texts(ctx, ad, "uns/vel/optional_reads", paths, n);
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
        lines[i] = vel_arena_strdup(ctx->scratch, line ? line : "");
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
    VEL_TRY(put_history(ctx, ad, recipe));
    VEL_TRY(vel_put_text(ctx, ad, "uns/vel/version", VEL_VERSION));
    VEL_TRY(vel_put_text(ctx, ad, "uns/vel/recipe", recipe));
    VEL_TRY(put_optional_reads(ctx, ad, plan));
    VEL_TRY(vel_put_text(ctx, ad, "uns/vel/input_hash", hex));
    if (vel_env_holds_blas()) return vel_drop(ctx, ad, "uns/vel/linear_algebra");
    return vel_put_text(ctx, ad, "uns/vel/linear_algebra",
                        "OpenBLAS was not held to one kernel set: the last bits of pca depend on the machine");
}
