#include "verify/parity.h"

#include <stdio.h>
#include <string.h>

#include "io/h5ad.h"
#include "verify/fields.h"
#include "verify/worst.h"

typedef struct {
    vel_adata *reference, *result;
    const vel_parity_options *options;
    vel_match obs, var;
    const char *moved; /* a row's `from` that is not the same in both files; NULL: none */
} pair;

static bool starts(const char *path, const char *head) { return strncmp(path, head, strlen(head)) == 0; }

/* Which axes a field has: by its place in the file, under uns by what its step says. */
static vel_axes axes_of(const pair *p, const vel_subject *s) {
    const vel_match *obs = &p->obs, *var = &p->var;
    if (strcmp(s->path, "X") == 0 || starts(s->path, "layers/")) return (vel_axes){obs, var};
    if (starts(s->path, "obs/") || starts(s->path, "obsm/")) return (vel_axes){obs, NULL};
    if (starts(s->path, "var/") || starts(s->path, "varm/")) return (vel_axes){var, NULL};
    if (starts(s->path, "obsp/")) return (vel_axes){obs, obs};
    if (starts(s->path, "varp/")) return (vel_axes){var, var};
    switch (s->shape) {
        case VEL_OBS:
        case VEL_OBS_ANY:
            return (vel_axes){obs, NULL};
        case VEL_VAR:
        case VEL_VAR_ANY:
            return (vel_axes){var, NULL};
        case VEL_OBS_VAR:
            return (vel_axes){obs, var};
        case VEL_OBS_OBS:
        case VEL_OBS_TIES:
        case VEL_OBS_HOPS:
            return (vel_axes){obs, obs};
        case VEL_ANY_SHAPE:
        case VEL_UNS:
            break;
    }
    return (vel_axes){NULL, NULL};
}

/* An axis that the field turns out not to have is none. */
static vel_axes fitting(vel_axes axes, const vel_field *f) {
    if (axes.rows && (f->ndim == 0 || f->rows != axes.rows->n)) axes.rows = NULL;
    if (axes.cols && (f->ndim != 2 || f->cols != axes.cols->n)) axes.cols = NULL;
    return axes;
}

static vel_tolerance tolerance_for(const pair *p, const char *path, vel_type type) {
    const vel_parity_options *o = p->options;
    vel_tolerance t = vel_tolerance_of(vel_tolerance_find(path, type, p->moved), o->strictness);
    if (o->atol >= 0 || o->rtol >= 0) {
        t.atol = o->atol >= 0 ? o->atol : 0;
        t.rtol = o->rtol >= 0 ? o->rtol : 0;
        t.of_max = t.bits = false;
    }
    if (o->outliers >= 0) t.outliers = o->outliers;
    return t;
}

static int name_worst(const vel_gap *gaps, const vel_match *match, int most, vel_worst *out) {
    int64_t order[VEL_WORST];
    int n = gaps ? vel_worst_of(gaps, match->n, most < VEL_WORST ? most : VEL_WORST, order) : 0;
    for (int k = 0; k < n; k++) {
        const vel_gap *g = &gaps[order[k]];
        out[k] = (vel_worst){match->names[order[k]], order[k], g->outside, g->max_abs};
    }
    return n;
}

static void name_all(const pair *p, vel_axes axes, vel_outcome *o) {
    const vel_gap *of_obs = axes.rows == &p->obs ? o->got.by_row : NULL;
    const vel_gap *of_var = axes.rows == &p->var ? o->got.by_row : axes.cols == &p->var ? o->got.by_col : NULL;
    o->n_cells = name_worst(of_obs, &p->obs, p->options->worst, o->cells);
    o->n_genes = name_worst(of_var, &p->var, p->options->worst, o->genes);
    o->got.by_row = o->got.by_col = NULL;
}

static vel_err drop_matrix(vel_ctx *ctx, vel_adata *ad, const char *path) {
    return vel_entry_of(ad, path).ndim == 2 ? vel_drop(ctx, ad, path) : VEL_OK;
}

static vel_err compare_one(vel_ctx *ctx, const pair *p, const vel_subject *s, vel_outcome *o) {
    const vel_field *a, *b;
    if (!vel_has(p->result, s->path)) {
        o->got.verdict = VEL_LACKS;
        return VEL_OK;
    }
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(vel_get(ctx, p->reference, s->path, &a));
    VEL_TRY(vel_get(ctx, p->result, s->path, &b));
    vel_axes axes = fitting(axes_of(p, s), a);
    VEL_TRY(vel_compare_fields(ctx, a, b, &axes, tolerance_for(p, s->path, a->origin), &o->got));
    name_all(p, axes, o);
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* Whether a field is there in both files and not the same, bit for bit. */
static vel_err is_moved(vel_ctx *ctx, const pair *p, const char *path, bool *moved) {
    const vel_field *a, *b;
    vel_comparison got;
    *moved = false;
    if (!vel_has(p->reference, path) || !vel_has(p->result, path)) return VEL_OK;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(vel_get(ctx, p->reference, path, &a));
    VEL_TRY(vel_get(ctx, p->result, path, &b));
    vel_axes axes = fitting(axes_of(p, &(vel_subject){.path = path}), a);
    VEL_TRY(vel_compare_fields(ctx, a, b, &axes, (vel_tolerance){.bits = true}, &got));
    *moved = got.verdict != VEL_AGREES;
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err find_moved(vel_ctx *ctx, pair *p) {
    const char *looked_at = NULL;
    for (int i = 0; i < vel_n_tolerance_rows && !p->moved; i++) {
        const char *from = vel_tolerance_rows[i].from;
        bool moved = false;
        if (!from || from == looked_at) continue;
        looked_at = from;
        VEL_TRY(is_moved(ctx, p, from, &moved));
        if (moved) p->moved = from;
    }
    return VEL_OK;
}

static vel_err compare_all(vel_ctx *ctx, const pair *p, const vel_subject *subjects, vel_parity *parity) {
    VEL_TRY(VEL_ZALLOC(ctx, parity->outcomes, parity->n));
    for (int64_t i = 0; i < parity->n; i++) {
        vel_outcome *o = &parity->outcomes[i];
        o->path = subjects[i].path;
        o->step = subjects[i].step;
        VEL_TRY(VEL_ALLOC(ctx, o->genes, VEL_WORST));
        VEL_TRY(VEL_ALLOC(ctx, o->cells, VEL_WORST));
        VEL_TRY(compare_one(ctx, p, &subjects[i], o));
        parity->passed += o->got.verdict == VEL_AGREES;
        parity->misshapen |= o->got.verdict == VEL_MISSHAPEN;
        VEL_TRY(drop_matrix(ctx, p->reference, o->path));
        VEL_TRY(drop_matrix(ctx, p->result, o->path));
    }
    return VEL_OK;
}

static int64_t keep_comparable(const vel_adata *result, vel_subject *subjects, int64_t n) {
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++)
        if (vel_has(result, subjects[i].path) || vel_subject_is_due(&subjects[i], result))
            subjects[kept++] = subjects[i];
    return kept;
}

static bool sets_differ(const vel_match *m, const char *what, vel_parity *parity) {
    if (!m->differ) return false;
    parity->misshapen = true;
    snprintf(parity->why, sizeof parity->why, "the %s differ: %s", what, m->why);
    return true;
}

vel_err vel_compare_handles(vel_ctx *ctx, vel_adata *reference, vel_adata *result, const vel_parity_options *options,
                            vel_parity *parity) {
    pair p = {.reference = reference, .result = result, .options = options};
    char **names, **others;
    vel_subject *subjects;
    *parity = (vel_parity){0};
    VEL_TRY(vel_obs_names(ctx, reference, &names));
    VEL_TRY(vel_obs_names(ctx, result, &others));
    VEL_TRY(vel_match_names(ctx, names, vel_n_obs(reference), others, vel_n_obs(result), &p.obs));
    VEL_TRY(vel_var_names(ctx, reference, &names));
    VEL_TRY(vel_var_names(ctx, result, &others));
    VEL_TRY(vel_match_names(ctx, names, vel_n_vars(reference), others, vel_n_vars(result), &p.var));
    VEL_TRY(vel_subjects_of(ctx, reference, options->steps, options->only, &subjects, &parity->n));
    parity->n = keep_comparable(result, subjects, parity->n);
    if (sets_differ(&p.obs, "cells", parity) || sets_differ(&p.var, "genes", parity)) {
        parity->n = 0;
        return VEL_OK;
    }
    VEL_TRY(find_moved(ctx, &p));
    return compare_all(ctx, &p, subjects, parity);
}

/* The report outlives the handles, so it takes the names along. */
static vel_err keep_names(vel_ctx *ctx, vel_worst *w, int n) {
    for (int k = 0; k < n; k++) {
        char *kept = w[k].name ? vel_arena_strdup(ctx->scratch, w[k].name) : NULL;
        if (w[k].name && !kept) return vel_no_memory(ctx, strlen(w[k].name) + 1, 1);
        w[k].name = kept;
    }
    return VEL_OK;
}

static vel_err compare_opened(vel_ctx *ctx, vel_adata *reference, vel_adata *result, const vel_parity_options *options,
                              vel_parity *parity) {
    VEL_TRY(vel_compare_handles(ctx, reference, result, options, parity));
    for (int64_t i = 0; i < parity->n; i++) {
        VEL_TRY(keep_names(ctx, parity->outcomes[i].genes, parity->outcomes[i].n_genes));
        VEL_TRY(keep_names(ctx, parity->outcomes[i].cells, parity->outcomes[i].n_cells));
    }
    return VEL_OK;
}

vel_err vel_compare_files(vel_ctx *ctx, const char *reference, const char *result, const vel_parity_options *options,
                          vel_parity *parity) {
    vel_adata *a = NULL, *b = NULL;
    vel_err e = vel_h5ad_open(ctx, reference, &a);
    if (e == VEL_OK) e = vel_h5ad_open(ctx, result, &b);
    if (e == VEL_OK) e = compare_opened(ctx, a, b, options, parity);
    vel_adata_free(a);
    vel_adata_free(b);
    return e;
}

bool vel_parity_passes(const vel_parity *p) { return p->n > 0 && p->passed == p->n && !p->misshapen; }

int vel_parity_exit(const vel_parity *p) {
    if (p->misshapen) return 4;
    return vel_parity_passes(p) ? 0 : 1;
}
