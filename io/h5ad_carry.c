/* Carrying over what nobody changed: copied as it is where nothing is cut, cut on the way where something is, brought
 * to today's encoding where it is of an older one. */
#include <string.h>

#include "io/h5_filters.h"
#include "io/h5_lengths.h"
#include "io/h5_room.h"
#include "io/h5ad_impl.h"

static vel_err cannot(vel_ctx *ctx, const vel_h5ad_output *out, const char *path) {
    return vel_h5_fail(ctx, VEL_EWRITE, "%s cannot be carried over from %s to %s", path, out->from->name, out->name);
}

/* ---- attributes */

static vel_err copy_attribute(vel_ctx *ctx, hid_t from, hid_t to, const char *name) {
    H5_OWNED hid_t source = H5Aopen(from, name, H5P_DEFAULT);
    H5_OWNED hid_t type = H5Aget_type(source), space = H5Aget_space(source);
    if (type < 0 || space < 0 || H5Tdetect_class(type, H5T_REFERENCE) > 0) return VEL_OK; /* leads nowhere now */
    if (vel_h5_has_attr(to, name)) return VEL_OK;
    H5_OWNED hid_t made = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made < 0) return vel_h5_fail(ctx, VEL_EWRITE, "attribute %s cannot be written", name);
    hssize_t n = H5Sget_simple_extent_type(space) == H5S_NULL ? 0 : H5Sget_simple_extent_npoints(space);
    if (n <= 0) return VEL_OK;
    VEL_TRY(vel_h5_check_lengths(ctx, source));
    void *bytes = vel_arena_zalloc(ctx->scratch, (size_t)n, H5Tget_size(type));
    if (!bytes) return vel_no_memory(ctx, (size_t)n, H5Tget_size(type));
    bool good = H5Aread(source, type, bytes) >= 0 && H5Awrite(made, type, bytes) >= 0;
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes);
    return good ? VEL_OK : vel_h5_fail(ctx, VEL_EWRITE, "attribute %s cannot be carried over", name);
}

typedef struct {
    vel_ctx *ctx;
    hid_t to;
    vel_err err;
} attribute_copy;

static herr_t visit_attribute(hid_t from, const char *name, const H5A_info_t *info, void *arg) {
    (void)info;
    attribute_copy *copy = arg;
    copy->err = copy_attribute(copy->ctx, from, copy->to, name);
    return copy->err != VEL_OK;
}

vel_err vel_h5ad_copy_attributes(vel_ctx *ctx, hid_t from, hid_t to) {
    attribute_copy copy = {ctx, to, VEL_OK};
    hsize_t at = 0;
    if (H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &at, visit_attribute, &copy) < 0)
        return vel_h5_fail(ctx, VEL_EREAD, "attributes cannot be listed");
    return copy.err;
}

/* ---- encodings of before: an object that has none is told what it is */

static vel_err mark_sparse(vel_ctx *ctx, hid_t group, const vel_h5ad_source *s, int64_t rows, int64_t cols) {
    bool is_old = vel_h5_has_attr(group, "h5sparse_format");
    if (is_old) {
        H5Adelete(group, "h5sparse_format");
        H5Adelete(group, "h5sparse_shape");
        VEL_TRY(vel_h5ad_mark(ctx, group, s->item->lies == VEL_LIES_COLUMNS ? "csc_matrix" : "csr_matrix"));
    }
    if (!is_old && rows == s->entry->rows && cols == s->entry->cols) return VEL_OK;
    return vel_h5_put_ints(ctx, group, "shape", (int64_t[]){rows, cols}, 2);
}

static vel_err mark(vel_ctx *ctx, const vel_h5ad_output *out, const char *object, const vel_h5ad_source *s) {
    if (!strncmp(object, "uns/", 4)) return VEL_OK; /* anndata reads old and new there, each in its way */
    H5_OWNED hid_t made = H5Oopen(out->file, object, H5P_DEFAULT);
    if (made < 0) return cannot(ctx, out, object);
    if (s->entry->kind == VEL_SPARSE) return mark_sparse(ctx, made, s, s->rows.k, s->cols.k);
    if (s->entry->kind == VEL_OTHER || vel_h5_has_attr(made, "encoding-type")) return VEL_OK;
    return vel_h5ad_mark(ctx, made, s->entry->encoding);
}

/* ---- as it is */

static vel_err open_or_make(vel_ctx *ctx, const vel_h5ad_output *out, const char *object, hid_t *group) {
    H5_OWNED hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    *group = H5Gcreate2(out->file, object, links, H5P_DEFAULT, H5P_DEFAULT);
    return *group >= 0 ? VEL_OK : cannot(ctx, out, object);
}

static vel_err leave_out(vel_ctx *ctx, const vel_h5ad_output *out, const char *from) {
    H5Eclear2(H5E_DEFAULT);
    vel_say(ctx, VEL_WARN, "%s of %s leads nowhere and is left out", from, out->from->name);
    return VEL_OK;
}

/* A link that leads nowhere stays one. */
static vel_err copy_link(vel_ctx *ctx, const vel_h5ad_output *out, const char *from, const char *object) {
    H5_OWNED hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (vel_h5ad_move_link(out, from, object, links)) return VEL_OK;
    if (H5Lcopy(out->from->file, from, out->file, object, links, H5P_DEFAULT) >= 0) return VEL_OK;
    return leave_out(ctx, out, from);
}

/* HDF5 1.10's H5Ocopy writes beyond its buffer when variable-length elements are compressed, and puts the time of the
 * day into the copy of a dataset that keeps times: the same input would not give the same bytes. */
static bool is_copied_badly(hid_t dataset) {
    H5_OWNED hid_t type = H5Dget_type(dataset), list = H5Dget_create_plist(dataset);
    hbool_t keeps_times = false;
    H5Pget_obj_track_times(list, &keeps_times);
    return keeps_times || (vel_h5_holds_pointers(type) && H5Pget_nfilters(list) > 0);
}

/* What HDF5 copies, it reads. */
static vel_err check_lengths(vel_ctx *ctx, hid_t source) {
    if (H5Iget_type(source) == H5I_DATASET) VEL_TRY(vel_h5_check_lengths(ctx, source));
    return vel_h5_check_attributes(ctx, source);
}

static vel_err copy_object(vel_ctx *ctx, const vel_h5ad_output *out, const char *from, const char *object,
                           const vel_h5ad_trail *up);

static vel_err copy_member(vel_ctx *ctx, const vel_h5ad_output *out, const char *from, const char *object,
                           const char *name, const vel_h5ad_trail *up) {
    const char *member_from, *member;
    VEL_TRY(vel_h5_join(ctx, from, name, &member_from));
    VEL_TRY(vel_h5_join(ctx, object, name, &member));
    VEL_TRY(vel_poll(ctx));
    return copy_object(ctx, out, member_from, member, up);
}

static vel_err copy_members(vel_ctx *ctx, const vel_h5ad_output *out, hid_t group, const char *from, const char *object,
                            const vel_h5ad_trail *up) {
    vel_h5ad_trail here;
    if (!vel_h5ad_enter(group, up, &here)) return leave_out(ctx, out, from);
    H5_OWNED hid_t made = -1;
    char **names;
    int64_t n;
    VEL_TRY(open_or_make(ctx, out, object, &made));
    VEL_TRY(vel_h5ad_copy_attributes(ctx, group, made));
    VEL_TRY(vel_h5ad_members(ctx, out->from, from, &names, &n));
    for (int64_t i = 0; i < n; i++) {
        vel_mark mark = vel_arena_mark(ctx->scratch);
        vel_err e = copy_member(ctx, out, from, object, names[i], &here);
        vel_arena_release(ctx->scratch, mark);
        VEL_TRY(e);
    }
    return VEL_OK;
}

static vel_err copy_object(vel_ctx *ctx, const vel_h5ad_output *out, const char *from, const char *object,
                           const vel_h5ad_trail *up) {
    if (!vel_h5ad_exists(out->from, from) || vel_h5ad_is_link(ctx, out->from, from))
        return copy_link(ctx, out, from, object);
    H5_OWNED hid_t source = -1;
    VEL_TRY(vel_h5ad_open_object(ctx, out->from, from, &source));
    if (H5Iget_type(source) == H5I_GROUP) return copy_members(ctx, out, source, from, object, up);
    hsize_t dims[VEL_H5_DIMS];
    if (H5Iget_type(source) == H5I_DATASET && vel_h5_shape(source, dims) > 0 && is_copied_badly(source))
        return vel_h5ad_cut_dataset(ctx, out, source, &(vel_pick){NULL, (int64_t)dims[0]}, NULL, out->file, object);
    H5_OWNED hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    VEL_TRY(check_lengths(ctx, source));
    VEL_TRY(vel_h5_make_room(ctx, out->file, out->name, source));
    if (H5Ocopy(out->from->file, from, out->file, object, H5P_DEFAULT, links) < 0) return cannot(ctx, out, object);
    return VEL_OK;
}

/* ---- cut */

/* Codes and categories, values and mask: what is as long as the column is cut. */
static vel_err cut_column(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, hid_t from,
                          const char *object) {
    static const char *const parts[] = {"codes", "values", "mask", "categories"};
    H5_OWNED hid_t group = -1;
    VEL_TRY(open_or_make(ctx, out, object, &group));
    VEL_TRY(vel_h5ad_copy_attributes(ctx, from, group));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (H5Lexists(from, parts[i], H5P_DEFAULT) <= 0) continue;
        H5_OWNED hid_t part = H5Dopen2(from, parts[i], H5P_DEFAULT);
        hsize_t dims[VEL_H5_DIMS];
        if (part < 0 || vel_h5_shape(part, dims) != 1) return cannot(ctx, out, object);
        const vel_pick all = {NULL, (int64_t)dims[0]};
        const vel_pick *pick = strcmp(parts[i], "categories") ? &s->rows : &all;
        VEL_TRY(vel_h5ad_cut_dataset(ctx, out, part, pick, NULL, group, parts[i]));
    }
    return VEL_OK;
}

static vel_err cut_sparse(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, hid_t from,
                          const char *object) {
    H5_OWNED hid_t group = -1;
    VEL_TRY(open_or_make(ctx, out, object, &group));
    VEL_TRY(vel_h5ad_copy_attributes(ctx, from, group));
    return vel_h5ad_cut_sparse(ctx, out, s, from, group);
}

static vel_err cut(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, const char *object) {
    H5_OWNED hid_t from = -1;
    VEL_TRY(vel_h5ad_open_object(ctx, s->h, s->item->object, &from));
    switch (s->item->lies) {
        case VEL_LIES_ROWS:
        case VEL_LIES_COLUMNS:
            return cut_sparse(ctx, out, s, from, object);
        case VEL_LIES_CATEGORICAL:
        case VEL_LIES_NULLABLE:
            return cut_column(ctx, out, s, from, object);
        default:
            return vel_h5ad_cut_dataset(ctx, out, from, &s->rows, &s->cols, out->file, object);
    }
}

/* ---- which of these */

static bool is_axis_field(const char *path) {
    static const char *const groups[] = {"layers", "obs", "obsm", "obsp", "var", "varm", "varp", "X"};
    size_t n = strcspn(path, "/");
    if (!strcmp(path, "raw/X")) return true;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strlen(groups[i]) == n && !strncmp(groups[i], path, n)) return true;
    return false;
}

/* Strings of anndata 0.13 (values and mask) can be read by older ones if none is missing; and what lies in ways that
 * only old ones know is written anew. */
static bool is_rewritten(const vel_h5ad_source *s) {
    vel_lies lies = s->item->lies;
    bool is_new_text = lies == VEL_LIES_NULLABLE && s->entry->kind == VEL_TEXTS;
    return is_new_text || lies == VEL_LIES_OLD_CATEGORICAL || lies == VEL_LIES_MEMBER;
}

static bool has_gaps(const vel_field *f) {
    for (int64_t i = 0; f->kind == VEL_TEXTS && i < f->rows; i++)
        if (!f->texts[i]) return true;
    return false;
}

static bool is_odd_part(hid_t group, const char *name, bool is_index) {
    H5_OWNED hid_t part = H5Dopen2(group, name, H5P_DEFAULT);
    if (part < 0) return false;
    H5_OWNED hid_t type = H5Dget_type(part);
    return vel_h5_is_big_endian(type) || (is_index && H5Tget_sign(type) == H5T_SGN_NONE);
}

/* Sparse matrices that scipy cannot hold: big-endian values, unsigned indices. */
static bool is_odd_sparse(const vel_h5ad_source *s) {
    if (s->entry->kind != VEL_SPARSE) return false;
    H5_OWNED hid_t group = H5Gopen2(s->h->file, s->item->object, H5P_DEFAULT);
    return group >= 0 && (is_odd_part(group, "data", false) || is_odd_part(group, "indices", true) ||
                          is_odd_part(group, "indptr", true));
}

static vel_err carry_as_is(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, const char *object) {
    if (s->rows.index || s->cols.index || is_odd_sparse(s))
        VEL_TRY(cut(ctx, out, s, object));
    else
        VEL_TRY(copy_object(ctx, out, s->item->object, object, NULL));
    return mark(ctx, out, object, s);
}

static vel_err rewrite(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, const char *object) {
    vel_field f = {.kind = VEL_ABSENT};
    vel_err e = vel_h5ad_read(ctx, s, &f);
    if (!e)
        e = has_gaps(&f) ? carry_as_is(ctx, out, s, object)
                         : vel_h5ad_write_field(ctx, out, s->entry->path, object, &f);
    vel_field_free(&f);
    return e;
}

static vel_err carry(vel_ctx *ctx, const vel_h5ad_output *out, const char *path, const char *object) {
    int64_t i = vel_h5ad_find(out->from, path);
    if (i < 0) return vel_fail(ctx, VEL_EKEY, "%s is missing in %s", path, out->from->name);
    const vel_entry *e = &out->from->entries[i];
    const vel_h5ad_item *item = &out->from->items[i];
    if (e->kind == VEL_OTHER && (e->ndim == 0 || !is_axis_field(path)))
        return copy_object(ctx, out, item->object, object, NULL);
    vel_selection sel = vel_selection_of(out->ad);
    vel_h5ad_source s;
    VEL_TRY(vel_h5ad_source_of(ctx, out->from, path, &sel, &s));
    return is_rewritten(&s) ? rewrite(ctx, out, &s, object) : carry_as_is(ctx, out, &s, object);
}

vel_err vel_h5ad_carry(vel_ctx *ctx, const vel_h5ad_output *out, const char *path, const char *object) {
    VEL_TRY(carry(ctx, out, path, object));
    return vel_h5_check_whole(ctx, out->from->file, out->from->name);
}
