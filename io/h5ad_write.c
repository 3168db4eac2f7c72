/* Writing a handle: groups, then fields in the file's order, then what data frames say of their columns. */
#include <string.h>

#include "core/text.h"
#include "io/h5ad_impl.h"
#include "io/output.h"

/* ---- where a field goes */

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* An index keeps its name in the file. */
static vel_err object_of(vel_ctx *ctx, const vel_h5ad *from, const char *path, const char **object) {
    *object = path;
    int64_t i = from && !strcmp(last_part(path), "_index") ? vel_h5ad_find(from, path) : -1;
    if (i < 0 || from->items[i].lies == VEL_LIES_MEMBER) return VEL_OK;
    const char *name = last_part(from->items[i].object);
    size_t group = (size_t)(last_part(path) - path), n = strlen(name) + 1;
    char *made = vel_arena_alloc(ctx->scratch, group + n, 1);
    if (!made) return vel_no_memory(ctx, group + n, 1);
    memcpy(made, path, group);
    memcpy(made + group, name, n);
    *object = made;
    return VEL_OK;
}

/* ---- groups */

vel_err vel_h5ad_mark(vel_ctx *ctx, hid_t object, const char *encoding) {
    static const struct {
        const char *encoding, *version;
    } rows[] = {
        {"dict", "0.1.0"},   {"csr_matrix", "0.1.0"},       {"csc_matrix", "0.1.0"},       {"anndata", "0.1.0"},
        {"raw", "0.1.0"},    {"nullable-integer", "0.1.0"}, {"nullable-boolean", "0.1.0"}, {"dataframe", "0.2.0"},
        {"array", "0.2.0"},  {"string-array", "0.2.0"},     {"categorical", "0.2.0"},      {"numeric-scalar", "0.2.0"},
        {"string", "0.2.0"}, {"rec-array", "0.2.0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].encoding, encoding) != 0) continue;
        VEL_TRY(vel_h5_put_text(ctx, object, "encoding-type", encoding));
        return vel_h5_put_text(ctx, object, "encoding-version", rows[i].version);
    }
    return VEL_OK;
}

static vel_err make_group(vel_ctx *ctx, const vel_h5ad_output *out, const char *path, const char *encoding) {
    if (H5Lexists(out->file, path, H5P_DEFAULT) > 0) return VEL_OK;
    H5_OWNED hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5_OWNED hid_t group = H5Gcreate2(out->file, path, links, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return vel_h5_fail(ctx, VEL_EWRITE, "%s of %s cannot be written", path, out->name);
    return vel_h5ad_mark(ctx, group, encoding);
}

static vel_err make_standard_groups(vel_ctx *ctx, const vel_h5ad_output *out) {
    static const char *const dicts[] = {"layers", "obsm", "varm", "obsp", "varp", "uns"};
    H5_OWNED hid_t root = H5Gopen2(out->file, "/", H5P_DEFAULT);
    VEL_TRY(vel_h5ad_mark(ctx, root, "anndata"));
    VEL_TRY(make_group(ctx, out, "obs", "dataframe"));
    VEL_TRY(make_group(ctx, out, "var", "dataframe"));
    for (size_t i = 0; i < sizeof dicts / sizeof *dicts; i++) VEL_TRY(make_group(ctx, out, dicts[i], "dict"));
    return VEL_OK;
}

/* ---- data frames: the names of their columns, in the file's order, then the new ones */

typedef struct {
    const char *frame;
    const char **columns, **old; /* old: what the file's own column-order has; NULL: there is none */
    int64_t n, n_old;
} frame_list;

static bool is_listed(const frame_list *list, const char *column) {
    if (!list->old) return true;
    for (int64_t i = 0; i < list->n_old; i++)
        if (!strcmp(list->old[i], column)) return true;
    return false;
}

static vel_err note_column(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)ctx;
    frame_list *list = arg;
    size_t n = strlen(list->frame);
    if (strncmp(path, list->frame, n) != 0 || path[n] != '/' || !strcmp(path + n + 1, "_index")) return VEL_OK;
    if (vel_entry_of(ad, path).kind == VEL_DICT) return VEL_OK;
    if (!vel_is_changed(ad, path) && !is_listed(list, path + n + 1)) return VEL_OK;
    if (list->columns) list->columns[list->n] = path + n + 1;
    list->n++;
    return VEL_OK;
}

static vel_err old_order(vel_ctx *ctx, const vel_h5ad *from, frame_list *list) {
    int64_t i = from ? vel_h5ad_find(from, list->frame) : -1;
    if (i < 0) return VEL_OK;
    H5_OWNED hid_t group = H5Gopen2(from->file, from->items[i].object, H5P_DEFAULT);
    if (group < 0) {
        H5Eclear2(H5E_DEFAULT);
        return VEL_OK;
    }
    char **texts;
    VEL_TRY(vel_h5_attr_texts(ctx, group, "column-order", &texts, &list->n_old));
    list->old = (const char **)texts;
    return VEL_OK;
}

static vel_err finish_frame(vel_ctx *ctx, const vel_h5ad_output *out, const char *frame) {
    frame_list list = {.frame = frame};
    VEL_TRY(old_order(ctx, out->from, &list));
    VEL_TRY(vel_each(ctx, out->ad, note_column, &list));
    VEL_TRY(VEL_ALLOC(ctx, list.columns, list.n));
    list.n = 0;
    VEL_TRY(vel_each(ctx, out->ad, note_column, &list));
    const char *index, *object;
    VEL_TRY(vel_path_of(ctx, frame, "/_index", "", &index));
    VEL_TRY(object_of(ctx, out->from, index, &object));
    H5_OWNED hid_t group = H5Gopen2(out->file, frame, H5P_DEFAULT);
    VEL_TRY(vel_h5_put_text(ctx, group, "_index", last_part(object)));
    return vel_h5_put_texts(ctx, group, "column-order", list.columns, list.n);
}

/* ---- everything */

static bool is_frame(const vel_entry *e) {
    if (e->kind != VEL_DICT) return false;
    return !strcmp(e->encoding, "dataframe") || !strcmp(e->path, "obs") || !strcmp(e->path, "var");
}

static const char *group_word(const vel_entry *e) {
    return is_frame(e) ? "dataframe" : !strcmp(e->path, "raw") ? "raw" : "dict";
}

static vel_err write_one(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    const vel_h5ad_output *out = arg;
    VEL_TRY(vel_poll(ctx));
    vel_entry e = vel_entry_of(ad, path);
    if (e.kind == VEL_DICT) return make_group(ctx, out, path, group_word(&e));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    const vel_field *f;
    const char *object;
    vel_err err = object_of(ctx, out->from, path, &object);
    if (!err && (!out->from || vel_is_changed(ad, path))) {
        err = vel_get(ctx, ad, path, &f);
        if (!err) err = vel_h5ad_write_field(ctx, out, path, object, f);
    } else if (!err) {
        err = vel_h5ad_carry(ctx, out, path, object);
    }
    vel_release_tiles(ctx, mark);
    return err;
}

static vel_err finish_one(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    vel_entry e = vel_entry_of(ad, path);
    if (!is_frame(&e)) return VEL_OK;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err err = finish_frame(ctx, arg, path);
    vel_arena_release(ctx->scratch, mark);
    return err;
}

static vel_err write_all(vel_ctx *ctx, vel_h5ad_output *out) {
    char **names;
    if (!vel_has(out->ad, "obs/_index")) VEL_TRY(vel_obs_names(ctx, out->ad, &names)); /* so that there are any */
    if (!vel_has(out->ad, "var/_index")) VEL_TRY(vel_var_names(ctx, out->ad, &names));
    VEL_TRY(make_standard_groups(ctx, out));
    VEL_TRY(vel_each(ctx, out->ad, write_one, out));
    return vel_each(ctx, out->ad, finish_one, out);
}

static vel_err write_file(vel_ctx *ctx, vel_h5ad_output *out, const char *temporary) {
    VEL_TRY(vel_h5_create(ctx, temporary, &out->file));
    vel_err e = write_all(ctx, out);
    if (!e && H5Fflush(out->file, H5F_SCOPE_LOCAL) < 0)
        e = vel_h5_fail(ctx, VEL_EWRITE, "%s cannot be written", out->name);
    if (e) vel_h5_abandon(out->file);
    if (H5Fclose(out->file) < 0 && !e) e = vel_h5_fail(ctx, VEL_EWRITE, "%s cannot be written", out->name);
    H5Eclear2(H5E_DEFAULT);
    return e;
}

vel_err vel_h5ad_write(vel_ctx *ctx, vel_adata *ad, const char *file) {
    return vel_h5ad_write_packed(ctx, ad, file, &(vel_packing){VEL_PLAIN, 0});
}

vel_err vel_h5ad_write_packed(vel_ctx *ctx, vel_adata *ad, const char *file, const vel_packing *packing) {
    vel_output out;
    vel_h5ad_output into = {.ad = ad, .from = vel_h5ad_of(ad), .file = -1, .name = file, .packing = packing};
    vel_err e = vel_output_begin(ctx, file, &out);
    if (!e) e = write_file(ctx, &into, out.temporary);
    if (!e) e = vel_poll(ctx);
    if (!e) e = vel_output_commit(ctx, &out);
    vel_output_end(&out);
    return e;
}
