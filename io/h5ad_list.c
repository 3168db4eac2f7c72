/* What is in a file: one walk, no array is read. */
#include <stdlib.h>
#include <string.h>

#include "io/h5_chunks.h"
#include "io/h5ad_impl.h"

/* ---- the list */

vel_err vel_h5ad_add(vel_ctx *ctx, vel_h5ad *h, const vel_entry *entry, const vel_h5ad_item *item) {
    if (h->n == h->room) {
        int64_t room = h->room ? 2 * h->room : 64;
        vel_entry *entries = realloc(h->entries, (size_t)room * sizeof *entries);
        if (entries) h->entries = entries;
        vel_h5ad_item *items = realloc(h->items, (size_t)room * sizeof *items);
        if (items) h->items = items;
        if (!entries || !items) return vel_no_memory(ctx, (size_t)room, sizeof *entries + sizeof *items);
        h->room = room;
    }
    h->entries[h->n] = *entry;
    h->items[h->n] = *item;
    h->n++;
    return VEL_OK;
}

vel_err vel_h5ad_join(vel_ctx *ctx, vel_h5ad *h, const char *a, const char *b, const char **joined) {
    size_t na = strlen(a), nb = strlen(b);
    char *made = vel_arena_alloc(h->strings, na + nb + 2, 1);
    if (!made) return vel_no_memory(ctx, na + nb + 2, 1);
    memcpy(made, a, na);
    if (na) made[na++] = '/';
    memcpy(made + na, b, nb + 1);
    *joined = made;
    return VEL_OK;
}

static vel_err keep(vel_ctx *ctx, vel_h5ad *h, const char *text, const char **kept) {
    *kept = vel_arena_strdup(h->strings, text);
    return *kept ? VEL_OK : vel_no_memory(ctx, strlen(text) + 1, 1);
}

vel_err vel_h5ad_open_object(vel_ctx *ctx, const vel_h5ad *h, const char *object, hid_t *id) {
    *id = H5Oopen(h->file, object, H5P_DEFAULT);
    return *id >= 0 ? VEL_OK : vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s cannot be opened", object, h->name);
}

typedef struct {
    vel_ctx *ctx;
    char **names;
    int64_t n, room;
    vel_err err;
} name_list;

static herr_t note_name(hid_t group, const char *name, const H5L_info_t *info, void *arg) {
    (void)group, (void)info;
    name_list *list = arg;
    if (list->n == list->room) return 1;
    list->names[list->n] = vel_arena_strdup(list->ctx->scratch, name);
    if (!list->names[list->n]) list->err = vel_no_memory(list->ctx, strlen(name) + 1, 1);
    return list->names[list->n++] ? 0 : 1;
}

vel_err vel_h5ad_members(vel_ctx *ctx, const vel_h5ad *h, const char *object, char ***names, int64_t *n) {
    H5_OWNED hid_t group = H5Gopen2(h->file, object, H5P_DEFAULT);
    H5G_info_t info;
    if (group < 0 || H5Gget_info(group, &info) < 0)
        return vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s cannot be listed", object, h->name);
    name_list list = {.ctx = ctx, .room = (int64_t)info.nlinks};
    VEL_TRY(VEL_ALLOC(ctx, list.names, list.room));
    hsize_t at = 0;
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, note_name, &list) < 0)
        return vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s cannot be listed", object, h->name);
    *names = list.names;
    *n = list.n;
    return list.err;
}

/* ---- what an object is */

static void set_shape(vel_entry *e, int ndim, const hsize_t *dims) {
    e->ndim = ndim;
    e->rows = ndim >= 1 ? (int64_t)dims[0] : 1;
    e->cols = ndim >= 2 ? (int64_t)dims[1] : 1;
    if (e->rows < 0 || e->cols < 0 || __builtin_mul_overflow(e->rows, e->cols, &e->stored)) e->stored = INT64_MAX;
}

/* Objects of the older format, which most files have, count as if they kept times. */
static void set_layout(vel_entry *e, hid_t dataset) {
    H5_OWNED hid_t list = H5Dget_create_plist(dataset);
    hbool_t keeps_times = false;
    hsize_t chunk[VEL_H5_DIMS] = {0};
    vel_h5_chunks chunks;
    if (list >= 0 && H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, VEL_H5_DIMS, chunk) > 0)
        e->piece_rows = (int64_t)chunk[0];
    e->piece_cols = e->ndim == 2 ? (int64_t)chunk[1] : 1;
    e->is_slow = e->piece_rows && !vel_h5_chunks_of(dataset, &chunks);
    if (e->piece_rows) e->passes = H5Pget_nfilters(list);
    if (e->passes > 0) e->packed = (int64_t)H5Dget_storage_size(dataset);
    e->keeps_times = list >= 0 && H5Pget_obj_track_times(list, &keeps_times) >= 0 && keeps_times;
}

static bool is_simple_record(hid_t type) {
    int n = H5Tget_nmembers(type);
    for (int i = 0; i < n; i++) {
        H5_OWNED hid_t member = H5Tget_member_type(type, (unsigned)i);
        if (H5Tget_class(member) != H5T_STRING && !vel_h5_type_of(member)) return false;
    }
    return n > 0;
}

static vel_kind dataset_kind(hid_t type, int ndim) {
    if (vel_h5_type_of(type)) return ndim <= 2 ? VEL_DENSE : VEL_OTHER;
    if (H5Tget_class(type) == H5T_STRING) return ndim <= 1 ? VEL_TEXTS : VEL_OTHER;
    if (H5Tget_class(type) == H5T_COMPOUND) return ndim == 1 && is_simple_record(type) ? VEL_RECORDS : VEL_OTHER;
    return VEL_OTHER;
}

/* A shape that cannot be: what lies in one piece has fewer bytes. NULL: it can be, as far as can be told. */
static vel_err claim_of(vel_ctx *ctx, vel_h5ad *h, hid_t dataset, const char **flaw) {
    char claim[VEL_H5_CLAIM], text[sizeof claim + 3];
    *flaw = NULL;
    if (!vel_h5_claims_too_much(dataset, claim)) return VEL_OK;
    snprintf(text, sizeof text, "it %s", claim);
    return keep(ctx, h, text, flaw);
}

/* What is wrong with elements that are taken for no numbers and no column; NULL: nothing that has a name. */
static const char *flaw_of(hid_t type, int ndim) {
    if (ndim < 0 || type < 0) return "it holds nothing";
    if (vel_h5_type_of(type)) return "it has more than two dimensions";
    if (H5Tget_class(type) == H5T_STRING) return "it holds text, expected numbers";
    return "its elements are no numbers of a type that is known";
}

static const char *default_word(vel_kind kind, int ndim) {
    switch (kind) {
        case VEL_DENSE:
            return ndim ? "array" : "numeric-scalar";
        case VEL_TEXTS:
            return ndim ? "string-array" : "string";
        case VEL_RECORDS:
            return "rec-array";
        default:
            return "unknown";
    }
}

/* Old categoricals: an attribute refers to the dataset of the categories. */
static vel_err old_categories(vel_ctx *ctx, vel_h5ad *h, hid_t dataset, const char **categories) {
    *categories = NULL;
    if (!vel_h5_has_attr(dataset, "categories")) return VEL_OK;
    H5_OWNED hid_t attribute = H5Aopen(dataset, "categories", H5P_DEFAULT), type = H5Aget_type(attribute);
    H5_OWNED hid_t space = H5Aget_space(attribute);
    hobj_ref_t reference;
    if (H5Tget_class(type) != H5T_REFERENCE || H5Sget_simple_extent_npoints(space) != 1) return VEL_OK;
    if (H5Aread(attribute, H5T_STD_REF_OBJ, &reference) < 0) return VEL_OK;
    H5_OWNED hid_t target = H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, &reference);
    char name[1024];
    if (target < 0 || H5Iget_type(target) != H5I_DATASET || H5Iget_name(target, name, sizeof name) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        return VEL_OK;
    }
    return keep(ctx, h, name, categories);
}

static vel_err list_dataset(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, hid_t dataset) {
    hsize_t dims[VEL_H5_DIMS];
    int ndim = vel_h5_shape(dataset, dims);
    H5_OWNED hid_t type = H5Dget_type(dataset);
    if (type < 0) H5Eclear2(H5E_DEFAULT);
    vel_entry e = {.path = path, .kind = ndim < 0 || type < 0 ? VEL_OTHER : dataset_kind(type, ndim)};
    vel_h5ad_item item = {.object = object, .lies = VEL_LIES_DATASET};
    set_shape(&e, ndim < 0 ? 0 : ndim, dims);
    if (e.kind == VEL_DENSE && e.ndim == 2) set_layout(&e, dataset);
    e.origin = e.kind == VEL_DENSE ? vel_h5_type_of(type) : VEL_NOTYPE;
    VEL_TRY(claim_of(ctx, h, dataset, &e.flaw));
    if (e.flaw) e.kind = VEL_OTHER;
    if (e.kind == VEL_OTHER && !e.flaw) e.flaw = flaw_of(type, ndim);
    char *word;
    VEL_TRY(vel_h5_attr_text(ctx, dataset, "encoding-type", &word));
    VEL_TRY(keep(ctx, h, word ? word : default_word(e.kind, e.ndim), &e.encoding));
    VEL_TRY(old_categories(ctx, h, dataset, &item.categories));
    if (item.categories && e.kind == VEL_DENSE && e.ndim == 1) {
        e.kind = VEL_CATEGORICAL;
        e.origin = VEL_NOTYPE;
        e.encoding = "categorical";
        item.lies = VEL_LIES_OLD_CATEGORICAL;
    }
    return vel_h5ad_add(ctx, h, &e, &item);
}

/* The length of a vector or the shape of a matrix below a group; ndim -1 if it is not there. */
static int member_shape(hid_t group, const char *name, hsize_t *dims, vel_type *type, bool *is_text) {
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0) return -1;
    H5_OWNED hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) {
        H5Eclear2(H5E_DEFAULT);
        return -1;
    }
    H5_OWNED hid_t of = H5Dget_type(dataset);
    *type = of < 0 ? VEL_NOTYPE : vel_h5_type_of(of);
    *is_text = of >= 0 && H5Tget_class(of) == H5T_STRING;
    return vel_h5_shape(dataset, dims);
}

static const char *sparse_flaw(int ndim, vel_type type, bool is_text, bool has_shape) {
    if (ndim != 1) return ndim < 0 ? "it has no data" : "its data are no vector";
    if (is_text) return "its data are text, expected numbers";
    if (!type) return "its data are no numbers of a type that is known";
    return has_shape ? NULL : "it has no shape";
}

static vel_err list_sparse(vel_ctx *ctx, vel_h5ad *h, vel_entry e, vel_h5ad_item item, hid_t group, bool old) {
    int64_t shape[2] = {0, 0};
    hsize_t dims[VEL_H5_DIMS];
    bool is_text = false;
    bool has_shape = vel_h5_attr_ints(group, old ? "h5sparse_shape" : "shape", shape, 2) == 2;
    int ndim = member_shape(group, "data", dims, &e.origin, &is_text);
    H5_OWNED hid_t data = ndim == 1 ? H5Dopen2(group, "data", H5P_DEFAULT) : -1;
    if (data >= 0) set_layout(&e, data);
    e.flaw = sparse_flaw(ndim, e.origin, is_text, has_shape && shape[0] >= 0 && shape[1] >= 0);
    if (!e.flaw) VEL_TRY(claim_of(ctx, h, data, &e.flaw));
    e.kind = e.flaw ? VEL_OTHER : VEL_SPARSE;
    e.ndim = 2;
    e.rows = shape[0];
    e.cols = shape[1];
    e.stored = ndim == 1 ? (int64_t)dims[0] : 0;
    return vel_h5ad_add(ctx, h, &e, &item);
}

/* A column in a group: what carries its length (codes or values) decides its shape. */
static vel_err list_column(vel_ctx *ctx, vel_h5ad *h, vel_entry e, vel_h5ad_item item, hid_t group) {
    bool is_categorical = item.lies == VEL_LIES_CATEGORICAL, is_text = false;
    hsize_t dims[VEL_H5_DIMS];
    vel_type type = VEL_NOTYPE;
    int ndim = member_shape(group, is_categorical ? "codes" : "values", dims, &type, &is_text);
    set_shape(&e, ndim < 0 ? 0 : ndim, dims);
    e.kind = ndim != 1 ? VEL_OTHER : is_categorical ? VEL_CATEGORICAL : is_text ? VEL_TEXTS : VEL_DENSE;
    if (e.kind == VEL_DENSE) e.origin = type;
    if ((e.kind == VEL_DENSE || is_categorical) && !type) e.kind = VEL_OTHER;
    return vel_h5ad_add(ctx, h, &e, &item);
}

static vel_err list_mapping(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) {
    char **names;
    int64_t n;
    VEL_TRY(vel_h5ad_members(ctx, h, object, &names, &n));
    for (int64_t i = 0; i < n; i++) {
        const char *member_path, *member;
        VEL_TRY(vel_h5ad_join(ctx, h, path, names[i], &member_path));
        VEL_TRY(vel_h5ad_join(ctx, h, object, names[i], &member));
        VEL_TRY(vel_h5ad_list_object(ctx, h, member_path, member));
    }
    return VEL_OK;
}

static const struct {
    const char *word;
    vel_lies lies;
} group_rows[] = {
    {"dict", VEL_LIES_GROUP},
    {"dataframe", VEL_LIES_DATAFRAME},
    {"csr_matrix", VEL_LIES_ROWS},
    {"csc_matrix", VEL_LIES_COLUMNS},
    {"categorical", VEL_LIES_CATEGORICAL},
    {"nullable-integer", VEL_LIES_NULLABLE},
    {"nullable-boolean", VEL_LIES_NULLABLE},
    {"nullable-string-array", VEL_LIES_NULLABLE},
};

vel_lies vel_h5ad_lies_of(const char *word) {
    if (!word) return VEL_LIES_GROUP;
    for (size_t i = 0; i < sizeof group_rows / sizeof *group_rows; i++)
        if (!strcmp(group_rows[i].word, word)) return group_rows[i].lies;
    return VEL_LIES_FOREIGN;
}

vel_err vel_h5ad_word_of(vel_ctx *ctx, hid_t group, char **word, bool *is_old) {
    char *old;
    VEL_TRY(vel_h5_attr_text(ctx, group, "encoding-type", word));
    VEL_TRY(vel_h5_attr_text(ctx, group, "h5sparse_format", &old));
    *is_old = old != NULL;
    if (old) *word = !strcmp(old, "csc") ? "csc_matrix" : "csr_matrix";
    return VEL_OK;
}

static vel_err list_group(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, hid_t group) {
    char *word;
    bool is_old;
    VEL_TRY(vel_h5ad_word_of(ctx, group, &word, &is_old));
    vel_h5ad_item item = {.object = object, .lies = vel_h5ad_lies_of(word)};
    vel_entry e = {.path = path, .kind = VEL_DICT, .rows = 1, .cols = 1, .stored = 1};
    VEL_TRY(keep(ctx, h, word ? word : "dict", &e.encoding));
    switch (item.lies) {
        case VEL_LIES_ROWS:
        case VEL_LIES_COLUMNS:
            return list_sparse(ctx, h, e, item, group, is_old);
        case VEL_LIES_CATEGORICAL:
        case VEL_LIES_NULLABLE:
            return list_column(ctx, h, e, item, group);
        case VEL_LIES_DATAFRAME:
            return vel_h5ad_list_frame(ctx, h, path, object);
        case VEL_LIES_FOREIGN:
            e.kind = VEL_OTHER;
            return vel_h5ad_add(ctx, h, &e, &item);
        default:
            break;
    }
    VEL_TRY(vel_h5ad_add(ctx, h, &e, &item));
    return list_mapping(ctx, h, path, object);
}

static vel_err list_other(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, const char *encoding,
                          const char *flaw) {
    vel_entry e = {.path = path, .kind = VEL_OTHER, .encoding = encoding, .flaw = flaw};
    vel_h5ad_item item = {.object = object, .lies = VEL_LIES_FOREIGN};
    return vel_h5ad_add(ctx, h, &e, &item);
}

static vel_err list_inside(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object, hid_t group) {
    vel_h5ad_trail here;
    if (!vel_h5ad_enter(group, h->trail, &here)) return list_other(ctx, h, path, object, "a group in itself", NULL);
    h->trail = &here;
    vel_err e = list_group(ctx, h, path, object, group);
    h->trail = here.up;
    return e;
}

vel_err vel_h5ad_list_object(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) {
    enum { MOST_ENTRIES = 1 << 20, LONGEST_PATH = 800 };
    if (strlen(path) > LONGEST_PATH || h->n > MOST_ENTRIES)
        return vel_fail(ctx, VEL_EFORMAT, "%s has fields without end", h->name);
    if (H5Oexists_by_name(h->file, object, H5P_DEFAULT) <= 0) { /* a link that leads nowhere */
        H5Eclear2(H5E_DEFAULT);
        return list_other(ctx, h, path, object, "a broken link", "what it leads to is not there");
    }
    if (vel_h5ad_is_link(ctx, h, object))
        return list_other(ctx, h, path, object, "link",
                          "links are followed to arrays, sparse matrices and columns, not to other groups");
    H5_OWNED hid_t id = -1;
    VEL_TRY(vel_h5ad_open_object(ctx, h, object, &id));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    H5I_type_t type = H5Iget_type(id);
    vel_err e = type == H5I_DATASET ? list_dataset(ctx, h, path, object, id)
                : type == H5I_GROUP ? list_inside(ctx, h, path, object, id)
                                    : list_other(ctx, h, path, object, "named type", NULL);
    vel_arena_release(ctx->scratch, mark);
    return e;
}

/* ---- the whole file */

static bool is_legacy_frame(const vel_h5ad *h, const char *name) {
    static const char *const names[] = {"obs", "var", "obsm", "varm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        H5_OWNED hid_t dataset = H5Dopen2(h->file, name, H5P_DEFAULT);
        if (dataset >= 0) return true;
        H5Eclear2(H5E_DEFAULT);
    }
    return false;
}

/* raw, the same cells with another set of genes; before 0.7: raw.X, raw.var, raw.varm. */
static vel_err list_raw(vel_ctx *ctx, vel_h5ad *h, const char *object) {
    vel_entry e = {.path = "raw", .kind = VEL_DICT, .rows = 1, .cols = 1, .stored = 1, .encoding = "raw"};
    vel_h5ad_item item = {.object = object, .lies = VEL_LIES_GROUP};
    bool is_old = object[3] == '.', is_first = true;
    const char *path = NULL;
    for (int64_t i = 0; i < h->n; i++) is_first = is_first && strcmp(h->entries[i].path, "raw") != 0;
    if (is_first) VEL_TRY(vel_h5ad_add(ctx, h, &e, &item));
    if (!is_old) return list_mapping(ctx, h, "raw", object);
    VEL_TRY(vel_h5ad_join(ctx, h, "raw", object + 4, &path));
    H5_OWNED hid_t id = -1, type = -1;
    VEL_TRY(vel_h5ad_open_object(ctx, h, object, &id));
    if (H5Iget_type(id) == H5I_DATASET) type = H5Dget_type(id);
    if (type >= 0 && H5Tget_class(type) == H5T_COMPOUND) return vel_h5ad_list_compound(ctx, h, path, object);
    return vel_h5ad_list_object(ctx, h, path, object);
}

/* X is absent, but said to be so. */
static bool is_null(const vel_h5ad *h, const char *name) {
    H5_OWNED hid_t dataset = strcmp(name, "X") ? -1 : H5Dopen2(h->file, name, H5P_DEFAULT);
    hsize_t dims[VEL_H5_DIMS];
    H5Eclear2(H5E_DEFAULT);
    return dataset >= 0 && vel_h5_shape(dataset, dims) < 0;
}

static vel_err list_top(vel_ctx *ctx, vel_h5ad *h, const char *name) {
    const char *kept;
    VEL_TRY(keep(ctx, h, name, &kept));
    if (is_null(h, name)) return VEL_OK;
    if (is_legacy_frame(h, name)) return vel_h5ad_list_compound(ctx, h, kept, kept);
    if (!strncmp(name, "raw.", 4)) return list_raw(ctx, h, kept);
    H5O_info_t info;
    bool is_group =
        H5Oget_info_by_name2(h->file, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 && info.type == H5O_TYPE_GROUP;
    if (!strcmp(name, "raw") && is_group) return list_raw(ctx, h, kept);
    if (!strcmp(name, "obs") || !strcmp(name, "var")) return vel_h5ad_list_frame(ctx, h, kept, kept);
    return vel_h5ad_list_object(ctx, h, kept, kept);
}

vel_err vel_h5ad_list(vel_ctx *ctx, vel_h5ad *h) {
    char **names;
    int64_t n;
    VEL_TRY(vel_h5ad_members(ctx, h, "/", &names, &n));
    for (int64_t i = 0; i < n; i++) VEL_TRY(list_top(ctx, h, names[i]));
    return VEL_OK;
}
