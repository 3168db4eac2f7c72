#include "pipelines/graph.h"

#include <math.h>
#include <string.h>

#include "core/field.h"
#include "core/sort.h"
#include "core/text.h"

static bool is_matrix(const vel_adata *ad, const char *path) {
    vel_kind kind = vel_entry_of(ad, path).kind;
    return kind == VEL_SPARSE || kind == VEL_DENSE;
}

bool vel_has_graph(const vel_adata *ad) {
    return vel_has(ad, "uns/neighbors") || vel_has(ad, "obsp/connectivities") || vel_has(ad, "obsp/distances");
}

/* The path that the file has for a mode, NULL if none: the obsp key that uns/neighbors names, obsp/MODE, or the matrix
 * in uns/neighbors itself, as files before anndata 0.7 have it. */
static vel_err find(vel_ctx *ctx, vel_adata *ad, const char *mode, const char **path) {
    const char *named, *key, *legacy, *own;
    VEL_TRY(vel_path_of(ctx, "uns/neighbors/", mode, "", &legacy));
    VEL_TRY(vel_path_of(ctx, legacy, "_key", "", &named));
    VEL_TRY(vel_path_of(ctx, "obsp/", mode, "", &own));
    *path = NULL;
    if (vel_entry_of(ad, named).kind == VEL_TEXTS) {
        VEL_TRY(vel_get_text(ctx, ad, named, &key));
        VEL_TRY(vel_path_of(ctx, "obsp/", key, "", path));
        if (is_matrix(ad, *path)) return VEL_OK;
    }
    *path = is_matrix(ad, own) ? own : is_matrix(ad, legacy) ? legacy : NULL;
    return VEL_OK;
}

vel_err vel_graph_path(vel_ctx *ctx, vel_adata *ad, const char *mode, const char **path) {
    VEL_TRY(find(ctx, ad, mode, path));
    if (*path) return VEL_OK;
    const char *other = strcmp(mode, "distances") ? "distances" : "connectivities";
    VEL_TRY(find(ctx, ad, other, path));
    if (!*path)
        return vel_fail(ctx, VEL_EKEY, "%s has no neighbour graph: neither obsp/connectivities nor obsp/distances",
                        vel_adata_name(ad));
    return VEL_OK;
}

/* ---- the matrix, whatever its storage */

static vel_err dense_to_csr(vel_ctx *ctx, const vel_field *f, vel_csr *graph) {
    int64_t n = f->rows, stored = 0, *indptr;
    int32_t *indices;
    double *values;
    for (int64_t e = 0; e < n * f->cols; e++) stored += vel_field_real(f, e) != 0;
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, stored));
    VEL_TRY(VEL_ALLOC(ctx, values, stored));
    indptr[0] = 0;
    for (int64_t i = 0, at = 0; i < n; indptr[++i] = at)
        for (int64_t j = 0; j < f->cols; j++) {
            double v = vel_field_real(f, i * f->cols + j);
            if (v == 0) continue;
            indices[at] = (int32_t)j;
            values[at++] = v;
        }
    *graph = (vel_csr){n, f->cols, indptr, indices, values, VEL_F64};
    return VEL_OK;
}

vel_err vel_read_graph(vel_ctx *ctx, vel_adata *ad, const char *mode, vel_csr *graph) {
    const char *path;
    const vel_field *f;
    VEL_TRY(vel_graph_path(ctx, ad, mode, &path));
    VEL_TRY(vel_get(ctx, ad, path, &f));
    const char *own;
    VEL_TRY(find(ctx, ad, mode, &own));
    if (!own) vel_say(ctx, VEL_WARN, "there are no %s: the neighbours are taken from %s", mode, path);
    int64_t n = vel_n_obs(ad);
    if (f->rows != n || f->cols != n)
        return vel_fail(ctx, VEL_ESHAPE, "%s of %s is %lld x %lld, expected %lld x %lld", path, vel_adata_name(ad),
                        (long long)f->rows, (long long)f->cols, (long long)n, (long long)n);
    if (f->kind == VEL_DENSE) return dense_to_csr(ctx, f, graph);
    *graph = (vel_csr){n, n, f->indptr, f->indices, f->data, f->type};
    return VEL_OK;
}

/* ---- fewer neighbours than the graph has */

static double weight(const vel_csr *g, int64_t e) { return vel_real_at(g->type, g->values, e); }

/* Entries > 0 of row i: their sort keys (the best lowest) and their number. */
static int64_t row_keys(const vel_csr *g, int64_t i, bool largest, double *key, int64_t *entry) {
    int64_t k = 0;
    for (int64_t e = g->indptr[i]; e < g->indptr[i + 1]; e++) {
        double w = weight(g, e);
        if (!(w > 0)) continue;
        key[k] = largest ? -w : w;
        entry[k++] = e;
    }
    return k;
}

static int64_t longest_row(const vel_csr *g) {
    int64_t most = 0;
    for (int64_t i = 0; i < g->rows; i++) {
        int64_t k = g->indptr[i + 1] - g->indptr[i];
        if (k > most) most = k;
    }
    return most;
}

static int64_t fewest_neighbors(const vel_csr *g) {
    int64_t fewest = INT64_MAX;
    for (int64_t i = 0; i < g->rows; i++) {
        int64_t k = 0;
        for (int64_t e = g->indptr[i]; e < g->indptr[i + 1]; e++) k += weight(g, e) > 0;
        if (k < fewest) fewest = k;
    }
    return fewest;
}

/* The best `most` entries of each row (or as many as the poorest row has), columns ascending: a bare pattern. Ties go
 * to the lower column. Reference: scvelo 0.3.4, select_connectivities and select_distances. */
static vel_err select_best(vel_ctx *ctx, const vel_csr *g, bool largest, int64_t most, vel_csr *best) {
    int64_t longest = longest_row(g), fewest = fewest_neighbors(g), at = 0;
    if (most > fewest) most = fewest;
    double *key;
    int64_t *entry, *order, *work, *indptr;
    int32_t *indices;
    uint8_t *chosen;
    VEL_TRY(VEL_ALLOC(ctx, key, longest));
    VEL_TRY(VEL_ALLOC(ctx, entry, longest));
    VEL_TRY(VEL_ALLOC(ctx, order, longest));
    VEL_TRY(VEL_ALLOC(ctx, work, longest));
    VEL_TRY(VEL_ALLOC(ctx, chosen, longest));
    VEL_TRY(VEL_ALLOC(ctx, indptr, g->rows + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, g->rows * most));
    for (int64_t i = 0; i < g->rows; i++) {
        indptr[i] = at;
        int64_t k = row_keys(g, i, largest, key, entry);
        vel_argsort_f64(key, k, order, work);
        memset(chosen, 0, (size_t)k);
        for (int64_t r = 0; r < k && r < most; r++) chosen[order[r]] = 1;
        for (int64_t r = 0; r < k; r++)
            if (chosen[r]) indices[at++] = g->indices[entry[r]];
    }
    indptr[g->rows] = at;
    *best = (vel_csr){g->rows, g->cols, indptr, indices, NULL, VEL_F32};
    return VEL_OK;
}

static vel_err stored_neighbors(vel_ctx *ctx, vel_adata *ad, double *stored) {
    const char *path = "uns/neighbors/params/n_neighbors";
    *stored = 0;
    return vel_entry_of(ad, path).kind == VEL_DENSE ? vel_get_real(ctx, ad, path, stored) : VEL_OK;
}

/* The graph, or the best n_neighbors of each of its rows if it has more. */
static vel_err read_best(vel_ctx *ctx, vel_adata *ad, const char *mode, int64_t n_neighbors, vel_csr *best) {
    vel_csr graph;
    double stored;
    VEL_TRY(vel_read_graph(ctx, ad, mode, &graph));
    VEL_TRY(stored_neighbors(ctx, ad, &stored));
    *best = graph;
    if (n_neighbors <= 0 || (double)n_neighbors >= stored) return VEL_OK;
    return select_best(ctx, &graph, strcmp(mode, "distances") != 0, n_neighbors, best);
}

vel_err vel_read_average(vel_ctx *ctx, vel_adata *ad, const char *mode, int64_t n_neighbors, vel_average *avg) {
    vel_csr best;
    VEL_TRY(read_best(ctx, ad, mode, n_neighbors, &best));
    return vel_average_make(ctx, &best, avg);
}

vel_err vel_read_around(vel_ctx *ctx, vel_adata *ad, const char *mode, int64_t n_neighbors, vel_around *around) {
    vel_csr best;
    VEL_TRY(read_best(ctx, ad, mode, n_neighbors, &best));
    return vel_around_make(ctx, &best, around);
}
