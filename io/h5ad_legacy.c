/* Listing what anndata wrote before 0.7: obs, var, obsm and varm as one compound dataset each, the categories of a
 * column of obs or var as uns/NAME_categories. */
#include <stdio.h>
#include <string.h>

#include "io/h5ad_impl.h"

static bool is_integer(vel_type type) { return type >= VEL_I8 && type <= VEL_U64; }

static bool is_frame_path(const char *path) {
    return !strcmp(path, "obs") || !strcmp(path, "var") || !strcmp(path, "raw/var");
}

static void set_kind(vel_entry *e, hid_t type) {
    e->origin = vel_h5_type_of(type);
    if (H5Tget_class(type) == H5T_STRING) {
        e->kind = VEL_TEXTS;
        e->encoding = "string-array";
    } else if (H5Tget_class(type) == H5T_ARRAY && H5Tget_array_ndims(type) == 1) {
        H5_OWNED hid_t base = H5Tget_super(type);
        hsize_t cols;
        H5Tget_array_dims2(type, &cols);
        e->origin = vel_h5_type_of(base);
        e->ndim = 2;
        e->cols = (int64_t)cols;
    }
    if (e->origin) e->kind = VEL_DENSE;
    if (__builtin_mul_overflow(e->rows, e->cols, &e->stored)) e->kind = VEL_OTHER;
}

static vel_err find_categories(vel_ctx *ctx, vel_h5ad *h, const char *column, const char **categories) {
    char name[512];
    *categories = NULL;
    int n = snprintf(name, sizeof name, "uns/%s_categories", column);
    if (n < 0 || (size_t)n >= sizeof name || !vel_h5ad_exists(h, name)) return VEL_OK;
    *categories = vel_arena_strdup(h->strings, name);
    return *categories ? VEL_OK : vel_no_memory(ctx, (size_t)n + 1, 1);
}

static vel_err list_member(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, hid_t compound,
                           unsigned number, int64_t rows) {
    H5_OWNED hid_t type = H5Tget_member_type(compound, number);
    char *name = H5Tget_member_name(compound, number);
    if (!name) return vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s has a member without a name", object, h->name);
    const char *kept = vel_arena_strdup(h->strings, name);
    H5free_memory(name);
    if (!kept) return vel_no_memory(ctx, 1, 1);
    bool is_index = is_frame_path(path) && number == 0, may_be_code = !strcmp(path, "obs") || !strcmp(path, "var");
    vel_entry e = {.kind = VEL_OTHER, .ndim = 1, .rows = rows, .cols = 1, .encoding = "array"};
    vel_h5ad_item item = {.object = object, .member = kept, .lies = VEL_LIES_MEMBER};
    VEL_TRY(vel_h5ad_join(ctx, h, path, is_index ? "_index" : kept, &e.path));
    set_kind(&e, type);
    if (may_be_code && e.ndim == 1 && is_integer(e.origin)) VEL_TRY(find_categories(ctx, h, kept, &item.categories));
    if (item.categories) {
        e.kind = VEL_CATEGORICAL;
        e.encoding = "categorical";
        e.origin = VEL_NOTYPE;
    }
    return vel_h5ad_add(ctx, h, &e, &item);
}

vel_err vel_h5ad_list_compound(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) {
    H5_OWNED hid_t dataset = H5Dopen2(h->file, object, H5P_DEFAULT);
    if (dataset < 0) return vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s cannot be opened", object, h->name);
    H5_OWNED hid_t type = H5Dget_type(dataset);
    hsize_t dims[VEL_H5_DIMS];
    if (H5Tget_class(type) != H5T_COMPOUND || vel_h5_shape(dataset, dims) != 1)
        return vel_fail(ctx, VEL_EFORMAT, "%s of %s is neither a group nor a table", object, h->name);
    bool is_frame = is_frame_path(path);
    vel_entry e = {.path = path, .kind = VEL_DICT, .rows = 1, .cols = 1, .stored = 1};
    e.encoding = is_frame ? "dataframe" : "dict";
    vel_h5ad_item item = {.object = object, .lies = is_frame ? VEL_LIES_DATAFRAME : VEL_LIES_GROUP};
    VEL_TRY(vel_h5ad_add(ctx, h, &e, &item));
    int n = H5Tget_nmembers(type);
    for (int i = 0; i < n; i++) VEL_TRY(list_member(ctx, h, path, object, type, (unsigned)i, (int64_t)dims[0]));
    return VEL_OK;
}

/* ---- what moved since */

static void remove_entry(vel_h5ad *h, int64_t i) {
    memmove(h->entries + i, h->entries + i + 1, (size_t)(h->n - i - 1) * sizeof *h->entries);
    memmove(h->items + i, h->items + i + 1, (size_t)(h->n - i - 1) * sizeof *h->items);
    h->n--;
}

static int64_t entry_at(const vel_h5ad *h, const char *path) {
    for (int64_t i = 0; i < h->n; i++)
        if (!strcmp(h->entries[i].path, path)) return i;
    return -1;
}

/* The graph used to lie in uns/neighbors. */
static vel_err move_graph(vel_ctx *ctx, vel_h5ad *h, const char *old, const char *now) {
    int64_t i = entry_at(h, old);
    if (i < 0 || entry_at(h, now) >= 0) return VEL_OK;
    vel_entry e = h->entries[i];
    vel_h5ad_item item = h->items[i];
    if ((e.kind != VEL_SPARSE && e.kind != VEL_DENSE) || e.ndim != 2) return VEL_OK;
    if (e.rows != h->n_obs || e.cols != h->n_obs) return VEL_OK;
    remove_entry(h, i);
    if (entry_at(h, "obsp") < 0) {
        vel_entry parent = {.path = "obsp", .kind = VEL_DICT, .rows = 1, .cols = 1, .stored = 1, .encoding = "dict"};
        VEL_TRY(vel_h5ad_add(ctx, h, &parent, &(vel_h5ad_item){.object = "obsp", .lies = VEL_LIES_GROUP}));
    }
    e.path = now;
    return vel_h5ad_add(ctx, h, &e, &item);
}

vel_err vel_h5ad_modernise(vel_ctx *ctx, vel_h5ad *h) {
    for (int64_t i = 0; i < h->n; i++) { /* categories are part of their column */
        if (h->items[i].lies != VEL_LIES_MEMBER || !h->items[i].categories) continue;
        int64_t at = entry_at(h, h->items[i].categories);
        if (at < 0) continue;
        remove_entry(h, at);
        if (at < i) i--;
    }
    VEL_TRY(move_graph(ctx, h, "uns/neighbors/connectivities", "obsp/connectivities"));
    return move_graph(ctx, h, "uns/neighbors/distances", "obsp/distances");
}
