/* Reading a field: which reader, and the readers of strings and columns. */
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "io/h5_filters.h"
#include "io/h5ad_impl.h"

const char *vel_h5ad_where(vel_ctx *ctx, const vel_h5ad_source *s) {
    size_t n = strlen(s->entry->path) + strlen(s->h->name) + 5;
    char *text = vel_arena_alloc(ctx->scratch, n, 1);
    if (!text) return s->entry->path;
    snprintf(text, n, "%s of %s", s->entry->path, s->h->name);
    return text;
}

static int64_t at(const vel_pick *pick, int64_t i) { return pick->index ? pick->index[i] : i; }

static vel_err read_item(vel_ctx *ctx, const vel_h5ad_source *s, vel_field *out) {
    H5_OWNED hid_t object = -1;
    VEL_TRY(vel_h5ad_open_object(ctx, s->h, s->item->object, &object));
    switch (s->item->lies) {
        case VEL_LIES_ROWS:
        case VEL_LIES_COLUMNS:
            return vel_h5ad_read_sparse(ctx, s, object, out);
        case VEL_LIES_CATEGORICAL:
        case VEL_LIES_OLD_CATEGORICAL:
            return vel_h5ad_read_categorical(ctx, s, object, out);
        case VEL_LIES_NULLABLE:
            return vel_h5ad_read_nullable(ctx, s, object, out);
        case VEL_LIES_MEMBER:
            return vel_h5ad_read_member(ctx, s, object, out);
        default:
            break;
    }
    switch (s->entry->kind) {
        case VEL_DENSE:
            return vel_h5ad_read_dense(ctx, s, object, out);
        case VEL_TEXTS:
            return vel_h5ad_read_texts(ctx, s, object, out);
        case VEL_RECORDS:
            return vel_h5ad_read_records(ctx, s, object, out);
        default:
            return vel_fail(ctx, VEL_ETYPE, "%s is not understood%s%s", vel_h5ad_where(ctx, s),
                            s->entry->flaw ? ": " : "", s->entry->flaw ? s->entry->flaw : "");
    }
}

vel_err vel_h5ad_read(vel_ctx *ctx, const vel_h5ad_source *s, vel_field *out) {
    *out = (vel_field){.kind = VEL_ABSENT};
    VEL_TRY(read_item(ctx, s, out));
    return vel_h5_check_whole(ctx, s->h->file, s->h->name);
}

/* ---- whole vectors */

static vel_err vector_length(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, int64_t *n) {
    hsize_t dims[VEL_H5_DIMS];
    int ndim = vel_h5_shape(dataset, dims);
    if (ndim < 0 || ndim > 1) return vel_fail(ctx, VEL_EFORMAT, "a part of %s is no vector", vel_h5ad_where(ctx, s));
    int64_t found = ndim ? (int64_t)dims[0] : 1;
    if (*n >= 0 && found != *n)
        return vel_fail(ctx, VEL_EFORMAT, "a part of %s has %lld values, expected %lld", vel_h5ad_where(ctx, s),
                        (long long)found, (long long)*n);
    *n = found;
    return VEL_OK;
}

vel_err vel_h5ad_vector(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_type type, int64_t *n,
                        void *values) {
    VEL_TRY(vector_length(ctx, s, dataset, n));
    VEL_TRY(vel_h5_check_readable(ctx, dataset, vel_h5ad_where(ctx, s)));
    H5_OWNED hid_t of = H5Dget_type(dataset);
    vel_type found = vel_h5_type_of(of);
    if (!found || (found == VEL_BOOL && vel_type_size(type) != 1))
        return vel_fail(ctx, VEL_EFORMAT, "a part of %s holds no %s", vel_h5ad_where(ctx, s), vel_type_name(type));
    void *made = vel_arena_alloc(ctx->scratch, (size_t)*n, vel_type_size(type));
    if (!made) return vel_no_memory(ctx, (size_t)*n, vel_type_size(type));
    H5_OWNED hid_t memory = vel_h5_memory_type(of, type);
    if (*n > 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, made) < 0)
        return vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", vel_h5ad_where(ctx, s));
    memcpy(values, &made, sizeof made);
    return VEL_OK;
}

/* ---- strings */

static vel_err fixed_words(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t type, int64_t n,
                           const char **texts) {
    size_t size = H5Tget_size(type) + 1;
    H5_OWNED hid_t memory = H5Tcopy(type);
    H5Tset_size(memory, size);
    H5Tset_strpad(memory, H5T_STR_NULLTERM);
    char *bytes = vel_arena_alloc(ctx->scratch, (size_t)n, size);
    if (!bytes) return vel_no_memory(ctx, (size_t)n, size);
    if (n > 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
        return vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", vel_h5ad_where(ctx, s));
    for (int64_t i = 0; i < n; i++) texts[i] = bytes + (size_t)i * size;
    return VEL_OK;
}

/* HDF5 makes one allocation a string: they are moved to the scratch, a run at a time. */
static vel_err variable_words(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t type, int64_t n,
                              const char **texts) {
    H5_OWNED hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    char **read;
    VEL_TRY(VEL_ZALLOC(ctx, read, n));
    vel_err e = VEL_OK;
    if (n > 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0)
        e = vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", vel_h5ad_where(ctx, s));
    for (int64_t i = 0; i < n; i++) {
        texts[i] = e ? NULL : vel_arena_strdup(ctx->scratch, read[i] ? read[i] : "");
        if (!texts[i] && !e) e = vel_no_memory(ctx, 1, 1);
        H5free_memory(read[i]);
    }
    return e;
}

/* As Python writes a number: what categories of numbers are called. */
static void spell(char text[VEL_DECIMAL], vel_type type, const double *real, const int64_t *integer, int64_t i) {
    if (type == VEL_BOOL)
        snprintf(text, VEL_DECIMAL, "%s", integer[i] ? "True" : "False");
    else if (integer)
        snprintf(text, VEL_DECIMAL, "%lld", (long long)integer[i]);
    else
        vel_decimal_write_python(real[i], text);
}

static vel_err number_words(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_type type, int64_t n,
                            const char **texts) {
    int64_t *integer = NULL;
    double *real = NULL;
    if (type == VEL_BOOL) {
        int8_t *bytes;
        VEL_TRY(vel_h5ad_vector(ctx, s, dataset, VEL_I8, &n, &bytes));
        VEL_TRY(VEL_ALLOC(ctx, integer, n));
        for (int64_t i = 0; i < n; i++) integer[i] = bytes[i];
    } else if (type >= VEL_I8 && type <= VEL_U64) {
        VEL_TRY(vel_h5ad_vector(ctx, s, dataset, VEL_I64, &n, &integer));
    } else {
        VEL_TRY(vel_h5ad_vector(ctx, s, dataset, VEL_F64, &n, &real));
    }
    for (int64_t i = 0; i < n; i++) {
        char text[VEL_DECIMAL];
        spell(text, type, real, integer, i);
        texts[i] = vel_arena_strdup(ctx->scratch, text);
        if (!texts[i]) return vel_no_memory(ctx, sizeof text, 1);
    }
    return VEL_OK;
}

vel_err vel_h5ad_words(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, int64_t *n, const char ***texts) {
    char claim[VEL_H5_CLAIM];
    VEL_TRY(vector_length(ctx, s, dataset, n));
    if (vel_h5_lacks_names(dataset, claim)) return vel_fail(ctx, VEL_EFORMAT, "%s %s", vel_h5ad_where(ctx, s), claim);
    VEL_TRY(vel_h5_check_readable(ctx, dataset, vel_h5ad_where(ctx, s)));
    VEL_TRY(VEL_ALLOC(ctx, *texts, *n));
    H5_OWNED hid_t type = H5Dget_type(dataset);
    vel_type number = vel_h5_type_of(type);
    if (number) return number_words(ctx, s, dataset, number, *n, *texts);
    if (H5Tget_class(type) != H5T_STRING)
        return vel_fail(ctx, VEL_EFORMAT, "a part of %s is neither text nor numbers", vel_h5ad_where(ctx, s));
    return H5Tis_variable_str(type) > 0 ? variable_words(ctx, s, dataset, type, *n, *texts)
                                        : fixed_words(ctx, s, dataset, type, *n, *texts);
}

/* Those that are wanted, packed into the field. */
static vel_err keep_words(vel_ctx *ctx, const vel_h5ad_source *s, const char **texts, vel_field *out) {
    for (int64_t i = 0; i < s->rows.k; i++) texts[i] = texts[at(&s->rows, i)]; /* ascending: never overtakes */
    VEL_TRY(vel_field_texts(ctx, texts, s->rows.k, out));
    out->ndim = s->entry->ndim;
    return VEL_OK;
}

vel_err vel_h5ad_read_texts(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) {
    int64_t n = s->entry->rows;
    const char **texts;
    VEL_TRY(vel_h5ad_words(ctx, s, dataset, &n, &texts));
    return keep_words(ctx, s, texts, out);
}

/* ---- columns in groups */

static vel_err open_part(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, const char *name, hid_t *part) {
    *part = H5Dopen2(group, name, H5P_DEFAULT);
    return *part >= 0 ? VEL_OK : vel_h5_fail(ctx, VEL_EFORMAT, "%s has no %s", vel_h5ad_where(ctx, s), name);
}

static vel_err keep_codes(vel_ctx *ctx, const vel_h5ad_source *s, const int64_t *codes, const char *const *categories,
                          int64_t n_categories, vel_field *out) {
    VEL_TRY(vel_field_categorical(ctx, s->rows.k, categories, n_categories, out));
    for (int64_t i = 0; i < s->rows.k; i++) {
        int64_t code = codes[at(&s->rows, i)];
        if (code >= n_categories)
            return vel_fail(ctx, VEL_EFORMAT, "%s has code %lld, but %lld categories", vel_h5ad_where(ctx, s),
                            (long long)code, (long long)n_categories);
        out->codes[i] = code < 0 ? -1 : (int32_t)code;
    }
    return VEL_OK;
}

static bool is_ordered(hid_t object) {
    if (!vel_h5_has_attr(object, "ordered")) return false;
    H5_OWNED hid_t attribute = H5Aopen(object, "ordered", H5P_DEFAULT), type = H5Aget_type(attribute);
    H5_OWNED hid_t memory = vel_h5_memory_type(type, VEL_I8);
    int8_t value[16] = {0};
    if (!vel_h5_type_of(type) || H5Tget_size(memory) != 1) return false;
    return H5Aread(attribute, memory, value) >= 0 && value[0] != 0;
}

vel_err vel_h5ad_read_categorical(vel_ctx *ctx, const vel_h5ad_source *s, hid_t object, vel_field *out) {
    bool is_old = s->item->lies == VEL_LIES_OLD_CATEGORICAL;
    H5_OWNED hid_t codes = -1, categories = -1;
    VEL_TRY(open_part(ctx, s, is_old ? s->h->file : object, is_old ? s->item->object : "codes", &codes));
    VEL_TRY(open_part(ctx, s, is_old ? s->h->file : object, is_old ? s->item->categories : "categories", &categories));
    int64_t n = s->entry->rows, n_categories = -1, *values;
    const char **texts;
    VEL_TRY(vel_h5ad_vector(ctx, s, codes, VEL_I64, &n, &values));
    VEL_TRY(vel_h5ad_words(ctx, s, categories, &n_categories, &texts));
    VEL_TRY(keep_codes(ctx, s, values, texts, n_categories, out));
    out->ordered = is_ordered(is_old ? categories : object);
    return VEL_OK;
}

vel_err vel_h5ad_read_nullable(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, vel_field *out) {
    H5_OWNED hid_t values = -1, mask = -1;
    VEL_TRY(open_part(ctx, s, group, "values", &values));
    VEL_TRY(open_part(ctx, s, group, "mask", &mask));
    int64_t n = s->entry->rows, missing = 0;
    int8_t *flags;
    VEL_TRY(vel_h5ad_vector(ctx, s, mask, VEL_I8, &n, &flags));
    if (s->entry->kind == VEL_TEXTS) {
        const char **texts;
        VEL_TRY(vel_h5ad_words(ctx, s, values, &n, &texts));
        for (int64_t i = 0; i < n; i++)
            if (flags[i]) texts[i] = NULL;
        return keep_words(ctx, s, texts, out);
    }
    VEL_TRY(vel_h5ad_read_dense(ctx, s, values, out));
    for (int64_t i = 0; i < s->rows.k; i++) missing += flags[at(&s->rows, i)] != 0;
    if (!missing) return VEL_OK;
    VEL_TRY(vel_own(ctx, s->rows.k, 1, &out->mask));
    for (int64_t i = 0; i < s->rows.k; i++) out->mask[i] = flags[at(&s->rows, i)] != 0;
    return VEL_OK;
}
