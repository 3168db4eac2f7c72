#include <math.h>
#include <string.h>

#include "core/connectivity.h"
#include "core/field.h"
#include "core/knn.h"
#include "core/text.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef struct {
    vel_neighbors_opts o;
    const char *method, *metric;
} opts;

enum { FEW_GENES = 50, DEFAULT_COMPS = 30, FEW_COMPS = 10 }; /* scvelo 0.3.4, _get_rep and _set_pca */

/* ---- the space in which cells are near */

typedef struct {
    const char *name; /* as recorded: "X", "X_pca" */
    const char *path;
    double n_pcs; /* 0: not given */
    vel_cmat points;
} space;

static vel_err name_space(vel_ctx *ctx, vel_adata *ad, const vel_neighbors_opts *o, space *s) {
    const char *path;
    bool all_genes = !vel_is_none(&o->n_pcs) && s->n_pcs == 0;
    if (!o->use_rep) {
        s->name = vel_n_vars(ad) < FEW_GENES || all_genes ? "X" : "X_pca";
        return VEL_OK;
    }
    s->name = o->use_rep;
    if (!strcmp(o->use_rep, "X")) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "obsm/", "", o->use_rep, &path));
    if (vel_has(ad, path)) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "obsm/", "X_", o->use_rep, &path));
    if (vel_has(ad, path)) s->name = path + strlen("obsm/");
    return VEL_OK;
}

/* X_pca as it is, unless it is missing or too narrow for n_pcs. */
static vel_err need_pca(vel_ctx *ctx, vel_adata *ad, const vel_neighbors_opts *o, const space *s) {
    bool there = vel_has(ad, "obsm/X_pca");
    int64_t width = there ? vel_entry_of(ad, "obsm/X_pca").cols : 0;
    if (there && s->n_pcs <= (double)width) {
        if (s->n_pcs == 0 && width < FEW_COMPS)
            vel_say(ctx, VEL_WARN, "neighbors: X_pca has %lld components only", (long long)width);
        return VEL_OK;
    }
    vel_pca_opts pca = {s->n_pcs > 0 ? (int64_t)s->n_pcs : DEFAULT_COMPS, o->use_highly_variable};
    vel_say(ctx, VEL_INFO, "neighbors needs obsm/X_pca, which %s: pca is run first, n_comps=%lld",
            there ? "is too narrow" : "is not there", (long long)pca.n_comps);
    return vel_pca_of_x(ctx, ad, &pca);
}

/* Rows of any field as contiguous points of float32 or float64. */
static vel_err copy_points(vel_ctx *ctx, const vel_field *f, vel_cmat *points) {
    vel_counts m = vel_counts_of(f);
    int64_t n = m.rows, dim = m.cols;
    size_t size = vel_type_size(m.type);
    double *row;
    VEL_TRY(VEL_ALLOC(ctx, row, dim));
    char *to = vel_arena_alloc(ctx->scratch, (size_t)(n * dim), size);
    if (!to) return vel_no_memory(ctx, (size_t)(n * dim), size);
    for (int64_t i = 0; i < n; i++) {
        vel_counts_tile(&m, i, 1, row);
        for (int64_t d = 0; d < dim; d++) {
            if (m.type == VEL_F32)
                ((float *)to)[i * dim + d] = (float)row[d];
            else
                ((double *)to)[i * dim + d] = row[d];
        }
    }
    *points = (vel_cmat){to, m.type, n, dim, dim, 1};
    return VEL_OK;
}

static vel_err check_finite(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_cmat *x) {
    char **cells;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t d = 0; d < x->cols; d++) {
            double v = vel_cmat_at(x, i, d);
            if (isfinite(v)) continue;
            VEL_TRY(vel_obs_names(ctx, ad, &cells));
            return vel_fail(ctx, VEL_EVALUE, "%s of %s is %g in column %lld for cell %s", path, vel_adata_name(ad), v,
                            (long long)d, cells[i]);
        }
    return VEL_OK;
}

static vel_err get_points(vel_ctx *ctx, vel_adata *ad, space *s) {
    const vel_field *f;
    const char *path = "X";
    bool of_x = !strcmp(s->name, "X");
    vel_counts x;
    if (of_x) VEL_TRY(vel_need_x(ctx, ad, &x));
    if (!of_x) VEL_TRY(vel_path_of(ctx, "obsm/", "", s->name, &path));
    VEL_TRY(of_x ? vel_get_matrix(ctx, ad, path, &f) : vel_get(ctx, ad, path, &f));
    bool is_matrix = (f->kind == VEL_SPARSE || f->kind == VEL_DENSE) && f->ndim == 2;
    bool is_real = is_matrix && (f->type == VEL_F32 || f->type == VEL_F64);
    if (!is_real) return vel_fail(ctx, VEL_ETYPE, "%s of %s is no matrix of real numbers", path, vel_adata_name(ad));
    if (f->kind == VEL_DENSE && !f->gene_major)
        s->points = (vel_cmat){f->data, f->type, f->rows, f->cols, f->cols, 1};
    else
        VEL_TRY(copy_points(ctx, f, &s->points));
    if (!of_x && s->n_pcs > (double)f->cols)
        vel_say(ctx, VEL_WARN, "neighbors: %s has %lld columns, n_pcs is clipped to them", path, (long long)f->cols);
    else if (!of_x && s->n_pcs > 0)
        s->points.cols = (int64_t)s->n_pcs;
    s->path = path;
    return check_finite(ctx, ad, path, &s->points);
}

static vel_err choose_space(vel_ctx *ctx, vel_adata *ad, const vel_neighbors_opts *o, space *s) {
    s->n_pcs = vel_number_or(&o->n_pcs, 0);
    VEL_TRY(name_space(ctx, ad, o, s));
    if (!strcmp(s->name, "X_pca")) VEL_TRY(need_pca(ctx, ad, o, s));
    return get_points(ctx, ad, s);
}

/* ---- the graph */

/* Cells that have a neighbour at distance 0. */
static vel_err say_duplicates(vel_ctx *ctx, vel_adata *ad, const vel_neighbors *nb) {
    enum { SHOWN = 3 };
    vel_text names = vel_text_new(ctx->scratch);
    const char *shown;
    char **cells;
    int64_t found = 0;
    VEL_TRY(vel_obs_names(ctx, ad, &cells));
    for (int64_t i = 0; nb->k > 1 && i < nb->n; i++) {
        if (nb->distances[i * nb->k + 1] > 0) continue;
        if (found++ < SHOWN) vel_text_add(&names, "%s%s", found > 1 ? ", " : "", cells[i]);
    }
    if (!found) return VEL_OK;
    VEL_TRY(vel_text_done(ctx, &names, &shown));
    vel_say(ctx, VEL_WARN, "neighbors: %lld cells are duplicates of others (%s%s); they count as their neighbours",
            (long long)found, shown, found > SHOWN ? ", …" : "");
    return VEL_OK;
}

/* What scVelo and scanpy write, both; a key that they would give None is left out. */
static vel_err record(vel_ctx *ctx, vel_adata *ad, const space *s, int64_t k) {
    VEL_TRY(vel_drop(ctx, ad, "uns/neighbors"));
    VEL_TRY(vel_put_text(ctx, ad, "uns/neighbors/connectivities_key", "connectivities"));
    VEL_TRY(vel_put_text(ctx, ad, "uns/neighbors/distances_key", "distances"));
    VEL_TRY(vel_put_int(ctx, ad, "uns/neighbors/params/n_neighbors", k));
    VEL_TRY(vel_put_text(ctx, ad, "uns/neighbors/params/method", "umap"));
    VEL_TRY(vel_put_text(ctx, ad, "uns/neighbors/params/metric", "euclidean"));
    VEL_TRY(vel_put_text(ctx, ad, "uns/neighbors/params/use_rep", s->name));
    VEL_TRY(vel_put_int(ctx, ad, "uns/neighbors/params/random_state", 0));
    return s->n_pcs > 0 ? vel_put_int(ctx, ad, "uns/neighbors/params/n_pcs", (int64_t)s->n_pcs) : VEL_OK;
}

/* The neighbours, which go again once their distances lie in the handle and the scales are known. */
static vel_err find_neighbors(vel_ctx *ctx, vel_adata *ad, const space *s, int64_t k, float *sigma, float *rho) {
    int64_t n = vel_n_obs(ad);
    int32_t *indices;
    double *distances;
    vel_field *f;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, indices, n * k));
    VEL_TRY(VEL_ALLOC(ctx, distances, n * k));
    VEL_TRY(vel_knn(ctx, &s->points, k, indices, distances));
    vel_arena_trim(ctx->scratch);
    vel_neighbors nb = {n, k, indices, distances};
    VEL_TRY(say_duplicates(ctx, ad, &nb));
    VEL_TRY(vel_connectivity_scales(ctx, &nb, sigma, rho));
    VEL_TRY(vel_put_sparse(ctx, ad, "obsp/distances", VEL_F64, vel_matrix(n, n), n * (k - 1), &f));
    VEL_TRY(vel_neighbors_distances(ctx, &nb, &(vel_distances_room){f->indptr, f->indices, f->data}));
    vel_arena_release(ctx->scratch, mark);
    vel_arena_trim(ctx->scratch);
    return VEL_OK;
}

static vel_err connect(vel_ctx *ctx, vel_adata *ad, const float *sigma, const float *rho) {
    int64_t n = vel_n_obs(ad), *indptr;
    const vel_field *d;
    vel_field *f;
    vel_ties ties;
    VEL_TRY(vel_get(ctx, ad, "obsp/distances", &d));
    vel_csr distances = {n, n, d->indptr, d->indices, d->data, VEL_F64};
    VEL_TRY(vel_ties_make(ctx, &distances, sigma, rho, &ties));
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    vel_ties_count(&ties, indptr);
    VEL_TRY(vel_put_sparse(ctx, ad, "obsp/connectivities", VEL_F32, vel_matrix(n, n), indptr[n], &f));
    memcpy(f->indptr, indptr, (size_t)(n + 1) * sizeof *indptr);
    return vel_ties_unite(ctx, &ties, &(vel_csr_room){f->indptr, f->indices, f->data});
}

vel_err vel_make_neighbors(vel_ctx *ctx, vel_adata *ad, const vel_neighbors_opts *o) {
    int64_t n = vel_n_obs(ad), k = o->n_neighbors;
    float *sigma, *rho;
    space s = {0};
    VEL_TRY(vel_check_not_empty(ctx, ad));
    if (n < 2) return vel_fail(ctx, VEL_ENONE, "one cell has no neighbours");
    if (k < 2) return vel_fail(ctx, VEL_EUSAGE, "option n_neighbors: at least 2, the cell itself included");
    if (k > n) {
        k = 1 + n / 2;
        vel_say(ctx, VEL_WARN, "neighbors: n_neighbors is clipped to %lld, for %lld cells", (long long)k, (long long)n);
    }
    VEL_TRY(VEL_ALLOC(ctx, sigma, n)); /* before the points, lest they lie in the block that the search takes */
    VEL_TRY(VEL_ALLOC(ctx, rho, n));
    VEL_TRY(choose_space(ctx, ad, o, &s));
    VEL_TRY(find_neighbors(ctx, ad, &s, k, sigma, rho));
    if (strcmp(s.path, "X")) vel_let_go(ad, s.path);
    VEL_TRY(connect(ctx, ad, sigma, rho));
    return record(ctx, ad, &s, k);
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *arg) {
    const opts *o = arg;
    return vel_make_neighbors(ctx, ad, &o->o);
}

#define ROW(name, kind, def, range, help) \
    { #name, kind, offsetof(opts, o.name), def, range, help }
static const vel_opt rows[] = {
    ROW(n_neighbors, VEL_OINT, "30", "at least 2", "neighbours of a cell, itself included"),
    ROW(n_pcs, VEL_OCOUNT, "none", "at least 0", "components of X_pca to use; none: all; 0: X instead"),
    ROW(use_rep, VEL_OTEXT, "none", NULL, "X, or a matrix of obsm; none: X_pca, or X if there are few genes"),
    ROW(use_highly_variable, VEL_OBOOL, "true", NULL, "if pca has to be run: on var/highly_variable, if it is there"),
    VEL_OPT(opts, method, VEL_OTEXT, "umap", "umap", "how connectivities are computed"),
    VEL_OPT(opts, metric, VEL_OTEXT, "euclidean", "euclidean", "how distances are computed"),
    {0},
};

static const vel_key reads[] = {
    {.name = "obsm/X_pca", .shape = VEL_OBS_ANY, .when = "use_rep=none", .optional = true, .passing = true},
    {.name = "obsm/{use_rep}", .shape = VEL_OBS_ANY, .optional = true, .passing = true},
    {.name = "obsm/X_{use_rep}", .shape = VEL_OBS_ANY, .optional = true, .passing = true},
    {.name = "X", .shape = VEL_OBS_VAR, .when = "use_rep=X", .optional = true},
    {.name = "X", .shape = VEL_OBS_VAR, .when = "n_pcs=0", .optional = true},
    {.name = "X", .shape = VEL_OBS_VAR, .when = "use_rep=none|X_pca", .optional = true, .unless = "obsm/X_pca"},
    {.name = "var/highly_variable",
     .shape = VEL_VAR,
     .when = "use_rep=none|X_pca",
     .optional = true,
     .unless = "obsm/X_pca"},
    {0},
};

static const vel_key writes[] = {
    {.name = "obsp/distances", .shape = VEL_OBS_OBS, .type = VEL_F64},
    {.name = "obsp/connectivities", .shape = VEL_OBS_TIES, .type = VEL_F32},
    {.name = "uns/neighbors", .shape = VEL_UNS},
    VEL_WRITES_PCA_UNLESS("obsm/X_pca"),
    {.name = "uns/pca", .shape = VEL_UNS, .optional = true},
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {0},
};

const vel_step vel_step_neighbors = {
    .name = "neighbors",
    .help = "exact nearest neighbours of cells and UMAP's connectivities",
    .example = "vel neighbors pca.h5ad -o neighbors.h5ad --n-neighbors 30 --n-pcs 30",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.cell = 24,
             .cell_neighbor = 4,
             .search_neighbor = 8,
             .copy = 1,
             .copy_first = 2,
             .copy_when = "use_rep=X",
             .thread = 1 << 19},
    .run = run,
};
