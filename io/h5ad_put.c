/* Writing fields of the handle: anndata's encodings of 0.8, which every later anndata reads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5_flat.h"
#include "io/h5_pack.h"
#include "io/h5ad_impl.h"

typedef struct {
    const vel_h5ad_output *out;
    const char *object; /* for messages */
    hid_t group;        /* where to make things */
} writer;

static vel_err cannot(vel_ctx *ctx, const writer *w) {
    return vel_h5_fail(ctx, VEL_EWRITE, "%s of %s cannot be written", w->object, w->out->name);
}

/* ---- datasets */

/* Properties of a dataset without time stamps: same content, same bytes. */
static hid_t creation(void) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    return list;
}

static vel_err make_dataset(vel_ctx *ctx, const writer *w, const char *name, hid_t type, hid_t space, hid_t list,
                            hid_t *dataset) {
    H5_OWNED hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    *dataset = H5Dcreate2(w->group, name, type, space, links, list, H5P_DEFAULT);
    return *dataset >= 0 ? VEL_OK : cannot(ctx, w);
}

typedef struct {
    const char *name, *encoding; /* NULL: part of a sparse matrix, which says it for all */
    hid_t type, memory;
    int64_t n;
    const void *values;
    const vel_field *owner; /* of values that may be spilled; NULL: they are not */
} vector;

static vel_err write_run(vel_ctx *ctx, const writer *w, hid_t dataset, const vector *v, int64_t n) {
    hsize_t start = 0, count = (hsize_t)n;
    H5_OWNED hid_t space = H5Dget_space(dataset), run = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    if (H5Dwrite(dataset, v->memory, run, space, H5P_DEFAULT, v->values) < 0) return cannot(ctx, w);
    if (v->owner) vel_field_rest(v->owner, 0, n);
    return VEL_OK;
}

/* A long vector in pieces, so that it can be cancelled, and leaves RAM as it goes if it is spilled. Of one large write
 * Linux caches as much in one page as it can, and a virtual machine's host may have to find each first: then it takes
 * up to five times as long. */
static vel_err put_pieces(vel_ctx *ctx, const writer *w, hid_t dataset, const vector *v) {
    enum { LONG = 1 << 22, PIECE = 1 << 18 };
    int64_t size = (int64_t)H5Tget_size(v->type), piece = PIECE / size;
    vel_h5_flat flat;
    if (v->n < LONG / size || vel_h5_holds_pointers(v->type) || H5Tequal(v->type, v->memory) <= 0)
        return write_run(ctx, w, dataset, v, v->n);
    VEL_TRY(write_run(ctx, w, dataset, v, piece));
    if (!vel_h5_flat_made(dataset, vel_h5_type_of(v->type), w->object, &flat))
        return write_run(ctx, w, dataset, v, v->n);
    VEL_TRY(vel_h5_flat_reserve(ctx, &flat));
    for (int64_t first = piece; first < v->n; first += piece) {
        int64_t n = v->n - first < piece ? v->n - first : piece;
        VEL_TRY(vel_poll(ctx));
        VEL_TRY(vel_h5_flat_write(ctx, &flat, first, n, (const char *)v->values + first * size));
        if (v->owner) vel_field_rest(v->owner, first, n);
    }
    return VEL_OK;
}

/* Compressed if that is wanted, by HDF5 itself where it has to convert on the way. What strings are made of lies
 * elsewhere in the file: to compress them gains nothing. */
static vel_err put_vector(vel_ctx *ctx, const writer *w, const vector *v) {
    hsize_t dims = (hsize_t)v->n;
    const vel_packing *packing = w->out->packing;
    const vel_h5_array a = {v->values, 1, v->n, 1, H5Tget_size(v->type), false, v->owner, w->object, w->out->name};
    H5_OWNED hid_t dataset = -1, space = H5Screate_simple(1, &dims, NULL), list = creation();
    bool is_packed = !vel_h5_holds_pointers(v->type) && vel_h5_pack_layout(list, packing, &a);
    VEL_TRY(make_dataset(ctx, w, v->name, v->type, space, list, &dataset));
    if (v->encoding) VEL_TRY(vel_h5ad_mark(ctx, dataset, v->encoding));
    if (is_packed && H5Tequal(v->type, v->memory) > 0) return vel_h5_pack(ctx, dataset, packing, &a);
    return v->n > 0 ? put_pieces(ctx, w, dataset, v) : VEL_OK;
}

static vel_err put_numbers(vel_ctx *ctx, const writer *w, const char *name, vel_type type, int64_t n,
                           const void *values, const char *encoding) {
    H5_OWNED hid_t file_type = vel_h5_file_type(type);
    hid_t memory = type == VEL_BOOL ? file_type : vel_h5_native(type);
    return put_vector(ctx, w, &(vector){name, encoding, file_type, memory, n, values, NULL});
}

static vel_err put_strings(vel_ctx *ctx, const writer *w, const char *name, int64_t n, char *const *texts,
                           const char *encoding) {
    H5_OWNED hid_t type = vel_h5_text_type();
    return put_vector(ctx, w, &(vector){name, encoding, type, type, n, texts, NULL});
}

static vel_err make_group(vel_ctx *ctx, const writer *w, const char *encoding, hid_t *group) {
    H5_OWNED hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    *group = H5Gcreate2(w->group, w->object, links, H5P_DEFAULT, H5P_DEFAULT);
    return *group >= 0 ? vel_h5ad_mark(ctx, *group, encoding) : cannot(ctx, w);
}

/* ---- dense */

static vel_err put_scalar(vel_ctx *ctx, const writer *w, hid_t type, hid_t memory, const void *value,
                          const char *encoding) {
    H5_OWNED hid_t dataset = -1, space = H5Screate(H5S_SCALAR), list = creation();
    VEL_TRY(make_dataset(ctx, w, w->object, type, space, list, &dataset));
    VEL_TRY(vel_h5ad_mark(ctx, dataset, encoding));
    return H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0 ? cannot(ctx, w) : VEL_OK;
}

static vel_err put_nullable(vel_ctx *ctx, const writer *w, const vel_field *f) {
    H5_OWNED hid_t group = -1;
    VEL_TRY(make_group(ctx, w, f->type == VEL_BOOL ? "nullable-boolean" : "nullable-integer", &group));
    writer inside = {w->out, w->object, group};
    VEL_TRY(put_numbers(ctx, &inside, "values", f->type, f->rows, f->data, "array"));
    return put_numbers(ctx, &inside, "mask", VEL_BOOL, f->rows, f->mask, "array");
}

static vel_err put_matrix(vel_ctx *ctx, const writer *w, const vel_field *f) {
    if (f->gene_major && f->type != VEL_F32 && f->type != VEL_F64)
        return vel_fail(ctx, VEL_ETYPE, "%s is %s, layers are float32 or float64", w->object, vel_type_name(f->type));
    hsize_t dims[2] = {(hsize_t)f->rows, (hsize_t)f->cols};
    const vel_packing *packing = w->out->packing;
    const vel_h5_array a = {f->data,       2, f->rows,   f->cols,     vel_type_size(f->type),
                            f->gene_major, f, w->object, w->out->name};
    H5_OWNED hid_t type = vel_h5_file_type(f->type), space = H5Screate_simple(2, dims, NULL), dataset = -1;
    H5_OWNED hid_t list = creation();
    bool is_packed = vel_h5_pack_layout(list, packing, &a);
    VEL_TRY(make_dataset(ctx, w, w->object, type, space, list, &dataset));
    VEL_TRY(vel_h5ad_mark(ctx, dataset, "array"));
    if (!f->rows || !f->cols) return VEL_OK;
    if (is_packed) return vel_h5_pack(ctx, dataset, packing, &a);
    if (f->gene_major) return vel_h5ad_put_turned(ctx, w->out, w->object, dataset, f);
    hid_t memory = f->type == VEL_BOOL ? type : vel_h5_native(f->type);
    herr_t failed = H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->data);
    vel_field_rest(f, 0, f->rows * f->cols);
    return failed < 0 ? cannot(ctx, w) : VEL_OK;
}

/* A number that is missing is NaN if it can be. */
static vel_err put_masked_reals(vel_ctx *ctx, const writer *w, const vel_field *f) {
    double *x;
    VEL_TRY(VEL_ALLOC(ctx, x, f->rows));
    for (int64_t i = 0; i < f->rows; i++) x[i] = f->mask[i] ? NAN : vel_field_real(f, i);
    return put_numbers(ctx, w, w->object, VEL_F64, f->rows, x, "array");
}

static vel_err put_dense(vel_ctx *ctx, const writer *w, const vel_field *f) {
    bool is_real = f->type == VEL_F32 || f->type == VEL_F64;
    if (f->ndim == 2) return put_matrix(ctx, w, f);
    if (f->mask) return is_real ? put_masked_reals(ctx, w, f) : put_nullable(ctx, w, f);
    if (f->ndim == 1) return put_numbers(ctx, w, w->object, f->type, f->rows, f->data, "array");
    H5_OWNED hid_t type = vel_h5_file_type(f->type);
    return put_scalar(ctx, w, type, f->type == VEL_BOOL ? type : vel_h5_native(f->type), f->data, "numeric-scalar");
}

/* ---- sparse */

static vel_err put_sparse(vel_ctx *ctx, const writer *w, const vel_field *f) {
    H5_OWNED hid_t group = -1;
    VEL_TRY(make_group(ctx, w, "csr_matrix", &group));
    VEL_TRY(vel_h5_put_ints(ctx, group, "shape", (int64_t[]){f->rows, f->cols}, 2));
    writer inside = {w->out, w->object, group};
    int64_t n = f->indptr[f->rows];
    /* scipy wants both of one width: the narrow one, as long as it can count the entries */
    hid_t index_type = n <= INT32_MAX ? H5T_STD_I32LE : H5T_STD_I64LE;
    H5_OWNED hid_t value_type = vel_h5_file_type(f->type);
    const vector parts[] = {{"data", NULL, value_type, vel_h5_native(f->type), n, f->data, f},
                            {"indices", NULL, index_type, H5T_NATIVE_INT32, n, f->indices, f},
                            {"indptr", NULL, index_type, H5T_NATIVE_INT64, f->rows + 1, f->indptr, NULL}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) VEL_TRY(put_vector(ctx, &inside, &parts[i]));
    return VEL_OK;
}

/* ---- strings and categories */

static vel_err put_codes(vel_ctx *ctx, const writer *w, hid_t group, const int32_t *codes, int64_t n,
                         int64_t n_categories) {
    hid_t type = n_categories <= INT8_MAX ? H5T_STD_I8LE : n_categories <= INT16_MAX ? H5T_STD_I16LE : H5T_STD_I32LE;
    writer inside = {w->out, w->object, group};
    return put_vector(ctx, &inside, &(vector){"codes", "array", type, H5T_NATIVE_INT32, n, codes, NULL});
}

static vel_err put_categories(vel_ctx *ctx, const writer *w, const int32_t *codes, int64_t n, char *const *categories,
                              int64_t n_categories, bool ordered) {
    H5_OWNED hid_t group = -1;
    VEL_TRY(make_group(ctx, w, "categorical", &group));
    VEL_TRY(vel_h5_put_bool(ctx, group, "ordered", ordered));
    writer inside = {w->out, w->object, group};
    VEL_TRY(put_strings(ctx, &inside, "categories", n_categories, categories, "string-array"));
    return put_codes(ctx, w, group, codes, n, n_categories);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Strings of which some are missing: as categories, since older anndata cannot read them otherwise. */
static vel_err put_gaps(vel_ctx *ctx, const writer *w, const vel_field *f) {
    char **sorted;
    int32_t *codes;
    int64_t n = 0, unique = 0;
    VEL_TRY(VEL_ALLOC(ctx, sorted, f->rows));
    VEL_TRY(VEL_ALLOC(ctx, codes, f->rows));
    for (int64_t i = 0; i < f->rows; i++)
        if (f->texts[i]) sorted[n++] = f->texts[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_text);
    for (int64_t i = 0; i < n; i++)
        if (!unique || strcmp(sorted[unique - 1], sorted[i]) != 0) sorted[unique++] = sorted[i];
    for (int64_t i = 0; i < f->rows; i++) {
        char **at = f->texts[i] ? bsearch(&f->texts[i], sorted, (size_t)unique, sizeof *sorted, by_text) : NULL;
        codes[i] = at ? (int32_t)(at - sorted) : -1;
    }
    return put_categories(ctx, w, codes, f->rows, sorted, unique, false);
}

static vel_err put_texts(vel_ctx *ctx, const writer *w, const vel_field *f) {
    for (int64_t i = 0; i < f->rows; i++)
        if (!f->texts[i]) return put_gaps(ctx, w, f);
    if (f->ndim == 1) return put_strings(ctx, w, w->object, f->rows, f->texts, "string-array");
    H5_OWNED hid_t type = vel_h5_text_type();
    return put_scalar(ctx, w, type, type, f->texts, "string");
}

/* ---- records */

static hid_t column_type(const vel_field *column, bool in_memory) {
    if (column->kind == VEL_TEXTS) return vel_h5_text_type();
    if (in_memory && column->type != VEL_BOOL) return H5Tcopy(vel_h5_native(column->type));
    return vel_h5_file_type(column->type);
}

static hid_t record_type(const vel_field *f, bool in_memory) {
    size_t size = 0;
    for (int64_t i = 0; i < f->n_columns; i++) {
        H5_OWNED hid_t column = column_type(&f->columns[i], in_memory);
        size += H5Tget_size(column);
    }
    hid_t type = H5Tcreate(H5T_COMPOUND, size);
    size = 0;
    for (int64_t i = 0; type >= 0 && i < f->n_columns; i++) {
        H5_OWNED hid_t column = column_type(&f->columns[i], in_memory);
        H5Tinsert(type, f->names[i], size, column);
        size += H5Tget_size(column);
    }
    return type;
}

static void pack_column(const vel_field *column, char *bytes, size_t stride) {
    size_t size = column->kind == VEL_TEXTS ? sizeof *column->texts : vel_type_size(column->type);
    const char *from = column->kind == VEL_TEXTS ? (const char *)column->texts : column->data;
    for (int64_t i = 0; i < column->rows; i++) memcpy(bytes + (size_t)i * stride, from + (size_t)i * size, size);
}

static vel_err put_records(vel_ctx *ctx, const writer *w, const vel_field *f) {
    H5_OWNED hid_t type = record_type(f, false), memory = record_type(f, true);
    if (type < 0 || memory < 0) return cannot(ctx, w);
    size_t stride = H5Tget_size(memory), offset = 0;
    char *bytes = vel_arena_alloc(ctx->scratch, (size_t)f->rows, stride);
    if (!bytes) return vel_no_memory(ctx, (size_t)f->rows, stride);
    for (int64_t i = 0; i < f->n_columns; i++) {
        pack_column(&f->columns[i], bytes + offset, stride);
        offset += f->columns[i].kind == VEL_TEXTS ? sizeof(char *) : vel_type_size(f->columns[i].type);
    }
    return put_vector(ctx, w, &(vector){w->object, "rec-array", type, memory, f->rows, bytes, NULL});
}

vel_err vel_h5ad_write_field(vel_ctx *ctx, const vel_h5ad_output *out, const char *path, const char *object,
                             const vel_field *f) {
    writer w = {out, object, out->file};
    switch (f->kind) {
        case VEL_DENSE:
            return put_dense(ctx, &w, f);
        case VEL_SPARSE:
            return put_sparse(ctx, &w, f);
        case VEL_TEXTS:
            return put_texts(ctx, &w, f);
        case VEL_CATEGORICAL:
            return put_categories(ctx, &w, f->codes, f->rows, f->texts, f->n_categories, f->ordered);
        case VEL_RECORDS:
            return put_records(ctx, &w, f);
        default:
            return vel_fail(ctx, VEL_ETYPE, "%s cannot be written", path);
    }
}
