/* Reading compound datasets: numpy record arrays, and the members of old data frames. */
#include <string.h>

#include "io/h5_filters.h"
#include "io/h5ad_impl.h"

/* A compound type of one member, to read only that. */
static hid_t one_member(hid_t member, const char *name) {
    hid_t type = H5Tcreate(H5T_COMPOUND, H5Tget_size(member));
    if (type >= 0) H5Tinsert(type, name, 0, member);
    return type;
}

static hid_t text_memory(hid_t type) {
    hid_t memory = H5Tcopy(type);
    if (H5Tis_variable_str(type) > 0) return memory;
    H5Tset_size(memory, H5Tget_size(type) + 1);
    H5Tset_strpad(memory, H5T_STR_NULLTERM);
    return memory;
}

static hid_t number_memory(hid_t type, vel_type to) {
    if (H5Tget_class(type) != H5T_ARRAY) return vel_h5_memory_type(type, to);
    hsize_t cols;
    H5Tget_array_dims2(type, &cols);
    H5_OWNED hid_t base = H5Tget_super(type);
    H5_OWNED hid_t memory = vel_h5_memory_type(base, to);
    return H5Tarray_create2(memory, 1, &cols);
}

static vel_err read_member(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t memory, const char *name,
                           void *to) {
    H5_OWNED hid_t type = one_member(memory, name);
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
        return vel_h5_fail(ctx, VEL_EREAD, "%s of %s cannot be read", name, vel_h5ad_where(ctx, s));
    return VEL_OK;
}

static vel_err member_words(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t member, const char *name,
                            int64_t n, const char **texts) {
    H5_OWNED hid_t memory = text_memory(member);
    size_t size = H5Tget_size(memory);
    char *bytes = vel_arena_zalloc(ctx->scratch, (size_t)n, size);
    if (!bytes) return vel_no_memory(ctx, (size_t)n, size);
    vel_err e = n ? read_member(ctx, s, dataset, memory, name, bytes) : VEL_OK;
    bool is_variable = H5Tis_variable_str(member) > 0;
    for (int64_t i = 0; i < n; i++) {
        texts[i] = bytes + (size_t)i * size;
        if (!is_variable) continue;
        char *read = ((char **)bytes)[i];
        texts[i] = e ? NULL : vel_arena_strdup(ctx->scratch, read ? read : "");
        if (!texts[i] && !e) e = vel_no_memory(ctx, 1, 1);
        H5free_memory(read);
    }
    return e;
}

static vel_err member_numbers(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t member, const char *name,
                              int64_t cols, vel_field *out) {
    bool is_array = H5Tget_class(member) == H5T_ARRAY;
    H5_OWNED hid_t base = is_array ? H5Tget_super(member) : H5Tcopy(member);
    vel_type origin = vel_h5_type_of(base);
    vel_type type = origin == VEL_F16 ? VEL_F32 : origin;
    if (is_array && type != VEL_F32) type = VEL_F64;
    if (is_array && origin == VEL_BOOL)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is not understood", name, vel_h5ad_where(ctx, s));
    VEL_TRY(vel_field_dense(ctx, type, (vel_extent){is_array ? 2 : 1, s->entry->rows, cols}, out));
    out->origin = origin;
    H5_OWNED hid_t memory = number_memory(member, type);
    return s->entry->rows ? read_member(ctx, s, dataset, memory, name, out->data) : VEL_OK;
}

static vel_err read_column(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t member, const char *name,
                           int64_t cols, vel_field *out) {
    if (H5Tget_class(member) != H5T_STRING) return member_numbers(ctx, s, dataset, member, name, cols, out);
    const char **texts;
    VEL_TRY(VEL_ALLOC(ctx, texts, s->entry->rows));
    VEL_TRY(member_words(ctx, s, dataset, member, name, s->entry->rows, texts));
    return vel_field_texts(ctx, texts, s->entry->rows, out);
}

/* Flags of what a pick keeps; NULL: all. */
static vel_err flags_of(vel_ctx *ctx, const vel_pick *pick, int64_t n, uint8_t **keep) {
    *keep = NULL;
    if (!pick->index) return VEL_OK;
    VEL_TRY(VEL_ZALLOC(ctx, *keep, n));
    for (int64_t k = 0; k < pick->k; k++) (*keep)[pick->index[k]] = 1;
    return VEL_OK;
}

vel_err vel_h5ad_read_records(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) {
    VEL_TRY(vel_h5_check_readable(ctx, dataset, vel_h5ad_where(ctx, s)));
    H5_OWNED hid_t type = H5Dget_type(dataset);
    int n = H5Tget_nmembers(type);
    const char **names;
    uint8_t *keep;
    *out = (vel_field){.kind = VEL_RECORDS, .ndim = 1, .rows = s->entry->rows, .cols = 1, .n_columns = n};
    VEL_TRY(VEL_ALLOC(ctx, names, n));
    VEL_TRY(vel_own(ctx, n, sizeof *out->columns, &out->columns));
    for (int i = 0; i < n; i++) {
        H5_OWNED hid_t member = H5Tget_member_type(type, (unsigned)i);
        char *name = H5Tget_member_name(type, (unsigned)i);
        names[i] = name ? vel_arena_strdup(ctx->scratch, name) : NULL;
        if (name) H5free_memory(name);
        if (!names[i]) return vel_no_memory(ctx, 1, 1);
        VEL_TRY(read_column(ctx, s, dataset, member, names[i], 1, &out->columns[i]));
    }
    VEL_TRY(vel_pack_texts(ctx, names, n, &out->names));
    VEL_TRY(flags_of(ctx, &s->rows, s->entry->rows, &keep));
    if (keep) vel_field_cut(out, keep, NULL);
    return VEL_OK;
}

static vel_err member_categorical(vel_ctx *ctx, const vel_h5ad_source *s, const vel_field *codes, vel_field *out) {
    H5_OWNED hid_t categories = -1;
    int64_t n = -1;
    const char **texts;
    VEL_TRY(vel_h5ad_open_object(ctx, s->h, s->item->categories, &categories));
    VEL_TRY(vel_h5ad_words(ctx, s, categories, &n, &texts));
    VEL_TRY(vel_field_categorical(ctx, codes->rows, texts, n, out));
    for (int64_t i = 0; i < codes->rows; i++) {
        double code = vel_field_real(codes, i);
        if (code >= (double)n)
            return vel_fail(ctx, VEL_EFORMAT, "%s has code %g, but %lld categories", vel_h5ad_where(ctx, s), code,
                            (long long)n);
        out->codes[i] = code < 0 ? -1 : (int32_t)code;
    }
    return VEL_OK;
}

vel_err vel_h5ad_read_member(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) {
    VEL_TRY(vel_h5_check_readable(ctx, dataset, vel_h5ad_where(ctx, s)));
    H5_OWNED hid_t type = H5Dget_type(dataset);
    int number = H5Tget_member_index(type, s->item->member);
    if (number < 0) return vel_h5_fail(ctx, VEL_EFORMAT, "%s is gone", vel_h5ad_where(ctx, s));
    H5_OWNED hid_t member = H5Tget_member_type(type, (unsigned)number);
    VEL_TRY(read_column(ctx, s, dataset, member, s->item->member, s->entry->cols, out));
    if (s->item->categories) {
        vel_field codes = *out;
        *out = (vel_field){.kind = VEL_ABSENT};
        vel_err e = member_categorical(ctx, s, &codes, out);
        vel_field_free(&codes);
        VEL_TRY(e);
    }
    uint8_t *keep;
    VEL_TRY(flags_of(ctx, &s->rows, s->entry->rows, &keep));
    if (keep) vel_field_cut(out, keep, NULL);
    return VEL_OK;
}
