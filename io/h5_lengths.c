#include "io/h5_lengths.h"

#include "io/h5.h"

/* What an element of variable length is in the file: its length (4 bytes), where the heap that holds it begins (8), and
 * which piece of the heap it is (4). */
enum { REFERENCE = 16, PIECE = 1 << 16 };

/* A piece of a heap takes so many bytes at least. HDF5 believes its number, and ends by a memory fault. */
enum { LEAST_PIECE = 16 };

/* ---- references as they are: HDF5 is taught to hand them out as opaque bytes */

static herr_t keep_references(hid_t from, hid_t to, H5T_cdata_t *conversion, size_t n, size_t stride, size_t bkg_stride,
                              void *bytes, void *bkg, hid_t transfer) {
    (void)n, (void)stride, (void)bkg_stride, (void)bytes, (void)bkg, (void)transfer;
    conversion->need_bkg = H5T_BKG_NO;
    if (conversion->command != H5T_CONV_INIT) return 0;
    return H5Tget_size(from) == REFERENCE && H5Tget_size(to) == REFERENCE ? 0 : -1;
}

/* The memory type of an element's references, one behind the other; -1: it has none. */
static hid_t references_type(hid_t type) {
    H5T_class_t class = H5Tget_class(type);
    if (!vel_h5_holds_pointers(type)) return -1;
    if (class == H5T_ARRAY) {
        hsize_t dims[VEL_H5_DIMS];
        H5_OWNED hid_t base = H5Tget_super(type), inner = references_type(base);
        int ndim = H5Tget_array_dims2(type, dims);
        return H5Tarray_create2(inner, (unsigned)ndim, dims);
    }
    if (class != H5T_COMPOUND) return H5Tcreate(H5T_OPAQUE, REFERENCE);
    hid_t made = H5Tcreate(H5T_COMPOUND, 1);
    int members = H5Tget_nmembers(type);
    for (int i = 0, used = 0; i < members; i++) {
        H5_OWNED hid_t member = H5Tget_member_type(type, (unsigned)i), inner = references_type(member);
        if (inner < 0) continue;
        char *name = H5Tget_member_name(type, (unsigned)i);
        int size = (int)H5Tget_size(inner);
        H5Tset_size(made, (size_t)(used + size));
        H5Tinsert(made, name, (size_t)used, inner);
        H5free_memory(name);
        used += size;
    }
    return made;
}

/* ---- an object's references, a piece at a time */

typedef struct {
    hid_t object, type; /* type: of the references of an element */
    size_t each;        /* of them, an element */
    hsize_t file;       /* bytes */
} checker;

static vel_err refuse(vel_ctx *ctx, const checker *c, const char *what, uint64_t value, uint64_t heap) {
    bool is_attribute = H5Iget_type(c->object) == H5I_ATTR;
    char attribute[256] = "";
    if (is_attribute) H5Aget_name(c->object, sizeof attribute, attribute);
    vel_err e = vel_fail(ctx, VEL_EREAD, "%s%s%sthe %s %llu of a text is damaged: it is to lie at %llu of %llu bytes",
                         is_attribute ? "attribute " : "", attribute, is_attribute ? ": " : "", what,
                         (unsigned long long)value, (unsigned long long)heap, (unsigned long long)c->file);
    return vel_h5_at(ctx, e, c->object);
}

static vel_err check_references(vel_ctx *ctx, const checker *c, const uint8_t *bytes, size_t n) {
    for (const uint8_t *at = bytes; at < bytes + n * REFERENCE; at += REFERENCE) {
        uint64_t length = 0, heap = 0, number = 0; /* little-endian */
        for (int i = 4; i-- > 0;) length = length << 8 | at[i];
        for (int i = 12; i-- > 4;) heap = heap << 8 | at[i];
        for (int i = 16; i-- > 12;) number = number << 8 | at[i];
        if (length == 0) continue;
        if (heap > c->file || length > c->file - heap) return refuse(ctx, c, "length", length, heap);
        if (number > (c->file - heap) / LEAST_PIECE) return refuse(ctx, c, "number", number, heap);
    }
    return VEL_OK;
}

/* What HDF5 cannot read so it cannot read at all, which is told better there: there is no more to look at. */
static vel_err check_part(vel_ctx *ctx, const checker *c, hid_t space, size_t elements, bool *more) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    size_t n = elements * c->each;
    uint8_t *bytes = vel_arena_zalloc(ctx->scratch, n, REFERENCE);
    if (!bytes) return vel_no_memory(ctx, n, REFERENCE);
    hsize_t count = elements;
    H5_OWNED hid_t flat = H5Screate_simple(1, &count, NULL);
    herr_t failed = H5Iget_type(c->object) == H5I_ATTR ? H5Aread(c->object, c->type, bytes)
                                                       : H5Dread(c->object, c->type, flat, space, H5P_DEFAULT, bytes);
    if (failed < 0) H5Eclear2(H5E_DEFAULT);
    *more = failed >= 0;
    vel_err e = *more ? check_references(ctx, c, bytes, n) : VEL_OK;
    vel_arena_release(ctx->scratch, mark);
    return e;
}

static vel_err check_rows(vel_ctx *ctx, const checker *c, hid_t space) {
    hsize_t dims[VEL_H5_DIMS], start[VEL_H5_DIMS] = {0}, row = 1;
    bool more = true;
    int ndim = H5Sget_simple_extent_dims(space, dims, NULL);
    if (ndim < 1 || H5Iget_type(c->object) == H5I_ATTR)
        return check_part(ctx, c, H5S_ALL, (size_t)H5Sget_simple_extent_npoints(space), &more);
    hsize_t rows = dims[0], tile;
    for (int i = 1; i < ndim; i++) row *= dims[i];
    tile = PIECE / c->each > row ? PIECE / c->each / row : 1;
    for (; more && start[0] < rows; start[0] += tile) {
        dims[0] = rows - start[0] < tile ? rows - start[0] : tile;
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, dims, NULL) < 0) return VEL_OK;
        VEL_TRY(vel_poll(ctx));
        VEL_TRY(check_part(ctx, c, space, (size_t)(dims[0] * row), &more));
    }
    return VEL_OK;
}

/* Nothing was written, or it lies in other files. */
static bool is_elsewhere(hid_t object) {
    if (H5Iget_type(object) != H5I_DATASET) return false;
    H5_OWNED hid_t list = H5Dget_create_plist(object);
    return H5Dget_storage_size(object) == 0 || H5Pget_layout(list) == H5D_VIRTUAL;
}

static vel_err check_all(vel_ctx *ctx, checker *c, hid_t space) {
    H5_OWNED hid_t file = H5Iget_file_id(c->object), text = vel_h5_text_type(), bytes = H5Tcreate(H5T_OPAQUE, 1);
    if (H5Fget_filesize(file, &c->file) < 0) return VEL_OK;
    H5Tregister(H5T_PERS_SOFT, "references", text, bytes, keep_references);
    vel_err e = check_rows(ctx, c, space);
    H5Tunregister(H5T_PERS_SOFT, NULL, -1, -1, keep_references);
    return e;
}

vel_err vel_h5_check_lengths(vel_ctx *ctx, hid_t object) {
    bool is_attribute = H5Iget_type(object) == H5I_ATTR;
    H5_OWNED hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
    H5_OWNED hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
    H5_OWNED hid_t references = type < 0 ? -1 : references_type(type);
    if (references < 0 || space < 0 || H5Sget_simple_extent_npoints(space) < 1 || is_elsewhere(object)) return VEL_OK;
    checker c = {.object = object, .type = references, .each = H5Tget_size(references) / REFERENCE};
    return check_all(ctx, &c, space);
}

/* ---- attributes */

typedef struct {
    vel_ctx *ctx;
    vel_err err;
} attributes;

static herr_t check_attribute(hid_t object, const char *name, const H5A_info_t *info, void *arg) {
    (void)info;
    attributes *a = arg;
    H5_OWNED hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute >= 0) a->err = vel_h5_check_lengths(a->ctx, attribute);
    return a->err != VEL_OK;
}

vel_err vel_h5_check_attributes(vel_ctx *ctx, hid_t object) {
    attributes a = {ctx, VEL_OK};
    hsize_t at = 0;
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, check_attribute, &a) < 0) H5Eclear2(H5E_DEFAULT);
    return a.err;
}
