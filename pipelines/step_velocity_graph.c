/* velocity_graph - how well each cell's velocity points to the cells around it. */
#include <math.h>
#include <string.h>

#include "core/candidate_choice.h"
#include "core/field.h"
#include "core/graph_uncertainty.h"
#include "core/pages.h"
#include "core/panels.h"
#include "core/par.h"
#include "pipelines/graph.h"
#include "pipelines/graph_components.h"
#include "pipelines/graph_options.h"
#include "pipelines/step.h"
#include "pipelines/velocity.h"

static const vel_opt rows[] = {
    VEL_OPT(vel_graph_options, vkey, VEL_OTEXT, "velocity", NULL, "the velocities"),
    VEL_OPT(vel_graph_options, xkey, VEL_OTEXT, "Ms", NULL, "layer with the expression that cells are compared by"),
    VEL_OPT(vel_graph_options, tkey, VEL_OTEXT, "none", NULL,
            "column of obs with time points: cells of the next one are candidates too"),
    VEL_OPT(vel_graph_options, basis, VEL_OTEXT, "none", NULL,
            "embedding in which more neighbours than are stored are looked for"),
    VEL_OPT(vel_graph_options, n_neighbors, VEL_OCOUNT, "none", "at least 1", "neighbours a cell; none: those stored"),
    VEL_OPT(vel_graph_options, n_recurse_neighbors, VEL_OCOUNT, "none", "at least 0",
            "steps along neighbours; none: 2, or 1 with n_neighbors or connectivities"),
    VEL_OPT(vel_graph_options, random_neighbors_at_max, VEL_OCOUNT, "none", "at least 1",
            "of more candidates, so many are drawn by lot"),
    VEL_OPT(vel_graph_options, sqrt_transform, VEL_OSWITCH, "none", NULL,
            "signed square roots of differences and velocities; none: if the mode was stochastic"),
    VEL_OPT(vel_graph_options, variance_stabilization, VEL_OSWITCH, "none", NULL, "another name of sqrt_transform"),
    VEL_OPT(vel_graph_options, gene_subset, VEL_OANY, "none", NULL,
            "genes to use, or a boolean column of var; none: the velocity genes"),
    VEL_OPT(vel_graph_options, compute_uncertainties, VEL_OSWITCH, "none", NULL,
            "write uncertainties of the cosines too"),
    VEL_OPT(
        vel_graph_options, approx, VEL_OANY, "none", NULL,
        "true: 30 principal components instead of more than 100 genes; an embedding (X_pca): more neighbours than are "
        "stored are looked for in it"),
    VEL_OPT(vel_graph_options, mode_neighbors, VEL_OTEXT, "distances", "distances|connectivities",
            "the graph that cells are led along"),
    VEL_OPT(vel_graph_options, n_jobs, VEL_OCOUNT, "none", NULL,
            "taken for scVelo's sake: --threads says how many are used"),
    VEL_OPT(vel_graph_options, random_state, VEL_OINT, "0", "0 to 4294967295", "seed of what is drawn by lot"),
    {0}};

static const vel_key reads[] = {
    {.name = "layers/{vkey}", .maker = "velocity"},
    {.name = "layers/{xkey}", .when = "approx=true", .optional = true, .more_than = VEL_GENES_TO_REDUCE},
    {.name = "layers/{xkey}", .optional = true, .selected = true, .passing = true},
    {.name = "var/{vkey}_genes", .optional = true, .chooses = true},
    {.name = "uns/{vkey}_params", .optional = true},
    {.name = "obsp/distances", .optional = true},
    {.name = "obsp/connectivities", .when = "compute_uncertainties=true", .optional = true},
    {.name = "uns/neighbors", .optional = true},
    {.name = "obs/{tkey}", .optional = true},
    {.name = "obsm/X_{basis}", .optional = true},
    {.name = "obsm/{basis}", .optional = true},
    {.name = "obsm/{approx}", .optional = true},
    {0}};

static const vel_key writes[] = {{.name = "uns/{vkey}_graph", .shape = VEL_OBS_HOPS, .type = VEL_F32},
                                 {.name = "uns/{vkey}_graph_neg", .shape = VEL_OBS_HOPS, .type = VEL_F32},
                                 {.name = "uns/{vkey}_graph_uncertainties",
                                  .shape = VEL_OBS_HOPS,
                                  .type = VEL_F32,
                                  .when = "compute_uncertainties=true",
                                  .both_signs = true},
                                 {.name = "obs/{vkey}_self_transition", .shape = VEL_OBS, .type = VEL_F32},
                                 {.name = "uns/{vkey}_params", .shape = VEL_UNS},
                                 {0}};

/* What the graph is computed from, as it is read. */
typedef struct {
    const vel_graph_options *o;
    vel_graph_source source;
    vel_neighbor_lists lists, chosen;
    float *x;
    vel_panels *panels; /* the layer of expression, turned; NULL: it is as it was */
} input;

/* ---- velocities */

static vel_err view_velocity(vel_ctx *ctx, vel_adata *ad, const char *path, vel_graph_source *s) {
    const vel_field *f;
    VEL_TRY(vel_get_matrix(ctx, ad, path, &f));
    if (f->kind != VEL_DENSE || (f->type != VEL_F32 && f->type != VEL_F64))
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is no dense layer of float32 or float64", path, vel_adata_name(ad));
    s->velocity =
        (vel_cmat){f->data, f->type, f->rows, f->cols, f->gene_major ? 1 : f->cols, f->gene_major ? f->rows : 1};
    s->field = f;
    return VEL_OK;
}

typedef struct {
    const vel_cmat *v;
    const vel_field *f;
    const int64_t *genes;
    uint8_t *whole, *moving; /* a gene: no NaN in its sum; some velocity is not 0 */
} gene_check;

static vel_err check_gene(vel_ctx *ctx, int64_t k, void *arg) {
    (void)ctx;
    const gene_check *check = arg;
    double sum = 0;
    if (check->f->gene_major) vel_field_want(check->f, check->genes[k] * check->v->rows, check->v->rows);
    for (int64_t c = 0; c < check->v->rows; c++) {
        double x = vel_cmat_at(check->v, c, check->genes[k]);
        sum += x;
        check->moving[k] |= x != 0;
    }
    check->whole[k] = !isnan(sum);
    if (check->f->gene_major) vel_field_rest(check->f, check->genes[k] * check->v->rows, check->v->rows);
    return VEL_OK;
}

/* Drops the genes that have no velocity, as those that were not fitted. */
static vel_err drop_genes(vel_ctx *ctx, vel_adata *ad, const vel_graph_source *s, int64_t *genes, int64_t *n_genes) {
    gene_check check = {.v = &s->velocity, .f = s->field, .genes = genes};
    VEL_TRY(VEL_ZALLOC(ctx, check.whole, *n_genes));
    VEL_TRY(VEL_ZALLOC(ctx, check.moving, *n_genes));
    VEL_TRY(vel_for(ctx, NULL, *n_genes, check_gene, &check));
    int64_t kept = 0, moving = 0;
    for (int64_t k = 0; k < *n_genes; k++) {
        if (!check.whole[k]) continue;
        moving += check.moving[k];
        genes[kept++] = genes[k];
    }
    if (kept == 0)
        return vel_fail(ctx, VEL_ENONE, "velocity_graph: each of the %lld genes has a NaN among its velocities in %s",
                        (long long)*n_genes, vel_adata_name(ad));
    if (moving == 0) vel_say(ctx, VEL_WARN, "all velocities are 0: the graph is empty");
    *n_genes = kept;
    return VEL_OK;
}

/* ---- expression, cell after cell */

typedef struct {
    const vel_blocks *it;
    float *x;
    int64_t stride, n_genes;
} transposition;

enum { CELLS_AT_ONCE = 64 };

static vel_err transpose_cells(vel_ctx *ctx, int64_t tile, void *arg) {
    (void)ctx;
    const transposition *t = arg;
    int64_t n = t->it->in[0].rows, next = t->it->first + t->it->count;
    int64_t first = tile * CELLS_AT_ONCE, end = first + CELLS_AT_ONCE < n ? first + CELLS_AT_ONCE : n;
    for (int64_t k = 0; k < t->it->count; k++) {
        const float *column = vel_blocks_column(t->it, 0, k);
        for (int64_t c = first; c < end; c++) t->x[c * t->stride + t->it->first + k] = column[c];
    }
    for (int64_t c = first; next == t->n_genes && c < end; c++) /* up to whole vectors */
        memset(t->x + c * t->stride + next, 0, (size_t)(t->stride - next) * sizeof *t->x);
    return VEL_OK;
}

static vel_err gather_expression(vel_ctx *ctx, vel_adata *ad, const char *path, input *in) {
    int64_t n = vel_n_obs(ad), stride = vel_cosine_stride(in->source.space.n_genes);
    VEL_TRY(VEL_ALLOC(ctx, in->x, n * stride));
    in->source.space.x = in->x;
    in->source.space.stride = stride;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_block_field field = {path, VEL_F32, false};
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, &field, 1, 0, &it));
    VEL_TRY(vel_blocks_select(ctx, it, in->source.genes, in->source.space.n_genes));
    vel_blocks_by_column(it, 0);
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) break;
        transposition t = {it, in->x, stride, in->source.space.n_genes};
        VEL_TRY(vel_for(ctx, NULL, (n + CELLS_AT_ONCE - 1) / CELLS_AT_ONCE, transpose_cells, &t));
    }
    vel_blocks_done(it);
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* A layer that is in memory is turned where it lies, unless the velocities are read from it, too. */
static vel_err turn_expression(vel_ctx *ctx, vel_adata *ad, const char *path, input *in) {
    const vel_field *f = vel_borrow(ad, path);
    vel_cosine_space *space = &in->source.space;
    if (!f || f->kind != VEL_DENSE || !f->gene_major || f->spill || f == in->source.field) return VEL_OK;
    if (f->type != VEL_F32 && f->type != VEL_F64) return VEL_OK;
    vel_mat layer = {f->data, f->type, f->rows, f->cols, 1, f->rows};
    VEL_TRY(vel_panels_turn(ctx, &layer, in->source.genes, space->n_genes, &in->panels));
    if (!in->panels) return VEL_OK;
    space->pieces = vel_panels_pieces(in->panels);
    space->stride = vel_cosine_stride(space->n_genes);
    return VEL_OK;
}

static vel_err lay_out_expression(vel_ctx *ctx, vel_adata *ad, const char *path, input *in) {
    VEL_TRY(turn_expression(ctx, ad, path, in));
    return in->panels ? VEL_OK : gather_expression(ctx, ad, path, in);
}

/* ---- candidates by lot */

static vel_err choose_candidates(vel_ctx *ctx, vel_adata *ad, input *in) {
    const vel_graph_options *o = in->o;
    const vel_graph_source *s = &in->source;
    vel_candidate_choice choice = {
        .hops = s->hops, .seed = (uint32_t)o->random_state, .most = vel_graph_count(&o->random_neighbors_at_max, 0)};
    int32_t *time;
    uint8_t *moving;
    float *v;
    int64_t n = vel_n_obs(ad);
    VEL_TRY(vel_graph_time(ctx, ad, o, &time));
    if (!choice.most && !time) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, moving, n));
    VEL_TRY(VEL_ALLOC(ctx, v, s->space.stride));
    for (int64_t c = 0; c < n; c++) {
        vel_graph_velocities(s, c, 1, v);
        moving[c] = vel_cosine_center(&s->space, v) > 0;
    }
    choice.time = time;
    choice.moving = moving;
    VEL_TRY(vel_candidates_choose(ctx, &in->lists, &choice, &in->chosen));
    in->source.chosen = &in->chosen;
    return VEL_OK;
}

/* ---- results */

/* Memory that is not touched costs nothing, but in a scratch file it does. */
static vel_err room_for(vel_ctx *ctx, const input *in, int64_t *entries) {
    *entries = in->lists.n * vel_graph_bound(&in->source);
    return ctx->spill ? vel_graph_candidates(ctx, &in->source, entries) : VEL_OK;
}

static vel_err put_room(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t entries, vel_csr_room *room,
                        const vel_field **made) {
    int64_t n = vel_n_obs(ad);
    vel_field *f;
    VEL_TRY(vel_put_sparse(ctx, ad, path, VEL_F32, vel_matrix(n, n), entries, &f));
    if (!f->spill) {
        vel_pages_small(f->indices, (size_t)entries * sizeof *f->indices);
        vel_pages_small(f->data, (size_t)entries * sizeof(float));
    }
    *room = (vel_csr_room){f->indptr, f->indices, f->data};
    *made = f;
    return VEL_OK;
}

static vel_err put_self(vel_ctx *ctx, vel_adata *ad, const char *vkey, const vel_csr_room *graph,
                        const vel_field *made) {
    const char *path;
    vel_field *f;
    float *work;
    int64_t n = vel_n_obs(ad);
    VEL_TRY(vel_path_of(ctx, "obs/", vkey, "_self_transition", &path));
    VEL_TRY(vel_put_dense(ctx, ad, path, VEL_F32, vel_vector(n), &f));
    VEL_TRY(VEL_ALLOC(ctx, work, n));
    vel_graph_self(n, graph, made, work, f->data);
    return VEL_OK;
}

static vel_err put_params(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, int64_t hops) {
    const char *embeddings, *mode, *recursion;
    VEL_TRY(vel_path_of(ctx, "uns/", o->vkey, "_params/embeddings", &embeddings));
    VEL_TRY(vel_path_of(ctx, "uns/", o->vkey, "_params/mode_neighbors", &mode));
    VEL_TRY(vel_path_of(ctx, "uns/", o->vkey, "_params/n_recurse_neighbors", &recursion));
    VEL_TRY(vel_drop(ctx, ad, embeddings));
    VEL_TRY(vel_put_text(ctx, ad, mode, o->mode_neighbors));
    return vel_put_int(ctx, ad, recursion, hops);
}

static vel_err put_uncertainties(vel_ctx *ctx, vel_adata *ad, const input *in, int64_t entries) {
    const char *path;
    vel_csr_room room;
    const vel_field *made;
    vel_average average;
    if (!vel_is_true(&in->o->compute_uncertainties)) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "uns/", in->o->vkey, "_graph_uncertainties", &path));
    VEL_TRY(put_room(ctx, ad, path, entries, &room, &made));
    VEL_TRY(vel_read_average(ctx, ad, "connectivities", 0, &average));
    return vel_graph_uncertainties(ctx, &in->source, &average, &room, made);
}

static vel_err build(vel_ctx *ctx, vel_adata *ad, const input *in) {
    const char *graph, *graph_neg;
    vel_csr_room positive, negative;
    vel_graph_source source = in->source;
    int64_t entries;
    VEL_TRY(room_for(ctx, in, &entries));
    VEL_TRY(vel_path_of(ctx, "uns/", in->o->vkey, "_graph", &graph));
    VEL_TRY(vel_path_of(ctx, "uns/", in->o->vkey, "_graph_neg", &graph_neg));
    VEL_TRY(put_room(ctx, ad, graph, entries, &positive, &source.made[0]));
    VEL_TRY(put_room(ctx, ad, graph_neg, entries, &negative, &source.made[1]));
    VEL_TRY(vel_graph_build(ctx, &source, &positive, &negative));
    VEL_TRY(put_uncertainties(ctx, ad, in, entries));
    VEL_TRY(put_self(ctx, ad, in->o->vkey, &positive, source.made[0]));
    return put_params(ctx, ad, in->o, in->source.hops);
}

static vel_err make(vel_ctx *ctx, vel_adata *ad, input *in) {
    const vel_graph_options *o = in->o;
    vel_graph_source *s = &in->source;
    const char *velocity, *expression;
    int64_t *genes;
    VEL_TRY(vel_path_of(ctx, "layers/", o->vkey, "", &velocity));
    VEL_TRY(vel_path_of(ctx, "layers/", o->xkey, "", &expression));
    if (!vel_has(ad, expression)) {
        vel_say(ctx, VEL_WARN, "%s is not there: cells are compared by layers/spliced", expression);
        expression = "layers/spliced";
    }
    s->hops = vel_graph_hops(o);
    VEL_TRY(vel_graph_takes_roots(ctx, ad, o, &s->space.sqrt_transform));
    VEL_TRY(vel_graph_neighbors(ctx, ad, o, &in->lists));
    VEL_TRY(vel_graph_genes(ctx, ad, o, &genes, &s->space.n_genes));
    VEL_TRY(view_velocity(ctx, ad, velocity, s));
    VEL_TRY(drop_genes(ctx, ad, s, genes, &s->space.n_genes));
    s->genes = genes;
    s->lists = &in->lists;
    if (vel_is_true(&o->approx) && s->space.n_genes > VEL_GENES_TO_REDUCE)
        VEL_TRY(vel_graph_reduce(ctx, ad, expression, s));
    else
        VEL_TRY(lay_out_expression(ctx, ad, expression, in));
    VEL_TRY(choose_candidates(ctx, ad, in));
    return build(ctx, ad, in);
}

static vel_err check(vel_ctx *ctx, const void *opts) {
    const vel_value *approx = &((const vel_graph_options *)opts)->approx;
    if (!vel_is_number(approx) && approx->kind != VEL_VLIST) return VEL_OK;
    return vel_opt_refuse(ctx, "approx", "true, false, the name of an embedding, or none", approx);
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *opts) {
    input in = {.o = opts};
    vel_err e = make(ctx, ad, &in);
    vel_panels_restore(ctx, in.panels);
    return e;
}

static const vel_work works[] = {{.when = "compute_uncertainties=true",
                                  .cell = 44,
                                  .cell_neighbor = 10,
                                  .cell_tie = 8,
                                  .early_tie = 42,
                                  .most_tie = 6,
                                  .value = 1,
                                  .turned_value = 4.2,
                                  .thread = 1 << 18,
                                  .through = VEL_AT_ONCE},
                                 {.when = "approx=true",
                                  .more_than = VEL_GENES_TO_REDUCE,
                                  .cell = 272,
                                  .cell_neighbor = 4,
                                  .cell_tie = 8,
                                  .early_tie = 42,
                                  .most_tie = 6,
                                  .components = true,
                                  .thread = 1 << 18,
                                  .at_once = 1,
                                  .through = VEL_AT_ONCE},
                                 {.cell = 32,
                                  .cell_neighbor = 4,
                                  .cell_tie = 8,
                                  .early_tie = 42,
                                  .most_tie = 6,
                                  .turned_value = 4.2,
                                  .thread = 1 << 18,
                                  .through = VEL_BY_CELLS}};

const vel_step vel_step_velocity_graph = {
    .name = "velocity_graph",
    .help = "graph of cosines between velocities and cell-to-cell differences",
    .example = "vel velocity_graph velocity.h5ad -o graph.h5ad",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(vel_graph_options),
    .works = works,
    .check = check,
    .run = run,
};
