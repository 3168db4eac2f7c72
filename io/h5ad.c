#include "io/h5ad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5_foreign.h"
#include "io/h5ad_impl.h"

/* ---- the store */

static void close_store(void *self) {
    vel_h5ad *h = self;
    if (!h) return;
    vel_h5_close(&h->file);
    vel_arena_free(h->strings);
    free(h->entries);
    free(h->items);
    free(h->order);
    free(h->name);
    free(h);
}

int64_t vel_h5ad_find(const vel_h5ad *h, const char *path) {
    int64_t low = 0, high = h->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = strcmp(h->entries[h->order[middle]].path, path);
        if (order == 0) return h->order[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static vel_pick pick_of(const vel_h5ad *h, const vel_selection *sel, char axis, int64_t otherwise) {
    if (axis == 'o') return (vel_pick){sel->obs, sel->obs ? sel->n_obs : h->n_obs};
    if (axis == 'v') return (vel_pick){sel->var, sel->var ? sel->n_vars : h->n_vars};
    return (vel_pick){NULL, otherwise};
}

/* What rows and columns of a path run along: 'o' cells, 'v' genes, 0 neither. */
static void axes_of(const char *path, char *rows, char *cols) {
    static const struct {
        const char *group;
        char rows, cols;
    } axes[] = {{"X", 'o', 'v'}, {"layers", 'o', 'v'}, {"obs", 'o', 0},    {"obsm", 'o', 0},
                {"var", 'v', 0}, {"varm", 'v', 0},     {"obsp", 'o', 'o'}, {"varp", 'v', 'v'}};
    size_t n = strcspn(path, "/");
    *rows = !strcmp(path, "raw/X") ? 'o' : 0;
    *cols = 0;
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
        if (strlen(axes[k].group) != n || strncmp(path, axes[k].group, n) != 0) continue;
        *rows = axes[k].rows;
        *cols = axes[k].cols;
    }
}

static int64_t length_of(const vel_h5ad *h, char axis, int64_t otherwise) {
    return axis == 'o' ? h->n_obs : axis == 'v' ? h->n_vars : otherwise;
}

vel_err vel_h5ad_source_of(vel_ctx *ctx, const vel_h5ad *h, const char *path, const vel_selection *sel,
                           vel_h5ad_source *s) {
    int64_t i = vel_h5ad_find(h, path);
    if (i < 0) return vel_fail(ctx, VEL_EKEY, "%s is missing in %s", path, h->name);
    const vel_entry *e = &h->entries[i];
    char rows = 0, cols = 0;
    if (e->ndim >= 1) axes_of(path, &rows, &cols);
    if (e->ndim < 2) cols = 0;
    *s = (vel_h5ad_source){h, e, &h->items[i], pick_of(h, sel, rows, e->rows), pick_of(h, sel, cols, e->cols)};
    int64_t need_rows = length_of(h, rows, e->rows), need_cols = length_of(h, cols, e->cols);
    if (e->rows == need_rows && e->cols == need_cols) return VEL_OK;
    return vel_fail(ctx, VEL_ESHAPE, "%s of %s is %lld x %lld, expected %lld x %lld", path, h->name, (long long)e->rows,
                    (long long)e->cols, (long long)need_rows, (long long)need_cols);
}

static vel_err read_store(vel_ctx *ctx, void *self, const char *path, const vel_selection *sel, vel_field *out) {
    vel_h5ad_source s;
    VEL_TRY(vel_h5ad_source_of(ctx, self, path, sel, &s));
    vel_err e = vel_h5ad_read(ctx, &s, out);
    if (e) vel_field_free(out);
    return e;
}

const vel_h5ad *vel_h5ad_of(const vel_adata *ad) {
    const vel_store *store = vel_store_of(ad);
    return store && store->close == close_store ? store->self : NULL;
}

/* ---- opening */

static int64_t length_from(const vel_h5ad *h, const char *index, const char *group, const char *matrices,
                           bool columns) {
    int64_t at = -1;
    for (int64_t i = 0; i < h->n; i++) {
        const vel_entry *e = &h->entries[i];
        if (!strcmp(e->path, index) && e->ndim == 1) return e->rows;
        bool in_group = !strncmp(e->path, group, strlen(group)) && e->ndim >= 1;
        if (in_group && at < 0) at = e->rows;
    }
    for (int64_t i = 0; i < h->n && at < 0; i++) {
        const vel_entry *e = &h->entries[i];
        if (vel_is_layer(e->path) && e->ndim == 2) at = columns ? e->cols : e->rows;
        if (!strncmp(e->path, matrices, strlen(matrices)) && e->ndim >= 1) at = e->rows;
    }
    return at;
}

static bool has_entry(const vel_h5ad *h, const char *path) {
    for (int64_t i = 0; i < h->n; i++)
        if (!strcmp(h->entries[i].path, path)) return true;
    return false;
}

static vel_err find_shape(vel_ctx *ctx, vel_h5ad *h) {
    h->n_obs = length_from(h, "obs/_index", "obs/", "obsm/", false);
    h->n_vars = length_from(h, "var/_index", "var/", "varm/", true);
    if (h->n_obs >= 0 && h->n_vars >= 0 && has_entry(h, "obs") && has_entry(h, "var")) return VEL_OK;
    char found[400] = "";
    size_t used = 0;
    for (int64_t i = 0; i < h->n && used < sizeof found; i++)
        if (!strchr(h->entries[i].path, '/'))
            used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", used ? ", " : "", h->entries[i].path);
    return vel_fail(ctx, VEL_EFORMAT, "%s is HDF5, but no AnnData: expected obs and var, found %s%s", h->name,
                    found[0] ? found : "nothing", vel_foreign_hdf5(h->file));
}

static int by_path(const void *a, const void *b, void *entries) {
    const vel_entry *e = entries;
    return strcmp(e[*(const int64_t *)a].path, e[*(const int64_t *)b].path);
}

static vel_err sort_entries(vel_ctx *ctx, vel_h5ad *h) {
    VEL_TRY(vel_own(ctx, h->n, sizeof *h->order, &h->order));
    for (int64_t i = 0; i < h->n; i++) h->order[i] = i;
    qsort_r(h->order, (size_t)h->n, sizeof *h->order, by_path, h->entries);
    return VEL_OK;
}

static vel_err fill_store(vel_ctx *ctx, const char *file, vel_h5ad *h) {
    h->name = strdup(file);
    h->strings = vel_arena_new();
    if (!h->name || !h->strings) return vel_no_memory(ctx, 1, 1);
    VEL_TRY(vel_h5_open(ctx, file, &h->file));
    VEL_TRY(vel_h5ad_list(ctx, h));
    VEL_TRY(find_shape(ctx, h));
    VEL_TRY(vel_h5ad_modernise(ctx, h));
    return sort_entries(ctx, h);
}

vel_err vel_h5ad_open(vel_ctx *ctx, const char *file, vel_adata **ad) {
    *ad = NULL;
    vel_h5ad *h;
    VEL_TRY(vel_own(ctx, 1, sizeof *h, &h));
    h->file = -1;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = fill_store(ctx, file, h);
    vel_arena_release(ctx->scratch, mark);
    if (e) {
        close_store(h);
        return e;
    }
    vel_store store = {h, h->name, h->n_obs, h->n_vars, h->entries, h->n, read_store, close_store};
    return vel_adata_open(ctx, &store, ad);
}
