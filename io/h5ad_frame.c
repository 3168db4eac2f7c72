/* Listing data frames: groups of columns. The index is called _index whatever its name in the file. */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "io/h5ad_impl.h"

static bool is_among(const char *name, char *const *names, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

/* A column called a/b lies in a group a that is no column itself. */
static bool holds_a_column(const char *name, char *const *columns, int64_t n) {
    size_t length = strlen(name);
    for (int64_t i = 0; i < n; i++)
        if (!strncmp(columns[i], name, length) && columns[i][length] == '/') return true;
    return false;
}

static vel_err list_column(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, const char *name,
                           const char *as) {
    const char *column_path, *column;
    VEL_TRY(vel_h5ad_join(ctx, h, path, as, &column_path));
    VEL_TRY(vel_h5ad_join(ctx, h, object, name, &column));
    return vel_h5ad_list_object(ctx, h, column_path, column);
}

/* The columns in their order, then what else lies in the group. */
static vel_err list_columns(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, const char *index,
                            char **order, int64_t n_order) {
    for (int64_t i = 0; i < n_order; i++) {
        const char *column;
        if (!strcmp(order[i], index)) continue;
        VEL_TRY(vel_h5ad_join(ctx, h, object, order[i], &column));
        if (!vel_h5ad_exists(h, column))
            return vel_fail(ctx, VEL_EFORMAT, "%s of %s names a column %s that is not there", path, h->name, order[i]);
        VEL_TRY(list_column(ctx, h, path, object, order[i], order[i]));
    }
    char **names;
    int64_t n;
    VEL_TRY(vel_h5ad_members(ctx, h, object, &names, &n));
    for (int64_t i = 0; i < n; i++) {
        const char *name = names[i];
        if (!strcmp(name, index) || !strcmp(name, "__categories") || is_among(name, order, n_order)) continue;
        if (holds_a_column(name, order, n_order)) continue;
        VEL_TRY(list_column(ctx, h, path, object, name, name));
    }
    return VEL_OK;
}

static vel_err refuse_index(vel_ctx *ctx, const vel_h5ad *h, const char *object, const char *found) {
    enum { SHOWN = 20 };
    vel_text t = vel_text_new(ctx->scratch);
    const char *there;
    char **names;
    int64_t n;
    VEL_TRY(vel_h5ad_members(ctx, h, object, &names, &n));
    for (int64_t i = 0; i < n && i < SHOWN; i++) vel_text_add(&t, "%s%s", i ? ", " : "", names[i]);
    VEL_TRY(vel_text_done(ctx, &t, &there));
    return vel_fail(ctx, VEL_EFORMAT,
                    "attribute _index of %s of %s: expected the name of the column that is the index, found %s; "
                    "%s has: %s%s",
                    object, h->name, found, object, n ? there : "nothing", n > SHOWN ? ", …" : "");
}

/* Which column is the index; tables of before 0.7 do not say it. A table that is not obs or var may lack it. */
static vel_err index_of(vel_ctx *ctx, vel_h5ad *h, const char *object, hid_t group, const char **index) {
    const char *at;
    char *text;
    bool is_needed = !strcmp(object, "obs") || !strcmp(object, "var");
    VEL_TRY(vel_h5_attr_text(ctx, group, "_index", &text));
    *index = text && *text ? text : "_index";
    if (!is_needed || !vel_h5_has_attr(group, "_index")) return VEL_OK;
    if (!text || !*text) return refuse_index(ctx, h, object, text ? "an empty text" : "what is no single text");
    VEL_TRY(vel_h5ad_join(ctx, h, object, text, &at));
    return vel_h5ad_exists(h, at) ? VEL_OK : refuse_index(ctx, h, object, text);
}

vel_err vel_h5ad_list_frame(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) {
    H5_OWNED hid_t group = H5Gopen2(h->file, object, H5P_DEFAULT);
    if (group < 0) return vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s is no group", object, h->name);
    vel_entry e = {.path = path, .kind = VEL_DICT, .rows = 1, .cols = 1, .stored = 1, .encoding = "dataframe"};
    vel_h5ad_item item = {.object = object, .lies = VEL_LIES_DATAFRAME};
    VEL_TRY(vel_h5ad_add(ctx, h, &e, &item));
    const char *index;
    char **order;
    int64_t n;
    VEL_TRY(index_of(ctx, h, object, group, &index));
    VEL_TRY(vel_h5_attr_texts(ctx, group, "column-order", &order, &n));
    const char *at;
    VEL_TRY(vel_h5ad_join(ctx, h, object, index, &at));
    if (vel_h5ad_exists(h, at)) {
        int64_t i = h->n;
        VEL_TRY(list_column(ctx, h, path, object, index, "_index"));
        if (h->entries[i].kind == VEL_DENSE && h->entries[i].ndim == 1) h->entries[i].kind = VEL_TEXTS; /* numbers */
    }
    return list_columns(ctx, h, path, object, index, order, order ? n : 0);
}
