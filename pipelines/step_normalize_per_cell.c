#include <math.h>
#include <string.h>

#include "core/count_corr.h"
#include "core/normalize.h"
#include "core/text.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef vel_normalize_opts opts;

enum { PEEKED_CELLS = 5, GENES_FOR_CORR = 3000 }; /* scvelo 0.3.4, not_yet_normalized and normalize_per_cell */

vel_err vel_looks_raw(vel_ctx *ctx, vel_adata *ad, const char *path, bool *raw) {
    vel_counts m;
    vel_flawed fraction = {.row = -1};
    VEL_TRY(vel_get_counts(ctx, ad, path, &m));
    *raw = vel_counts_whole(&m, PEEKED_CELLS);
    if (*raw) VEL_TRY(vel_find_flaw(ctx, ad, path, &m, VEL_NOT_WHOLE, &fraction));
    if (fraction.row >= 0)
        vel_say(ctx, VEL_WARN,
                "%s: the first %d cells are whole numbers, later ones are not; it is taken for raw counts, as scVelo "
                "does",
                path, PEEKED_CELLS);
    return VEL_OK;
}

/* A matrix that is normalised. */
typedef struct {
    const char *layer, *path; /* "spliced", "layers/spliced"; X: both "X" */
    void *sizes;              /* in its type, if they are known already */
} target;

/* ---- sizes to divide by */

static vel_err column_sizes(vel_ctx *ctx, vel_adata *ad, const char *path, vel_sizes *c) {
    int64_t n = vel_n_obs(ad);
    double *values;
    VEL_TRY(vel_get_reals(ctx, ad, path, n, &values));
    *c = (vel_sizes){VEL_F64, values};
    if (vel_entry_of(ad, path).origin != VEL_F32) return VEL_OK;
    float *narrow;
    VEL_TRY(VEL_ALLOC(ctx, narrow, n));
    for (int64_t i = 0; i < n; i++) narrow[i] = (float)values[i];
    *c = (vel_sizes){VEL_F32, narrow};
    return VEL_OK;
}

/* The column that a matrix is normalised by, NULL: none, its size is taken. */
static vel_err column_for(vel_ctx *ctx, vel_adata *ad, const opts *o, const target *t, const char **path) {
    *path = NULL;
    if (!vel_is_none(&o->counts_per_cell)) {
        VEL_TRY(vel_path_of(ctx, "obs/", o->counts_per_cell.text, "", path));
        if (!vel_has(ad, *path)) VEL_TRY(vel_set_initial_sizes(ctx, ad));
        if (vel_has(ad, *path)) return VEL_OK;
        vel_say(ctx, VEL_WARN, "there is no %s: cells are normalised by their sizes", *path);
    }
    *path = NULL;
    if (!o->use_initial_size) return VEL_OK;
    bool of_x = !strcmp(t->path, "X");
    VEL_TRY(vel_path_of(ctx, "obs/", of_x ? "initial_size" : "initial_size_", of_x ? "" : t->layer, path));
    if (!vel_has(ad, *path)) *path = NULL;
    return VEL_OK;
}

/* One pass for the sizes and for what is wrong with the values, where that saves one. */
static vel_err survey(vel_ctx *ctx, vel_adata *ad, const opts *o, target *t) {
    const char *column;
    vel_counts m;
    if (!vel_is_none(&o->counts_per_cell)) return VEL_OK;
    VEL_TRY(column_for(ctx, ad, o, t, &column));
    if (column) return VEL_OK;
    VEL_TRY(vel_get_counts(ctx, ad, t->path, &m));
    if (m.indptr || !m.gene_major || vel_is_integer(vel_entry_of(ad, t->path).origin)) return VEL_OK;
    VEL_TRY(vel_survey(ctx, ad, t->path, &m, &t->sizes));
    vel_adata_rest(ad);
    return VEL_OK;
}

static vel_err sizes_for(vel_ctx *ctx, vel_adata *ad, const opts *o, const target *t, const vel_counts *m,
                         vel_sizes *c) {
    const char *path;
    VEL_TRY(column_for(ctx, ad, o, t, &path));
    if (path) {
        VEL_TRY(column_sizes(ctx, ad, path, c));
    } else if (t->sizes) {
        *c = (vel_sizes){m->type, t->sizes};
    } else {
        *c = (vel_sizes){.type = m->type};
        VEL_TRY(vel_new_sizes(ctx, m, &c->values));
        VEL_TRY(vel_counts_sizes(ctx, m, c->values));
    }
    double most = vel_number_or(&o->max_proportion_per_cell, 0);
    if (!(most > 0 && most < 1)) return VEL_OK;
    uint8_t *keep;
    VEL_TRY(VEL_ALLOC(ctx, keep, m->cols));
    VEL_TRY(vel_normalize_modest(ctx, m, *c, most, keep));
    *c = (vel_sizes){.type = m->type};
    VEL_TRY(vel_new_sizes(ctx, m, &c->values));
    return vel_counts_sizes_of(ctx, m, keep, c->values);
}

/* ---- one matrix */

static vel_err count_corr(vel_ctx *ctx, vel_adata *ad, const vel_counts *m) {
    double *corr;
    if (m->cols <= GENES_FOR_CORR || vel_has(ad, "var/gene_count_corr")) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, corr, m->cols));
    VEL_TRY(vel_count_corr(ctx, m, corr));
    return vel_put_reals(ctx, ad, "var/gene_count_corr", corr, m->cols);
}

/* Sizes are divided by it in the type of the counts. */
static vel_err check_after(vel_ctx *ctx, const char *path, vel_type type, double after) {
    double x = vel_rounded_to(type, after);
    if (after == 0 || (x > 0 && isfinite(x))) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "option counts_per_cell_after takes what %s of %s can hold, found %g",
                    vel_type_name(type), path, after);
}

static vel_err normalize(vel_ctx *ctx, vel_adata *ad, const opts *o, const target *t) {
    bool raw;
    vel_counts m;
    vel_sizes c;
    void *values;
    double after = vel_number_or(&o->counts_per_cell_after, 0), *work;
    VEL_TRY(vel_looks_raw(ctx, ad, t->path, &raw));
    if (!raw && !vel_is_true(&o->enforce)) {
        vel_say(ctx, VEL_WARN, "%s is left as it is: it looks processed already (enforce=true normalises it)", t->path);
        return VEL_OK;
    }
    VEL_TRY(vel_edit_counts(ctx, ad, t->path, &m, &values));
    VEL_TRY(sizes_for(ctx, ad, o, t, &m, &c));
    VEL_TRY(check_after(ctx, t->path, c.type, after));
    VEL_TRY(VEL_ALLOC(ctx, work, m.rows));
    vel_normalize_factors(m.rows, c, after, work);
    VEL_TRY(vel_normalize_rows(ctx, &m, c, values));
    vel_say(ctx, VEL_INFO, "normalize_per_cell: %s normalised", t->path);
    return strcmp(t->path, "X") ? VEL_OK : count_corr(ctx, ad, &m);
}

/* ---- which matrices */

typedef struct {
    const char **names;
    int64_t n;
} layer_list;

static vel_err list_layer(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)ad;
    layer_list *l = arg;
    if (strncmp(path, "layers/", 7) != 0 || strchr(path + 7, '/')) return VEL_OK;
    if (l->names) {
        l->names[l->n] = vel_arena_strdup(ctx->scratch, path + 7);
        if (!l->names[l->n]) return vel_no_memory(ctx, strlen(path), 1);
    }
    l->n++;
    return VEL_OK;
}

static vel_err list_all(vel_ctx *ctx, vel_adata *ad, layer_list *l) {
    VEL_TRY(vel_each(ctx, ad, list_layer, l));
    VEL_TRY(VEL_ALLOC(ctx, l->names, l->n));
    l->n = 0;
    return vel_each(ctx, ad, list_layer, l);
}

static vel_err layers_of(vel_ctx *ctx, vel_adata *ad, const vel_value *v, layer_list *l) {
    static const vel_value both[] = {{.kind = VEL_VTEXT, .text = "spliced"}, {.kind = VEL_VTEXT, .text = "unspliced"}};
    const bool list = v->kind == VEL_VLIST;
    const vel_value *names = vel_is_none(v) ? both : list ? v->items : v;
    const int64_t n = vel_is_none(v) ? 2 : list ? v->n_items : 1;
    *l = (layer_list){0};
    if (v->kind == VEL_VTEXT && !strcmp(v->text, "all")) return list_all(ctx, ad, l);
    VEL_TRY(VEL_ALLOC(ctx, l->names, n));
    for (int64_t i = 0; i < n; i++) {
        if (names[i].kind != VEL_VTEXT)
            return vel_fail(ctx, VEL_EUSAGE, "option layers takes the name of a layer, a list of names, all, or none");
        l->names[l->n++] = names[i].text;
    }
    return VEL_OK;
}

/* X and the layers that are there: targets[1 + layers.n]. */
static vel_err targets_of(vel_ctx *ctx, const vel_adata *ad, const opts *o, const layer_list *layers, target *t,
                          int64_t *n) {
    *n = 0;
    if (vel_has(ad, "X")) t[(*n)++] = (target){"X", "X", NULL};
    for (int64_t i = 0; i < layers->n; i++) {
        t[*n] = (target){layers->names[i], NULL, NULL};
        VEL_TRY(vel_path_of(ctx, "layers/", layers->names[i], "", &t[*n].path));
        if (vel_has(ad, t[*n].path))
            (*n)++;
        else if (!vel_is_none(&o->layers))
            vel_say(ctx, VEL_WARN, "there is no %s to normalise", t[*n].path);
    }
    return VEL_OK;
}

/* A matrix may have two names. */
static bool is_earlier(const vel_adata *ad, const target *t, int64_t i) {
    for (int64_t k = 0; k < i; k++)
        if (!strcmp(vel_entry_of(ad, t[k].path).path, vel_entry_of(ad, t[i].path).path)) return true;
    return false;
}

/* Takes out bad genes; sizes are those of what is left. */
static vel_err survey_all(vel_ctx *ctx, vel_adata *ad, const opts *o, target *t, int64_t n) {
    enum { MOST = 3 }; /* sizes that are kept at a time */
    const int64_t genes = vel_n_vars(ad);
    for (int64_t i = 0; i < n && i < MOST; i++)
        if (!is_earlier(ad, t, i)) VEL_TRY(survey(ctx, ad, o, &t[i]));
    VEL_TRY(vel_drop_bad_genes(ctx, ad));
    for (int64_t i = 0; i < n && vel_n_vars(ad) != genes; i++) t[i].sizes = NULL;
    return VEL_OK;
}

vel_err vel_normalize_per_cell(vel_ctx *ctx, vel_adata *ad, const vel_normalize_opts *o) {
    layer_list layers;
    target *targets;
    int64_t n;
    const char *n_counts;
    VEL_TRY(vel_check_not_empty(ctx, ad));
    VEL_TRY(layers_of(ctx, ad, &o->layers, &layers));
    VEL_TRY(VEL_ALLOC(ctx, targets, 1 + layers.n));
    VEL_TRY(targets_of(ctx, ad, o, &layers, targets, &n));
    VEL_TRY(survey_all(ctx, ad, o, targets, n));
    bool x = vel_has(ad, "X"), by_columns = x && !strcmp(vel_entry_of(ad, "X").encoding, "csc_matrix");
    for (int64_t i = 0; i < n; i++) {
        vel_mark mark = vel_arena_mark(ctx->scratch);
        VEL_TRY(normalize(ctx, ad, o, &targets[i]));
        vel_adata_rest(ad);
        vel_arena_release(ctx->scratch, mark);
    }
    if (!x) return VEL_OK;
    VEL_TRY(
        vel_path_of(ctx, "obs/", o->key_n_counts.kind == VEL_VTEXT ? o->key_n_counts.text : "n_counts", "", &n_counts));
    return vel_put_sizes(ctx, ad, n_counts, "X", by_columns);
}

static vel_err check_column(vel_ctx *ctx, const char *option, const vel_value *v) {
    if (vel_is_none(v) || v->kind == VEL_VTEXT) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "option %s takes the name of a column of obs, or none", option);
}

vel_err vel_check_normalize(vel_ctx *ctx, const vel_normalize_opts *o) {
    VEL_TRY(check_column(ctx, "counts_per_cell", &o->counts_per_cell));
    return check_column(ctx, "key_n_counts", &o->key_n_counts);
}

static vel_err check(vel_ctx *ctx, const void *o) { return vel_check_normalize(ctx, o); }

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *o) { return vel_normalize_per_cell(ctx, ad, o); }

static const vel_opt rows[] = {
    VEL_OPT(opts, counts_per_cell_after, VEL_ONUMBER, "none", "above 0",
            "size of every cell afterwards; none: the median"),
    VEL_OPT(opts, counts_per_cell, VEL_OANY, "none", NULL, "column of obs with the sizes to divide by"),
    VEL_OPT(opts, key_n_counts, VEL_OANY, "n_counts", NULL, "column of obs for the sizes of X afterwards"),
    VEL_OPT(opts, max_proportion_per_cell, VEL_ONUMBER, "none", "0 to 1",
            "leave genes out of the sizes that take more than this share of a cell"),
    VEL_OPT(opts, use_initial_size, VEL_OBOOL, "true", NULL, "divide by the sizes before genes were filtered"),
    VEL_OPT(opts, layers, VEL_OANY, "none", NULL, "layers beside X: a name, a list, all; none: spliced and unspliced"),
    VEL_OPT(opts, enforce, VEL_OSWITCH, "none", NULL, "true: normalise what looks processed, too"),
    {0},
};

static const vel_key reads[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "obs/initial_size", .shape = VEL_OBS, .optional = true},
    {.name = "obs/initial_size_spliced", .shape = VEL_OBS, .optional = true},
    {.name = "obs/initial_size_unspliced", .shape = VEL_OBS, .optional = true},
    {.name = "obs/{counts_per_cell}", .shape = VEL_OBS, .optional = true},
    {0},
};

static const vel_key writes[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .type = VEL_F32, .optional = true},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .type = VEL_F32, .optional = true},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR, .type = VEL_F32, .optional = true},
    {.name = "obs/{key_n_counts}", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size_spliced", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size_unspliced", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "var/gene_count_corr", .shape = VEL_VAR, .type = VEL_F64, .optional = true},
    {0},
};

const vel_step vel_step_normalize_per_cell = {
    .name = "normalize_per_cell",
    .help = "bring every cell to the same size, X and layers alike",
    .example = "vel normalize_per_cell filtered.h5ad -o normalized.h5ad",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.cell = 40, .at_once = 1, .values_only = GENES_FOR_CORR},
    .check = check,
    .run = run,
};
