/* parity FILE.h5ad STEP: runs the recorded recipes of one step and compares what they write with the file.
 *
 * FILE is a reference made by tools/make_reference.py; its uns/reference names the recipes and what they start from
 * (see there). STEP `chain` runs the recipe that leads from counts to moments. A step's own outputs, and those of the
 * steps after it, are taken out of the input first: nothing can pass by having been there.
 *
 * Exit code 0: every recipe agrees with the reference at `spec` tolerance; 1: one does not, or there is none. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/par.h"
#include "io/h5ad.h"
#include "pipelines/key.h"
#include "pipelines/run.h"
#include "verify/report.h"

#define CHAIN "filter_genes,normalize_per_cell,log1p,highly_variable_genes,pca,neighbors,moments"

typedef struct {
    const char *file, *step;
    const char **recipes;
    int64_t n;
} test;

/* ---- the record in the file */

static const char *sibling(vel_ctx *ctx, const char *file, const char *name) {
    char path[PATH_MAX], folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", file);
    snprintf(path, sizeof path, "%s/%s", dirname(folder), name);
    return vel_arena_strdup(ctx->scratch, path);
}

static vel_err kept_text(vel_ctx *ctx, vel_adata *ad, const char *path, const char **text) {
    *text = NULL;
    if (!vel_has(ad, path)) return VEL_OK;
    VEL_TRY(vel_get_text(ctx, ad, path, text));
    *text = vel_arena_strdup(ctx->scratch, *text);
    return *text ? VEL_OK : vel_no_memory(ctx, 1, 1);
}

static vel_err read_recipes(vel_ctx *ctx, vel_adata *ad, test *t) {
    const vel_field *f;
    VEL_TRY(vel_get(ctx, ad, "uns/reference/recipes", &f));
    t->n = f->rows;
    VEL_TRY(VEL_ALLOC(ctx, t->recipes, t->n));
    for (int64_t i = 0; i < t->n; i++) {
        t->recipes[i] = vel_arena_strdup(ctx->scratch, f->texts[i]);
        if (!t->recipes[i]) return vel_no_memory(ctx, 1, 1);
    }
    return VEL_OK;
}

static bool is_of(const char *recipe, const char *step) {
    size_t length = strcspn(recipe, " ");
    return strlen(step) == length && strncmp(recipe, step, length) == 0;
}

/* ---- taking out what a recipe writes */

typedef struct {
    const char **paths; /* of its own */
    int64_t n;
    const char **shared; /* that an earlier step may have written */
    int64_t n_shared;
} writes;

/* An optional field belongs to the first step that writes it: to later ones it is an input. */
static bool is_input(const vel_step *step, const vel_key *key) {
    for (const vel_step *const *earlier = vel_steps; key->optional && *earlier != step; earlier++)
        for (const vel_key *write = (*earlier)->writes; write && write->name; write++)
            if (!strcmp(write->name, key->name)) return true;
    return false;
}

static vel_err writes_of(vel_ctx *ctx, const char *text, writes *w) {
    vel_recipe recipe;
    void *opts;
    *w = (writes){0};
    VEL_TRY(vel_recipe_parse(ctx, ctx->scratch, text, &recipe));
    const vel_call *call = &recipe.calls[0];
    if (!call->step) return VEL_OK;
    VEL_TRY(vel_recipe_check(ctx, &recipe));
    VEL_TRY(vel_call_opts(ctx, ctx->scratch, call, &opts));
    int64_t room = 0;
    for (const vel_key *key = call->step->writes; key && key->name; key++) room++;
    VEL_TRY(VEL_ALLOC(ctx, w->paths, room));
    VEL_TRY(VEL_ALLOC(ctx, w->shared, room));
    for (const vel_key *key = call->step->writes; key && key->name; key++) {
        const char *path;
        if (!vel_key_counts(key, call->step->opts, opts)) continue;
        VEL_TRY(vel_key_path(ctx, ctx->scratch, key, call->step->opts, opts, &path));
        if (path && is_input(call->step, key))
            w->shared[w->n_shared++] = path;
        else if (path)
            w->paths[w->n++] = path;
    }
    return VEL_OK;
}

static bool covers(const writes *w, const char *path) {
    for (int64_t i = 0; i < w->n; i++)
        if (vel_key_covers(w->paths[i], path)) return true;
    return false;
}

static bool may_add(const writes *later, int64_t n, const char *path) {
    for (int64_t i = 0; i < n; i++) {
        if (covers(&later[i], path)) return true;
        for (int64_t k = 0; k < later[i].n_shared; k++)
            if (vel_key_covers(later[i].shared[k], path)) return true;
    }
    return false;
}

static bool any_covers(const writes *w, int64_t n, const char *path) {
    for (int64_t i = 0; i < n; i++)
        if (covers(&w[i], path)) return true;
    return false;
}

enum { MOST_DOOMED = 512 };

typedef struct {
    const writes *all;
    int64_t n, at;
    const char *doomed[MOST_DOOMED];
    int64_t n_doomed;
} stripping;

static vel_err doom(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)ad;
    stripping *s = arg;
    bool later = any_covers(s->all + s->at, s->n - s->at, path), earlier = any_covers(s->all, s->at, path);
    if (!later || earlier) return VEL_OK;
    if (s->n_doomed == MOST_DOOMED) return vel_fail(ctx, VEL_ESHAPE, "more than %d fields to strip", MOST_DOOMED);
    s->doomed[s->n_doomed] = vel_arena_strdup(ctx->scratch, path);
    return s->doomed[s->n_doomed++] ? VEL_OK : vel_no_memory(ctx, strlen(path) + 1, 1);
}

/* Drops what recipe `at` and those after it write, unless an earlier one has written it too. */
static vel_err strip(vel_ctx *ctx, vel_adata *ad, const writes *all, int64_t n, int64_t at) {
    stripping s = {.all = all, .n = n, .at = at};
    VEL_TRY(vel_each(ctx, ad, doom, &s));
    for (int64_t i = 0; i < s.n_doomed; i++) VEL_TRY(vel_drop(ctx, ad, s.doomed[i]));
    return VEL_OK;
}

/* ---- running and comparing */

/* Leaves out what this recipe does not write, and what a later one adds to the same mapping. */
static void narrow(vel_parity *p, const writes *own, const writes *later, int64_t n_later) {
    int64_t kept = 0;
    p->passed = 0;
    for (int64_t i = 0; i < p->n; i++) {
        const vel_outcome *o = &p->outcomes[i];
        if (own && !covers(own, o->path)) continue;
        if (o->got.verdict == VEL_LACKS && may_add(later, n_later, o->path)) continue;
        p->passed += o->got.verdict == VEL_AGREES;
        p->outcomes[kept++] = *o;
    }
    p->n = kept;
}

static bool passes(const char *recipe, const vel_parity *p) {
    vel_report_style style = {.strictness = VEL_SPEC};
    printf("== %s\n", recipe);
    vel_report_table(stdout, p, &style);
    return vel_parity_passes(p);
}

/* The runner gives its scratch back after every step: it gets one of its own. */
static vel_err run_recipe(vel_ctx *ctx, const char *recipe, vel_adata **ad) {
    vel_ctx own = *ctx;
    own.scratch = vel_arena_new();
    if (!own.scratch) return vel_no_memory(ctx, 1, 1);
    vel_err e = vel_run_recipe(&own, recipe, ad);
    if (e != VEL_OK) e = vel_fail(ctx, e, "%s: %.600s", recipe, own.message);
    vel_arena_free(own.scratch);
    return e;
}

/* One recipe on what it read in the reference. */
static vel_err run_given(vel_ctx *ctx, const test *t, const writes *all, int64_t at, bool *good) {
    vel_adata *ad = NULL, *reference = NULL;
    vel_parity_options options = VEL_PARITY_DEFAULTS;
    vel_parity parity;
    vel_err e = vel_h5ad_open(ctx, t->file, &ad);
    if (e == VEL_OK) e = vel_h5ad_open(ctx, t->file, &reference);
    if (e == VEL_OK) e = strip(ctx, ad, all, t->n, at);
    if (e == VEL_OK) e = run_recipe(ctx, t->recipes[at], &ad);
    options.steps = t->step;
    if (e == VEL_OK) e = vel_compare_handles(ctx, reference, ad, &options, &parity);
    if (e == VEL_OK) {
        narrow(&parity, &all[at], all + at + 1, t->n - at - 1);
        *good &= passes(t->recipes[at], &parity);
    }
    vel_adata_free(ad);
    vel_adata_free(reference);
    return e;
}

static vel_err run_all_given(vel_ctx *ctx, const test *t, bool *good) {
    writes *all;
    VEL_TRY(VEL_ALLOC(ctx, all, t->n));
    for (int64_t i = 0; i < t->n; i++) VEL_TRY(writes_of(ctx, t->recipes[i], &all[i]));
    int64_t ran = 0;
    for (int64_t i = 0; i < t->n; i++) {
        if (!is_of(t->recipes[i], t->step)) continue;
        VEL_TRY(run_given(ctx, t, all, i, good));
        ran++;
    }
    return ran ? VEL_OK : vel_fail(ctx, VEL_EKEY, "%s has no recipe of the step %s", t->file, t->step);
}

/* A recipe from another file (NULL: from nothing) to this one. */
static vel_err run_from(vel_ctx *ctx, const char *input, const char *recipe, const char *file, const char *steps,
                        bool *good) {
    vel_adata *ad = NULL, *reference = NULL;
    vel_parity_options options = VEL_PARITY_DEFAULTS;
    vel_parity parity = {0};
    vel_err e = input ? vel_h5ad_open(ctx, input, &ad) : VEL_OK;
    if (e == VEL_OK) e = vel_h5ad_open(ctx, file, &reference);
    if (e == VEL_OK) e = run_recipe(ctx, recipe, &ad);
    options.steps = steps;
    if (e == VEL_OK) e = vel_compare_handles(ctx, reference, ad, &options, &parity);
    if (e == VEL_OK) *good &= passes(recipe, &parity);
    vel_adata_free(ad);
    vel_adata_free(reference);
    return e;
}

static vel_err run_test(vel_ctx *ctx, test *t, bool *good) {
    vel_adata *ad = NULL;
    const char *input = NULL, *chain = NULL;
    vel_err e = vel_h5ad_open(ctx, t->file, &ad);
    if (e == VEL_OK) e = read_recipes(ctx, ad, t);
    if (e == VEL_OK) e = kept_text(ctx, ad, "uns/reference/input", &input);
    if (e == VEL_OK) e = kept_text(ctx, ad, "uns/reference/chain", &chain);
    vel_adata_free(ad);
    VEL_TRY(e);
    if (strcmp(t->step, "chain") == 0 && chain)
        return run_from(ctx, sibling(ctx, t->file, "counts.h5ad"), chain, t->file, CHAIN, good);
    if (strcmp(t->step, "simulate") == 0) return run_from(ctx, NULL, t->recipes[0], t->file, NULL, good);
    return input ? run_from(ctx, sibling(ctx, t->file, input), t->recipes[0], t->file, NULL, good)
                 : run_all_given(ctx, t, good);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "parity REFERENCE.h5ad STEP\n");
        return 2;
    }
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = vel_cores()};
    bool good = true;
    test t = {.file = argv[1], .step = argv[2]};
    vel_err e = ctx.scratch ? run_test(&ctx, &t, &good) : VEL_ENOMEM;
    if (e != VEL_OK) fprintf(stderr, "parity: %s\n", ctx.message[0] ? ctx.message : vel_err_words(e));
    vel_arena_free(ctx.scratch);
    return e == VEL_OK && good ? 0 : 1;
}
