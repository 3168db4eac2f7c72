#include "pipelines/graph_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/connectivity.h"
#include "core/knn.h"
#include "core/least.h"
#include "core/text.h"
#include "pipelines/graph.h"
#include "pipelines/groups.h"
#include "pipelines/mark_genes.h"
#include "pipelines/velocity.h"

/* scvelo 0.3.4: a new search looks at so many dimensions of the embedding. */
enum { SEARCH_DIMS = 10 };

int64_t vel_graph_count(const vel_value *v, int64_t otherwise) { return vel_is_none(v) ? otherwise : v->integer; }

static bool by_connectivities(const vel_graph_options *o) { return !strcmp(o->mode_neighbors, "connectivities"); }

int64_t vel_graph_hops(const vel_graph_options *o) {
    return vel_graph_count(&o->n_recurse_neighbors, !vel_is_none(&o->n_neighbors) || by_connectivities(o) ? 1 : 2);
}

/* ---- neighbours */

/* The stored distances. Connectivities in their place are turned, so that the strongest tie is the shortest. */
static vel_err stored_distances(vel_ctx *ctx, vel_adata *ad, vel_csr *graph) {
    const char *path;
    VEL_TRY(vel_graph_path(ctx, ad, "distances", &path));
    VEL_TRY(vel_read_graph(ctx, ad, "distances", graph));
    size_t length = strlen(path), end = strlen("connectivities");
    if (length < end || strcmp(path + length - end, "connectivities") != 0) return VEL_OK;
    int64_t stored = graph->indptr[graph->rows];
    double *turned;
    VEL_TRY(VEL_ALLOC(ctx, turned, stored));
    for (int64_t e = 0; e < stored; e++) turned[e] = 1 - vel_real_at(graph->type, graph->values, e);
    graph->values = turned;
    graph->type = VEL_F64;
    return VEL_OK;
}

/* The embedding that basis names, by its short name or its whole one; *there: whether the file has it. */
static vel_err named_basis(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, const char **path, bool *there) {
    const char *whole;
    VEL_TRY(vel_path_of(ctx, "obsm/", o->basis, "", &whole));
    VEL_TRY(vel_path_of(ctx, "obsm/X_", o->basis, "", path));
    if (!vel_has(ad, *path) && vel_has(ad, whole)) *path = whole;
    *there = vel_has(ad, *path);
    return VEL_OK;
}

static vel_err search_space(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, const char **path) {
    static const char *const known[] = {"obsm/X_umap", "obsm/X_tsne", "obsm/X_pca"};
    if (o->basis) {
        bool there;
        VEL_TRY(named_basis(ctx, ad, o, path, &there));
        if (there) return VEL_OK;
        return vel_fail(ctx, VEL_EKEY, "velocity_graph: basis=%s: %s has no %s", o->basis, vel_adata_name(ad), *path);
    }
    for (int i = 0; i < 3; i++)
        if (vel_has(ad, *path = known[i])) return VEL_OK;
    return vel_fail(ctx, VEL_EKEY, "velocity_graph: more neighbours than are stored need obsm/X_pca, which %s has not",
                    vel_adata_name(ad));
}

/* k nearest neighbours of every cell, the cell itself left out, among the first dims columns of a matrix of obsm. */
static vel_err search(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t dims, int64_t k, vel_csr *graph) {
    const vel_field *f;
    int64_t n = vel_n_obs(ad);
    VEL_TRY(vel_get(ctx, ad, path, &f));
    if (f->kind != VEL_DENSE || f->ndim != 2 || f->rows != n || (f->type != VEL_F32 && f->type != VEL_F64))
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is no matrix of numbers with a row a cell", path, vel_adata_name(ad));
    if (dims == 0) dims = f->cols;
    if (f->cols < dims)
        return vel_fail(ctx, VEL_ESHAPE,
                        "velocity_graph: more neighbours than are stored are looked for in %lld dimensions, and %s has "
                        "%lld: give basis=pca",
                        (long long)dims, path, (long long)f->cols);
    if (k > n) {
        vel_say(ctx, VEL_WARN, "n_neighbors is cut to the %lld cells that there are", (long long)n);
        k = n;
    }
    int32_t *indices;
    double *distances;
    VEL_TRY(VEL_ALLOC(ctx, indices, n * k));
    VEL_TRY(VEL_ALLOC(ctx, distances, n * k));
    VEL_TRY(vel_knn(ctx, &(vel_cmat){f->data, f->type, n, dims, f->cols, 1}, k, indices, distances));
    vel_distances_room room;
    VEL_TRY(VEL_ALLOC(ctx, room.indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, room.indices, n * (k - 1)));
    VEL_TRY(VEL_ALLOC(ctx, room.values, n * (k - 1)));
    *graph = (vel_csr){n, n, room.indptr, room.indices, room.values, VEL_F64};
    return vel_neighbors_distances(ctx, &(vel_neighbors){n, k, indices, distances}, &room);
}

/* An embedding that is not there is of no account where the stored neighbours do, but then its name may be a slip. */
static vel_err warn_of_embeddings(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o) {
    const char *path;
    bool there = true;
    if (o->basis) VEL_TRY(named_basis(ctx, ad, o, &path, &there));
    if (!there) vel_say(ctx, VEL_WARN, "basis: %s is not there: the stored neighbours are taken", path);
    if (o->approx.kind != VEL_VTEXT) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "obsm/", o->approx.text, "", &path));
    if (!vel_has(ad, path)) vel_say(ctx, VEL_WARN, "approx: %s is not there: the stored neighbours are taken", path);
    return VEL_OK;
}

/* *most: how many of them a cell keeps, 0: all. */
static vel_err distances(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, int64_t *most, vel_csr *graph) {
    int64_t n_neighbors = *most;
    double stored = 0;
    if (vel_entry_of(ad, "uns/neighbors/params/n_neighbors").kind == VEL_DENSE)
        VEL_TRY(vel_get_real(ctx, ad, "uns/neighbors/params/n_neighbors", &stored));
    if (n_neighbors == 0 || (double)n_neighbors <= stored) {
        VEL_TRY(warn_of_embeddings(ctx, ad, o));
        return stored_distances(ctx, ad, graph);
    }
    const char *path;
    *most = 0;
    if (o->approx.kind == VEL_VTEXT) {
        VEL_TRY(vel_path_of(ctx, "obsm/", o->approx.text, "", &path));
        if (vel_has(ad, path)) return search(ctx, ad, path, 0, vel_least(n_neighbors, vel_n_obs(ad)) + 2, graph);
        vel_say(ctx, VEL_WARN, "approx: %s is not there", path);
    }
    VEL_TRY(search_space(ctx, ad, o, &path));
    vel_say(ctx, VEL_INFO, "%lld neighbours are looked for in %s", (long long)n_neighbors, path);
    return search(ctx, ad, path, SEARCH_DIMS, n_neighbors, graph);
}

static vel_err warn_of(vel_ctx *ctx, vel_adata *ad, int64_t count, int64_t first, const char *what) {
    char **names;
    if (!count) return VEL_OK;
    VEL_TRY(vel_obs_names(ctx, ad, &names));
    vel_say(ctx, VEL_WARN, "%lld cells (%s%s) %s", (long long)count, names[first], count > 1 ? ", …" : "", what);
    return VEL_OK;
}

static vel_err inspect(vel_ctx *ctx, vel_adata *ad, const vel_csr *graph, const vel_neighbor_report *r) {
    int64_t most = 0;
    for (int64_t i = 0; i < graph->rows; i++) {
        int64_t count = graph->indptr[i + 1] - graph->indptr[i];
        if (count > most) most = count;
    }
    if (2 * r->k <= most)
        vel_say(ctx, VEL_WARN, "cells have up to %lld neighbours, the fewest %lld: each keeps its %lld nearest",
                (long long)most, (long long)r->k, (long long)r->k);
    VEL_TRY(warn_of(ctx, ad, r->n_lonely, r->first_lonely, "have no stored neighbours and lead nowhere"));
    return warn_of(ctx, ad, r->n_coincident, r->first_coincident,
                   "have all their neighbours at distance 0 (duplicates): the list is kept as it is");
}

/* The UMAP graph of lists of equal length, with the distances as they are left by adding 1e-6 and taking it away. */
static vel_err unite(vel_ctx *ctx, const vel_csr *graph, const vel_neighbor_lists *lists, int64_t k, vel_csr *united) {
    int64_t n = lists->n;
    double *d;
    VEL_TRY(VEL_ALLOC(ctx, d, n * k));
    for (int64_t i = 0; i < n; i++) {
        if (lists->indptr[i + 1] - lists->indptr[i] != k)
            return vel_fail(ctx, VEL_EVALUE,
                            "velocity_graph: mode_neighbors=connectivities needs neighbours of every cell");
        int64_t e = graph->indptr[i];
        for (int64_t r = 0; r < k; r++) {
            while (graph->indices[e] != lists->indices[i * k + r]) e++;
            d[i * k + r] = vel_real_at(graph->type, graph->values, e) + 1e-6 - 1e-6;
        }
    }
    return vel_connectivity(ctx, &(vel_neighbors){n, k, lists->indices, d}, united);
}

/* Its lists, in room for all ties to be of one direction only. What they are made of goes back to the system: it is
 * several times as much. */
static vel_err connected(vel_ctx *ctx, const vel_csr *graph, vel_neighbor_lists *lists, int64_t k) {
    int64_t n = lists->n, *indptr;
    int32_t *indices;
    vel_csr united;
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, 2 * n * k));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(unite(ctx, graph, lists, k, &united));
    memcpy(indptr, united.indptr, (size_t)(n + 1) * sizeof *indptr);
    memcpy(indices, united.indices, (size_t)indptr[n] * sizeof *indices);
    vel_arena_release(ctx->scratch, mark);
    vel_arena_trim(ctx->scratch);
    *lists = (vel_neighbor_lists){n, indptr, indices};
    return VEL_OK;
}

vel_err vel_graph_neighbors(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, vel_neighbor_lists *lists) {
    vel_csr graph;
    vel_neighbor_report report;
    int64_t n_neighbors = vel_graph_count(&o->n_neighbors, 0);
    VEL_TRY(distances(ctx, ad, o, &n_neighbors, &graph));
    VEL_TRY(vel_neighbor_lists_make(ctx, &graph, n_neighbors, lists, &report));
    VEL_TRY(inspect(ctx, ad, &graph, &report));
    return by_connectivities(o) && report.k ? connected(ctx, &graph, lists, report.k) : VEL_OK;
}

/* ---- genes */

static vel_err mark_genes(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, uint8_t **marked) {
    const vel_value *v = &o->gene_subset;
    int64_t n = vel_n_vars(ad);
    const char *path;
    VEL_TRY(VEL_ALLOC(ctx, *marked, n));
    memset(*marked, v->kind != VEL_VLIST, (size_t)n);
    if (v->kind == VEL_VLIST) return vel_mark_genes(ctx, ad, "gene_subset", v, true, *marked);
    if (v->kind == VEL_VTEXT) {
        VEL_TRY(vel_path_of(ctx, "var/", v->text, "", &path));
        return vel_get_bools(ctx, ad, path, n, marked);
    }
    if (!vel_is_none(v))
        return vel_fail(ctx, VEL_EUSAGE,
                        "velocity_graph: gene_subset takes a list of genes or a boolean column of var");
    VEL_TRY(vel_path_of(ctx, "var/", o->vkey, "_genes", &path));
    return vel_has(ad, path) ? vel_get_bools(ctx, ad, path, n, marked) : VEL_OK;
}

vel_err vel_graph_genes(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, int64_t **genes, int64_t *n_genes) {
    uint8_t *marked;
    VEL_TRY(mark_genes(ctx, ad, o, &marked));
    VEL_TRY(VEL_ALLOC(ctx, *genes, vel_n_vars(ad)));
    *n_genes = 0;
    for (int64_t g = 0; g < vel_n_vars(ad); g++)
        if (marked[g]) (*genes)[(*n_genes)++] = g;
    if (*n_genes) return VEL_OK;
    return vel_fail(ctx, VEL_ENONE, "velocity_graph: no gene is left of the %lld of %s: %s marks none",
                    (long long)vel_n_vars(ad), vel_adata_name(ad),
                    vel_is_none(&o->gene_subset) ? "the column of velocity genes" : "gene_subset");
}

vel_err vel_graph_takes_roots(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, bool *roots) {
    const vel_value *v = vel_is_none(&o->sqrt_transform) ? &o->variance_stabilization : &o->sqrt_transform;
    *roots = vel_is_true(v);
    if (!vel_is_none(v)) return VEL_OK;
    const char *path, *mode;
    VEL_TRY(vel_path_of(ctx, "uns/", o->vkey, "_params/mode", &path));
    if (vel_entry_of(ad, path).kind != VEL_TEXTS) return VEL_OK;
    VEL_TRY(vel_get_text(ctx, ad, path, &mode));
    *roots = !strcmp(mode, "stochastic");
    return VEL_OK;
}

/* ---- time points */

/* The reference numbers the K categories of whole numbers m, … from m to K - 1 (so labels that do not begin at 0 lose
 * the last ones), other categories from 0. */
vel_err vel_graph_time(vel_ctx *ctx, vel_adata *ad, const vel_graph_options *o, int32_t **time) {
    const char *path;
    *time = NULL;
    if (!o->tkey) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "obs/", o->tkey, "", &path));
    if (!vel_has(ad, path)) {
        vel_say(ctx, VEL_WARN, "tkey: %s is not there: no time points", path);
        return VEL_OK;
    }
    vel_groups g;
    VEL_TRY(vel_read_groups(ctx, ad, o->tkey, &g));
    const vel_field *f;
    VEL_TRY(vel_get(ctx, ad, path, &f));
    long first = f->kind == VEL_DENSE && g.n_names ? strtol(g.names[0], NULL, 10) : 0;
    VEL_TRY(VEL_ALLOC(ctx, *time, g.n));
    for (int64_t c = 0; c < g.n; c++) {
        long t = g.codes[c] < 0 ? -1 : g.codes[c] + first;
        (*time)[c] = t < g.n_names ? (int32_t)t : -1;
    }
    return VEL_OK;
}
