/* velocity - RNA velocities from moments (deterministic, stochastic) or from fitted dynamics (dynamical). */
#include <string.h>

#include "core/moments.h"
#include "core/text.h"
#include "pipelines/groups.h"
#include "pipelines/step.h"
#include "pipelines/velocity.h"

/* Fewer velocity genes than this are warned of, as the reference does. */
enum { FEW_GENES = 10 };

static const vel_opt rows[] = {
    VEL_OPT(vel_velocity_options, vkey, VEL_OTEXT, "velocity", NULL, "name of the velocities"),
    VEL_OPT(vel_velocity_options, mode, VEL_OTEXT, "stochastic",
            "deterministic|steady_state|stochastic|dynamical|dynamical_residuals",
            "the model; without a fit, dynamical falls back to stochastic"),
    VEL_OPT(vel_velocity_options, fit_offset, VEL_OBOOL, "false", NULL, "steady-state line with an offset"),
    VEL_OPT(vel_velocity_options, fit_offset2, VEL_OBOOL, "false", NULL, "the same for the second moments"),
    VEL_OPT(vel_velocity_options, filter_genes, VEL_OBOOL, "false", NULL, "keep only the velocity genes"),
    VEL_OPT(vel_velocity_options, groups, VEL_OANY, "none", NULL, "groups of cells to work on; the others stay"),
    VEL_OPT(vel_velocity_options, groupby, VEL_OTEXT, "none", NULL,
            "column of obs with the groups; without groups: one fit for each"),
    VEL_OPT(vel_velocity_options, groups_for_fit, VEL_OANY, "none", NULL,
            "groups of cells that the lines are fitted to"),
    VEL_OPT(vel_velocity_options, constrain_ratio, VEL_OANY, "none", NULL,
            "largest steady-state ratio, or a pair of bounds"),
    VEL_OPT(vel_velocity_options, use_raw, VEL_OBOOL, "false", NULL, "fit the counts instead of the moments"),
    VEL_OPT(vel_velocity_options, use_latent_time, VEL_OANY, "none", NULL,
            "pull the dynamical times towards obs/latent_time (true) or another column"),
    VEL_OPT(vel_velocity_options, perc, VEL_OANY, "[5, 95]", NULL,
            "percentiles beyond which cells are extreme; the lower one counts with fit_offset"),
    VEL_OPT(vel_velocity_options, min_r2, VEL_ONUMBER, "0.01", NULL, "least R2 of a velocity gene"),
    VEL_OPT(vel_velocity_options, min_likelihood, VEL_ONUMBER, "0.001", NULL,
            "least likelihood of a velocity gene (dynamical)"),
    VEL_OPT(vel_velocity_options, r2_adjusted, VEL_OSWITCH, "none", NULL, "R2 of a line through all cells"),
    VEL_OPT(vel_velocity_options, use_highly_variable, VEL_OSWITCH, "true", NULL,
            "only genes that var/highly_variable marks, if it is there; none: all"),
    VEL_OPT(vel_velocity_options, diff_kinetics, VEL_OANY, "none", NULL,
            "set velocities to 0 in the groups that a gene's fit_diff_kinetics (true) or another column names"),
    {0}};

static const vel_key reads[] = {
    {.name = "layers/Ms", .when = "use_raw=false", .maker = "moments"},
    {.name = "layers/Mu", .when = "use_raw=false", .maker = "moments"},
    {.name = "layers/spliced", .when = "use_raw=true"},
    {.name = "layers/unspliced", .when = "use_raw=true"},
    {.name = "layers/spliced", .when = "mode=stochastic", .selected = true},
    {.name = "layers/unspliced", .when = "mode=stochastic", .selected = true},
    {.name = "obsp/connectivities", .when = "mode=stochastic|dynamical", .optional = true},
    {.name = "uns/neighbors", .when = "mode=stochastic|dynamical", .optional = true},
    {.name = "var/highly_variable", .optional = true},
    {.name = "obs/{groupby}"},
    {.name = "var/fit_alpha", .when = "mode=dynamical", .optional = true},
    {.name = "var/fit_alpha", .when = "mode=dynamical_residuals"},
    {.name = "var/fit_beta", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_gamma", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_t_", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_scaling", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_std_u", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_std_s", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_likelihood", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_r2", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "layers/fit_tau", .when = "mode=dynamical", .optional = true},
    {.name = "layers/fit_tau_", .when = "mode=dynamical", .optional = true},
    {.name = "layers/fit_t", .when = "mode=dynamical_residuals"},
    {.name = "uns/recover_dynamics", .when = "mode=dynamical|dynamical_residuals", .optional = true},
    {.name = "var/fit_diff_kinetics", .optional = true},
    {0}};

static const vel_key writes[] = {
    {.name = "layers/{vkey}",
     .shape = VEL_OBS_VAR,
     .when = "mode=deterministic|steady_state|stochastic",
     .like = "layers/Ms",
     .wide = "fit_offset=true"},
    {.name = "layers/{vkey}", .shape = VEL_OBS_VAR, .when = "mode=dynamical|dynamical_residuals"},
    {.name = "layers/{vkey}_u", .shape = VEL_OBS_VAR, .type = VEL_F64, .when = "mode=dynamical|dynamical_residuals"},
    {.name = "layers/variance_{vkey}",
     .shape = VEL_OBS_VAR,
     .type = VEL_F32,
     .when = "mode=stochastic",
     .like = "layers/Ms",
     .wide = "fit_offset=true",
     .whole = true},
    {.name = "layers/variance_{vkey}",
     .shape = VEL_OBS_VAR,
     .type = VEL_F32,
     .when = "mode=dynamical",
     .optional = true},
    {.name = "var/{vkey}_offset", .shape = VEL_VAR, .optional = true},
    {.name = "var/{vkey}_offset2", .shape = VEL_VAR, .type = VEL_F32, .optional = true},
    {.name = "var/{vkey}_beta", .shape = VEL_VAR, .type = VEL_F32, .optional = true},
    {.name = "var/{vkey}_gamma", .shape = VEL_VAR, .optional = true},
    {.name = "var/{vkey}_qreg_ratio", .shape = VEL_VAR, .optional = true},
    {.name = "var/{vkey}_r2", .shape = VEL_VAR, .type = VEL_F64, .optional = true},
    {.name = "var/{vkey}_genes",
     .shape = VEL_VAR,
     .type = VEL_BOOL,
     .when = "mode=dynamical|dynamical_residuals",
     .optional = true,
     .among = "var/fit_alpha"},
    {.name = "var/{vkey}_genes",
     .shape = VEL_VAR,
     .type = VEL_BOOL,
     .when = "mode=deterministic|steady_state|stochastic",
     .optional = true},
    {.name = "var/{vkey}_*", .shape = VEL_VAR, .optional = true}, /* the same for each group of groupby */
    {.name = "var/fit_r2",
     .shape = VEL_VAR,
     .type = VEL_F64,
     .when = "mode=dynamical|dynamical_residuals",
     .optional = true},
    {.name = "uns/{vkey}_params", .shape = VEL_UNS},
    {0}};

/* ---- velocities of groups with kinetics of their own */

typedef struct {
    vel_field *layers[2]; /* velocities; the second may be NULL */
    vel_groups groups;
} silencer;

static bool is_space(char c) { return c == ' ' || c == '\t'; }

/* Whether a comma-separated list holds the name. */
static bool list_holds(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        while (is_space(*at)) at++;
        size_t n = strcspn(at, ",");
        while (n && is_space(at[n - 1])) n--;
        if (n == length && !strncmp(at, name, n)) return true;
    }
    return false;
}

static void silence(const vel_field *layer, int64_t gene, int64_t cell) {
    int64_t at = gene * layer->rows + cell;
    if (layer->type == VEL_F32)
        ((float *)layer->data)[at] *= 0;
    else
        ((double *)layer->data)[at] *= 0;
}

static vel_err silence_gene(vel_ctx *ctx, const silencer *s, int64_t gene, const char *list) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    uint8_t *listed;
    VEL_TRY(VEL_ALLOC(ctx, listed, s->groups.n_names));
    for (int64_t k = 0; k < s->groups.n_names; k++) listed[k] = list_holds(list, s->groups.names[k]);
    for (int64_t c = 0; c < s->groups.n; c++) {
        if (s->groups.codes[c] < 0 || !listed[s->groups.codes[c]]) continue;
        silence(s->layers[0], gene, c);
        if (s->layers[1]) silence(s->layers[1], gene, c);
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err silence_groups(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) {
    const char *column = o->diff_kinetics.kind == VEL_VTEXT ? o->diff_kinetics.text : "fit_diff_kinetics", *key, *path;
    if (vel_is_none(&o->diff_kinetics) || vel_is_false(&o->diff_kinetics)) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "var/", column, "", &path));
    if (!vel_has(ad, path)) {
        vel_say(ctx, VEL_WARN, "%s is not there: no kinetics of groups", path);
        return VEL_OK;
    }
    const char **lists;
    int64_t n = vel_n_vars(ad);
    VEL_TRY(vel_get_texts(ctx, ad, path, n, &lists));
    VEL_TRY(vel_path_of(ctx, "uns/recover_dynamics/", column, "", &path));
    key = "clusters";
    /* the reference looks for the column and reads this one */
    if (vel_has(ad, path)) VEL_TRY(vel_get_text(ctx, ad, "uns/recover_dynamics/fit_diff_kinetics", &key));
    silencer s = {{NULL, NULL}, {0}};
    VEL_TRY(vel_read_groups(ctx, ad, key, &s.groups));
    VEL_TRY(vel_path_of(ctx, "layers/", o->vkey, "", &path));
    VEL_TRY(vel_edit(ctx, ad, path, &s.layers[0]));
    if (!strcmp(o->mode, "dynamical")) {
        VEL_TRY(vel_path_of(ctx, "layers/", o->vkey, "_u", &path));
        VEL_TRY(vel_edit(ctx, ad, path, &s.layers[1]));
    }
    for (int64_t g = 0; g < n; g++)
        if (lists[g] && *lists[g] && strcmp(lists[g], "nan")) VEL_TRY(silence_gene(ctx, &s, g, lists[g]));
    return VEL_OK;
}

/* ---- parameters */

static vel_err put_percentiles(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_value *v) {
    static const vel_value defaults[2] = {{.kind = VEL_VINT, .integer = 5, .real = 5},
                                          {.kind = VEL_VINT, .integer = 95, .real = 95}};
    if (v->kind == VEL_VINT) return vel_put_int(ctx, ad, path, v->integer);
    if (v->kind == VEL_VREAL) return vel_put_real(ctx, ad, path, v->real);
    const vel_value *items = v->kind == VEL_VLIST ? v->items : defaults;
    bool whole = items[0].kind == VEL_VINT && items[1].kind == VEL_VINT;
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, whole ? VEL_I64 : VEL_F64, vel_vector(2), &f));
    for (int i = 0; i < 2; i++) {
        if (whole)
            ((int64_t *)f->data)[i] = items[i].integer;
        else
            ((double *)f->data)[i] = items[i].real;
    }
    return VEL_OK;
}

static vel_err put_params(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) {
    const char *params, *mode, *offset, *perc;
    VEL_TRY(vel_path_of(ctx, "uns/", o->vkey, "_params", &params));
    VEL_TRY(vel_path_of(ctx, params, "/mode", "", &mode));
    VEL_TRY(vel_path_of(ctx, params, "/fit_offset", "", &offset));
    VEL_TRY(vel_path_of(ctx, params, "/perc", "", &perc));
    VEL_TRY(vel_drop(ctx, ad, params));
    VEL_TRY(vel_put_text(ctx, ad, mode, o->mode));
    VEL_TRY(vel_put_bool(ctx, ad, offset, o->fit_offset));
    return put_percentiles(ctx, ad, perc, &o->perc);
}

static vel_err warn_of_few_genes(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) {
    const char *path;
    uint8_t *genes;
    int64_t n = vel_n_vars(ad), count = 0;
    VEL_TRY(vel_path_of(ctx, "var/", o->vkey, "_genes", &path));
    if (!vel_has(ad, path)) return VEL_OK;
    VEL_TRY(vel_get_bools(ctx, ad, path, n, &genes));
    for (int64_t g = 0; g < n; g++) count += genes[g];
    if (count < FEW_GENES)
        vel_say(ctx, VEL_WARN, "only %lld velocity genes: consider a lower min_r2 or min_likelihood", (long long)count);
    return VEL_OK;
}

/* Lists, in every mode, whether it uses them or not: they are recorded. */
static vel_err check(vel_ctx *ctx, const void *opts) {
    vel_steady_opts settings;
    return vel_velocity_settings(ctx, opts, false, &settings);
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *opts) {
    vel_velocity_options o = *(const vel_velocity_options *)opts;
    if (vel_n_obs(ad) == 0 || vel_n_vars(ad) == 0)
        return vel_fail(ctx, VEL_ESHAPE, "%s has no %s left", vel_adata_name(ad), vel_n_obs(ad) ? "genes" : "cells");
    if (!strcmp(o.mode, "dynamical") && !vel_has(ad, "var/fit_alpha")) {
        vel_say(ctx, VEL_WARN,
                "there is no var/fit_alpha: falling back to the stochastic model; recover_dynamics fits "
                "the dynamical one");
        o.mode = "stochastic";
    }
    if (!strncmp(o.mode, "dynamical", strlen("dynamical")))
        VEL_TRY(vel_velocity_dynamical(ctx, ad, &o));
    else
        VEL_TRY(vel_velocity_steady(ctx, ad, &o));
    VEL_TRY(warn_of_few_genes(ctx, ad, &o));
    VEL_TRY(silence_groups(ctx, ad, &o));
    return put_params(ctx, ad, &o);
}

static const vel_work works[] = {
    {.when = "mode=dynamical", .gene = 130, .cell_thread = 110, .cell_neighbor = 6, .through = VEL_BY_GENES},
    {.when = "mode=stochastic",
     .gene = 130,
     .cell_thread = 2,
     .lanes = 2 * VEL_MOMENTS_PAIRS,
     .cell_neighbor = 6,
     .block = 16,
     .turned = 8,
     .genes_thread = 8,
     .through = VEL_BY_GENES},
    {.gene = 130, .cell_thread = 40, .through = VEL_BY_GENES}};

const vel_step vel_step_velocity = {
    .name = "velocity",
    .help = "velocities: steady-state, stochastic, or from fitted dynamics",
    .example = "vel velocity moments.h5ad -o velocity.h5ad --mode stochastic",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(vel_velocity_options),
    .works = works,
    .share = vel_velocity_share,
    .check = check,
    .run = run,
};
