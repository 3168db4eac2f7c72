/* The deterministic and the stochastic mode of the step velocity: all cells at once, or one group of cells after the
 * other. */
#include <math.h>
#include <string.h>

#include "core/moments.h"
#include "core/par.h"
#include "core/stochastic.h"
#include "core/text.h"
#include "pipelines/graph.h"
#include "pipelines/groups.h"
#include "pipelines/layers.h"
#include "pipelines/velocity.h"

/* The fit of one set of cells. */
typedef struct {
    const vel_velocity_options *o;
    bool stochastic;
    const char *suffix; /* of the columns: "", or "_" and the name of the group */
    bool some_cells;    /* not all: rows of layers are set, the others stay */
    vel_chosen_cells cells;
    vel_velocity_layers layers;
    vel_steady_opts settings;
    double min_r2;
    vel_steady *fits;     /* n_vars */
    vel_stochastic *pars; /* n_vars: what is written */
    uint8_t *genes;       /* n_vars: velocity genes */
    bool refitted;        /* filter_genes cut the genes between the fits: only the second one is told */
} steady;

/* ---- layers and columns */

/* Makes a layer of the type, or for some cells only if there is none yet (float32 then, as the reference). */
static vel_err ready_layer(vel_ctx *ctx, vel_adata *ad, const steady *f, const char *path, vel_type type) {
    vel_field *made;
    int64_t n = vel_n_obs(ad), n_genes = vel_n_vars(ad);
    if (!f->some_cells) return vel_put_dense(ctx, ad, path, type, vel_matrix(n, n_genes), &made);
    if (vel_entry_of(ad, path).kind == VEL_DENSE) return VEL_OK;
    return vel_put_dense(ctx, ad, path, VEL_F32, vel_matrix(n, n_genes), &made);
}

static bool has_two_values(const double *x, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (x[i] != x[0]) return true;
    return false;
}

/* A column that has at least two values; the reference deletes one that has not. */
static vel_err put_column(vel_ctx *ctx, vel_adata *ad, const steady *f, const char *name, vel_type type,
                          const double *x) {
    const char *path;
    vel_field *column;
    int64_t n = vel_n_vars(ad);
    VEL_TRY(vel_path_of(ctx, "var/", f->o->vkey, name, &path));
    VEL_TRY(vel_path_of(ctx, path, f->suffix, "", &path));
    if (!has_two_values(x, n)) return vel_drop(ctx, ad, path);
    VEL_TRY(vel_put_dense(ctx, ad, path, type, vel_vector(n), &column));
    for (int64_t g = 0; g < n; g++) {
        if (type == VEL_F64)
            ((double *)column->data)[g] = x[g];
        else if (type == VEL_F32)
            ((float *)column->data)[g] = (float)x[g];
        else
            ((uint8_t *)column->data)[g] = x[g] != 0;
    }
    return VEL_OK;
}

static vel_err put_columns(vel_ctx *ctx, vel_adata *ad, const steady *f) {
    int64_t n = vel_n_vars(ad);
    vel_type type = f->refitted ? VEL_F32 : vel_steady_type(&f->settings, f->layers.type);
    double *offset, *offset2, *beta, *gamma, *ratio, *r2, *genes;
    double **columns[] = {&offset, &offset2, &beta, &gamma, &ratio, &r2, &genes};
    for (int i = 0; i < 7; i++) VEL_TRY(VEL_ZALLOC(ctx, *columns[i], n));
    for (int64_t g = 0; g < n; g++) {
        offset[g] = f->pars[g].offset;
        offset2[g] = f->pars[g].offset2;
        gamma[g] = f->pars[g].gamma;
        ratio[g] = f->refitted ? 0 : f->fits[g].gamma;
        r2[g] = f->refitted ? 0 : f->fits[g].r2;
        genes[g] = f->refitted || f->genes[g];
    }
    VEL_TRY(put_column(ctx, ad, f, "_offset", f->refitted ? VEL_F32 : VEL_F64, offset));
    VEL_TRY(put_column(ctx, ad, f, "_offset2", VEL_F32, offset2));
    VEL_TRY(put_column(ctx, ad, f, "_beta", VEL_F32, beta)); /* always 1: an old one is deleted */
    VEL_TRY(put_column(ctx, ad, f, "_gamma", type, gamma));
    VEL_TRY(put_column(ctx, ad, f, "_qreg_ratio", type, ratio));
    VEL_TRY(put_column(ctx, ad, f, "_r2", VEL_F64, r2));
    return put_column(ctx, ad, f, "_genes", VEL_BOOL, genes);
}

/* ---- deterministic */

static bool is_mixed(const uint8_t *x, int64_t n) { return memchr(x, 0, (size_t)n) && memchr(x, 1, (size_t)n); }

static vel_err choose_genes(vel_ctx *ctx, vel_adata *ad, steady *f) {
    int64_t n = vel_n_vars(ad), chosen = 0;
    double *work;
    uint8_t *variable;
    VEL_TRY(VEL_ALLOC(ctx, work, n));
    VEL_TRY(vel_velocity_variable_genes(ctx, ad, f->o, &variable));
    vel_steady_rule rule = {f->min_r2, VEL_MIN_RATIO, vel_steady_type(&f->settings, f->layers.type), variable};
    double limit = vel_steady_select(&rule, n, f->fits, work, f->genes);
    for (int64_t g = 0; g < n; g++) chosen += f->genes[g];
    if (limit != f->min_r2)
        vel_say(ctx, VEL_WARN,
                "very low signal in splicing dynamics: fewer than 2 genes pass, so the limit on R2 is now %.4g", limit);
    bool group = f->suffix[0] != 0; /* "_NAME" */
    vel_say(ctx, VEL_INFO, "%lld of %lld genes are velocity genes%s%s", (long long)chosen, (long long)n,
            group ? " of group " : "", group ? f->suffix + 1 : "");
    if (!chosen) vel_say(ctx, VEL_WARN, "without velocity genes velocity_graph goes by all genes, as scVelo's does");
    return VEL_OK;
}

static vel_err fit_deterministic(vel_ctx *ctx, vel_adata *ad, steady *f) {
    const char *layer;
    int64_t n = vel_n_vars(ad);
    VEL_TRY(VEL_ALLOC(ctx, f->fits, n));
    VEL_TRY(VEL_ALLOC(ctx, f->pars, n));
    VEL_TRY(VEL_ALLOC(ctx, f->genes, n));
    VEL_TRY(vel_path_of(ctx, "layers/", f->o->vkey, "", &layer));
    VEL_TRY(ready_layer(ctx, ad, f, layer, vel_steady_type(&f->settings, f->layers.type)));
    vel_steady_run run = {f->settings, f->layers, f->cells, layer};
    VEL_TRY(vel_velocity_steady_fits(ctx, ad, &run, f->fits));
    for (int64_t g = 0; g < n; g++) f->pars[g] = (vel_stochastic){f->fits[g].gamma, f->fits[g].offset, 0};
    return choose_genes(ctx, ad, f);
}

/* ---- stochastic */

/* Averages over the neighbours among some cells: rows and columns of the graph cut to them. */
static vel_err cut_graph(vel_ctx *ctx, const vel_csr *graph, const vel_chosen_cells *cells, vel_csr *cut) {
    int32_t *place, *indices;
    int64_t *indptr;
    uint8_t *values;
    VEL_TRY(VEL_ALLOC(ctx, place, graph->rows));
    VEL_TRY(VEL_ALLOC(ctx, indptr, cells->n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, graph->indptr[graph->rows]));
    size_t size = vel_type_size(graph->type);
    VEL_TRY(VEL_ALLOC(ctx, values, graph->indptr[graph->rows] * (int64_t)size));
    for (int64_t c = 0; c < graph->rows; c++) place[c] = -1;
    for (int64_t c = 0; c < cells->n; c++) place[cells->index[c]] = (int32_t)c;
    int64_t at = 0;
    indptr[0] = 0;
    for (int64_t c = 0; c < cells->n; c++) {
        int64_t row = cells->index[c];
        for (int64_t e = graph->indptr[row]; e < graph->indptr[row + 1]; e++) {
            if (place[graph->indices[e]] < 0) continue;
            memcpy(values + (size_t)at * size, (const uint8_t *)graph->values + (size_t)e * size, size);
            indices[at++] = place[graph->indices[e]];
        }
        indptr[c + 1] = at;
    }
    *cut = (vel_csr){cells->n, cells->n, indptr, indices, values, graph->type};
    return VEL_OK;
}

static vel_err around_cells(vel_ctx *ctx, vel_adata *ad, const vel_chosen_cells *cells, vel_around *around) {
    if (!cells->index) return vel_read_around(ctx, ad, "connectivities", 0, around);
    vel_csr graph, cut;
    VEL_TRY(vel_read_graph(ctx, ad, "connectivities", &graph));
    VEL_TRY(cut_graph(ctx, &graph, cells, &cut));
    return vel_around_make(ctx, &cut, around);
}

enum { S, U, SPLICED, UNSPLICED, VELOCITY, VARIANCE, FIELDS };

enum { TOGETHER = VEL_MOMENTS_PAIRS };

typedef struct {
    const steady *f;
    const vel_around *around;
    vel_stochastic_opts opts;
    const int64_t *genes; /* of the selection */
    const vel_blocks *it;
} stochastic_job;

/* A gene of a field that is asked for by columns. */
static vel_cmat column_of(const vel_blocks *it, int field, int64_t i) {
    int64_t n = it->in[field].rows;
    return (vel_cmat){vel_blocks_column(it, field, i), it->in[field].type, n, 1, 1, n};
}

static vel_mat room_of(const vel_blocks *it, int field, int64_t i) {
    int64_t n = it->out[field].rows;
    return (vel_mat){vel_blocks_column(it, field, i), it->out[field].type, n, 1, 1, n};
}

static vel_err fit_gene(vel_ctx *ctx, const stochastic_job *job, int64_t i, const vel_second_moments *second) {
    const steady *f = job->f;
    int64_t g = job->genes[job->it->first + i], n = f->cells.n;
    vel_gene_data gene = {.n = n, .type = f->layers.type};
    char *work;
    double *variance;
    void *v;
    vel_cmat s = column_of(job->it, S, i), u = column_of(job->it, U, i);
    vel_mat to_variance = room_of(job->it, VARIANCE, i), to_velocity = room_of(job->it, VELOCITY, i);
    VEL_TRY(vel_column_take(ctx, &s, 0, &f->cells, &gene.s));
    VEL_TRY(vel_column_take(ctx, &u, 0, &f->cells, &gene.u));
    VEL_TRY(VEL_ALLOC(ctx, work, vel_stochastic_work(n)));
    VEL_TRY(VEL_ALLOC(ctx, variance, n));
    vel_stochastic *pars = &f->pars[g];
    vel_stochastic_fit(&job->opts, &gene, second, &f->fits[g], work, pars);
    vel_stochastic_variance(&job->opts, &gene, second, pars, variance);
    vel_column_put(&to_variance, 0, &f->cells, VEL_F64, variance);
    vel_type type = f->refitted ? gene.type : vel_steady_type(&f->settings, gene.type);
    VEL_TRY(vel_column_room(ctx, &to_velocity, 0, &f->cells, type, &v));
    vel_steady_velocity(&gene, pars->gamma, pars->offset, type, v);
    vel_column_put(&to_velocity, 0, &f->cells, type, v);
    return VEL_OK;
}

/* Counts of gene i, and room for its second moments: where its results go when they have been used, if all of these
 * columns are to be written. */
static vel_err take_pair(vel_ctx *ctx, const stochastic_job *job, int64_t i, vel_moments_pair *pair) {
    const vel_chosen_cells *cells = &job->f->cells;
    vel_cmat s = column_of(job->it, SPLICED, i), u = column_of(job->it, UNSPLICED, i);
    VEL_TRY(vel_column_take(ctx, &s, 0, cells, &pair->s));
    VEL_TRY(vel_column_take(ctx, &u, 0, cells, &pair->u));
    pair->ss = vel_blocks_column(job->it, VELOCITY, i);
    pair->us = vel_blocks_column(job->it, VARIANCE, i);
    if (!cells->index) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, pair->ss, cells->n));
    return VEL_ALLOC(ctx, pair->us, cells->n);
}

static vel_err fit_some(vel_ctx *ctx, int64_t item, void *arg) {
    const stochastic_job *job = arg;
    vel_moments_pair pairs[TOGETHER] = {{0}};
    int count = 0;
    for (int64_t i = item * TOGETHER; i < job->it->count && count < TOGETHER; i++)
        VEL_TRY(take_pair(ctx, job, i, &pairs[count++]));
    VEL_TRY(vel_moments_second(ctx, job->around, job->it->in[SPLICED].type, count, pairs));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    for (int k = 0; k < count; k++) {
        VEL_TRY(fit_gene(ctx, job, item * TOGETHER + k, &(vel_second_moments){pairs[k].ss, pairs[k].us}));
        vel_arena_release(ctx->scratch, mark);
    }
    return VEL_OK;
}

/* The genes of the second fit: velocity genes, all if there are none. */
static vel_err second_genes(vel_ctx *ctx, const steady *f, int64_t n, int64_t **genes, int64_t *count) {
    bool any = memchr(f->genes, 1, (size_t)n) != NULL;
    VEL_TRY(VEL_ALLOC(ctx, *genes, n));
    *count = 0;
    for (int64_t g = 0; g < n; g++)
        if (f->genes[g] || !any) (*genes)[(*count)++] = g;
    return VEL_OK;
}

/* Genes a block: whole groups of those that moments takes together, one a thread at least; else the counts that the
 * block has of its own are to be little beside the layers. */
static int64_t genes_at_once(const vel_ctx *ctx, int64_t n_cells, int64_t n_genes, vel_type counts) {
    enum { OWN_BYTES = 32 << 20, OWN_SHARE = 32 };
    int64_t gene = n_cells * 2 * (int64_t)vel_type_size(counts);
    int64_t block = OWN_BYTES / gene, share = n_genes / OWN_SHARE, least = ctx->threads;
    if (block > share) block = share;
    block /= TOGETHER;
    return TOGETHER * (block > least ? block : least);
}

static vel_err fit_stochastic(vel_ctx *ctx, vel_adata *ad, steady *f) {
    int64_t n = vel_n_vars(ad), count, *genes;
    const char *velocity, *variance;
    vel_around around;
    VEL_TRY(second_genes(ctx, f, n, &genes, &count));
    VEL_TRY(around_cells(ctx, ad, &f->cells, &around));
    VEL_TRY(vel_path_of(ctx, "layers/", f->o->vkey, "", &velocity));
    VEL_TRY(vel_path_of(ctx, "layers/variance_", f->o->vkey, "", &variance));
    vel_type type = f->refitted ? f->layers.type : vel_steady_type(&f->settings, f->layers.type);
    VEL_TRY(ready_layer(ctx, ad, f, variance, count < n ? VEL_F32 : type));
    if (f->refitted) VEL_TRY(ready_layer(ctx, ad, f, velocity, type));
    vel_type raw = vel_velocity_layers_of(ad, true).type;
    vel_block_field fields[FIELDS] = {
        [S] = {f->layers.s, f->layers.type, false},
        [U] = {f->layers.u, f->layers.type, false},
        [SPLICED] = {"layers/spliced", raw, false},
        [UNSPLICED] = {"layers/unspliced", raw, false},
        [VELOCITY] = {velocity, vel_entry_of(ad, velocity).origin, true},
        [VARIANCE] = {variance, vel_entry_of(ad, variance).origin, true},
    };
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, fields, FIELDS, genes_at_once(ctx, f->cells.n + 1, count, raw), &it));
    VEL_TRY(vel_blocks_select(ctx, it, genes, count));
    for (int k = 0; k < FIELDS; k++) vel_blocks_by_column(it, k);
    stochastic_job job = {.f = f, .around = &around, .genes = genes, .it = it};
    job.opts = (vel_stochastic_opts){f->settings, f->o->fit_offset2, f->refitted || count < n, f->refitted};
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) return VEL_OK;
        int64_t items = (it->count + TOGETHER - 1) / TOGETHER;
        VEL_TRY(vel_for_next(ctx, "stochastic fits", items, fit_some, &job));
    }
}

/* filter_genes in the stochastic mode: the genes are cut before the second fit. */
static vel_err cut_to_genes(vel_ctx *ctx, vel_adata *ad, steady *f) {
    int64_t n = vel_n_vars(ad), kept = 0;
    VEL_TRY(vel_keep_vars(ctx, ad, f->genes));
    for (int64_t g = 0; g < n; g++)
        if (f->genes[g]) {
            f->fits[kept] = f->fits[g];
            f->genes[kept++] = 1;
        }
    f->refitted = true;
    return VEL_OK;
}

/* ---- one set of cells, all sets */

static vel_err fit_cells(vel_ctx *ctx, vel_adata *ad, steady *f) {
    VEL_TRY(fit_deterministic(ctx, ad, f));
    bool cut = f->o->filter_genes && is_mixed(f->genes, vel_n_vars(ad));
    if (f->stochastic && cut) VEL_TRY(cut_to_genes(ctx, ad, f));
    if (f->stochastic) VEL_TRY(fit_stochastic(ctx, ad, f));
    VEL_TRY(put_columns(ctx, ad, f));
    if (cut && !f->stochastic) VEL_TRY(vel_keep_vars(ctx, ad, f->genes));
    return VEL_OK;
}

/* groups_for_fit as flags within the cells of the fit. */
static vel_err read_fit_cells(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o, steady *f) {
    if (vel_is_none(&o->groups_for_fit)) return VEL_OK;
    vel_groups groups;
    uint8_t *flags;
    VEL_TRY(vel_find_groups(ctx, ad, o->groupby, &groups));
    VEL_TRY(vel_cells_of_groups(ctx, &groups, "groups_for_fit", &o->groups_for_fit, &flags));
    for (int64_t c = 0; f->cells.index && c < f->cells.n; c++) flags[c] = flags[f->cells.index[c]];
    f->settings.fit_cells = flags;
    return VEL_OK;
}

static vel_err fit_group(vel_ctx *ctx, vel_adata *ad, steady base, const uint8_t *cells) {
    base.some_cells = cells != NULL;
    VEL_TRY(vel_choose_cells(ctx, cells, vel_n_obs(ad), &base.cells));
    VEL_TRY(read_fit_cells(ctx, ad, base.o, &base));
    return fit_cells(ctx, ad, &base);
}

/* One fit for each category of groupby. */
static vel_err fit_categories(vel_ctx *ctx, vel_adata *ad, steady base) {
    vel_groups groups;
    VEL_TRY(vel_read_groups(ctx, ad, base.o->groupby, &groups));
    uint8_t *cells;
    VEL_TRY(VEL_ALLOC(ctx, cells, groups.n));
    for (int64_t k = 0; k < groups.n_names; k++) {
        int64_t count = 0;
        for (int64_t c = 0; c < groups.n; c++) {
            cells[c] = groups.codes[c] == k;
            count += cells[c];
        }
        if (!count) continue; /* an unused category */
        VEL_TRY(vel_path_of(ctx, "_", groups.names[k], "", &base.suffix));
        VEL_TRY(fit_group(ctx, ad, base, cells));
    }
    return VEL_OK;
}

vel_err vel_velocity_steady(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) {
    steady base = {.o = o, .suffix = "", .layers = vel_velocity_layers_of(ad, o->use_raw)};
    base.stochastic = !strcmp(o->mode, "stochastic");
    VEL_TRY(vel_velocity_settings(ctx, o, false, &base.settings));
    base.min_r2 = vel_number_or(&o->min_r2, -INFINITY);
    bool chosen = !vel_is_none(&o->groups);
    if (o->groupby && !chosen && vel_is_none(&o->groups_for_fit)) return fit_categories(ctx, ad, base);
    uint8_t *cells = NULL;
    if (chosen) {
        vel_groups groups;
        VEL_TRY(vel_find_groups(ctx, ad, o->groupby, &groups));
        VEL_TRY(vel_cells_of_groups(ctx, &groups, "groups", &o->groups, &cells));
    }
    return fit_group(ctx, ad, base, cells);
}
