#include "io/h5_chunks.h"

#include <libdeflate.h>
#include <string.h>

#include "core/par.h"
#include "io/h5.h"
#include "io/h5_filters.h"
#include "io/shuffle.h"

enum { BATCH_BYTES = 8 << 20 };

/* ---- which datasets */

static bool known_filters(hid_t list, vel_h5_chunks *c) {
    bool is_compressed = false;
    c->n_filters = H5Pget_nfilters(list);
    if (c->n_filters < 1 || c->n_filters > VEL_H5_MOST_FILTERS) return false;
    for (int i = 0; i < c->n_filters; i++) {
        unsigned flags, config;
        size_t n = 0;
        c->filters[i] = H5Pget_filter2(list, (unsigned)i, &flags, &n, NULL, 0, NULL, &config);
        bool compresses =
            c->filters[i] == H5Z_FILTER_DEFLATE || c->filters[i] == VEL_H5_LZF || c->filters[i] == VEL_H5_ZSTD;
        if (!compresses && c->filters[i] != H5Z_FILTER_SHUFFLE) return false;
        is_compressed = is_compressed || compresses;
    }
    return is_compressed;
}

static bool zero_fill(hid_t list, hid_t type) {
    char value[16] = {0};
    H5D_fill_value_t defined;
    if (H5Tget_size(type) > sizeof value || H5Pfill_value_defined(list, &defined) < 0) return false;
    if (defined != H5D_FILL_VALUE_USER_DEFINED) return true;
    if (H5Pget_fill_value(list, type, value) < 0) return false;
    for (size_t i = 0; i < sizeof value; i++)
        if (value[i]) return false;
    return true;
}

bool vel_h5_chunks_of(hid_t dataset, vel_h5_chunks *c) {
    hsize_t dims[VEL_H5_DIMS], chunk[VEL_H5_DIMS];
    H5_OWNED hid_t list = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
    *c = (vel_h5_chunks){.dataset = dataset, .ndim = vel_h5_shape(dataset, dims), .type = vel_h5_type_of(type)};
    if (c->ndim < 1 || c->ndim > 2 || !c->type || c->type == VEL_BOOL || c->type == VEL_F16) return false;
    if (H5Tequal(type, vel_h5_native(c->type)) <= 0 || H5Pget_layout(list) != H5D_CHUNKED) return false;
    if (H5Pget_chunk(list, VEL_H5_DIMS, chunk) != c->ndim || !known_filters(list, c) || !zero_fill(list, type))
        return false;
    for (int i = 0; i < 2; i++) {
        c->dims[i] = i < c->ndim ? (int64_t)dims[i] : 1;
        c->chunk[i] = i < c->ndim ? (int64_t)chunk[i] : 1;
    }
    return true;
}

/* ---- one chunk, from its bytes in the file to elements */

typedef struct {
    int64_t row, col; /* of its first element */
    size_t n;         /* bytes in the file */
    unsigned skipped; /* filters that were left out when it was written */
    char *bytes;
} raw_chunk;

typedef struct {
    const vel_h5_chunks *c;
    vel_type type;
    vel_h5_use use;
    void *arg;
    raw_chunk *chunks;
    struct libdeflate_decompressor **inflaters; /* one a worker */
} batch;

static bool inflate_bytes(const batch *b, const char *in, size_t n, char *out, size_t size) {
    size_t got = 0;
    enum libdeflate_result result = libdeflate_zlib_decompress(b->inflaters[vel_worker()], in, n, out, size, &got);
    return result == LIBDEFLATE_SUCCESS && got == size;
}

/* Undoes one filter; size: the bytes of a whole chunk. */
static bool undo(const batch *b, int filter, const char *in, size_t n, char *out, size_t size) {
    if (filter == H5Z_FILTER_DEFLATE) return inflate_bytes(b, in, n, out, size);
    if (filter != H5Z_FILTER_SHUFFLE) return vel_h5_decompress(filter, in, n, out, size);
    size_t element = vel_type_size(b->c->type);
    if (n != size) return false;
    vel_unshuffle(in, out, n / element, element);
    return true;
}

#define CONVERT_FROM(TAG, T)                                                                \
    case TAG:                                                                               \
        if (to == VEL_F32)                                                                  \
            for (size_t i = 0; i < n; i++) ((float *)out)[i] = (float)((const T *)in)[i];   \
        else                                                                                \
            for (size_t i = 0; i < n; i++) ((double *)out)[i] = (double)((const T *)in)[i]; \
        break;

static void to_real(vel_type from, vel_type to, const void *in, void *out, size_t n) {
    switch (from) {
        CONVERT_FROM(VEL_I8, int8_t)
        CONVERT_FROM(VEL_I16, int16_t)
        CONVERT_FROM(VEL_I32, int32_t)
        CONVERT_FROM(VEL_I64, int64_t)
        CONVERT_FROM(VEL_U8, uint8_t)
        CONVERT_FROM(VEL_U16, uint16_t)
        CONVERT_FROM(VEL_U32, uint32_t)
        CONVERT_FROM(VEL_U64, uint64_t)
        CONVERT_FROM(VEL_F32, float)
        CONVERT_FROM(VEL_F64, double)
        default:
            break;
    }
}

/* CLAMP(x): an int64_t or uint64_t brought between the limits of int32_t. */
#define INDEX_FROM(TAG, T, CLAMP)                                                   \
    case TAG:                                                                       \
        for (size_t i = 0; i < n; i++) out[i] = (int32_t)CLAMP(((const T *)in)[i]); \
        break;
#define FITS(x) (x)
#define FROM_ABOVE(x) ((x) > INT32_MAX ? INT32_MAX : (x))
#define FROM_BOTH(x) ((x) < INT32_MIN ? INT32_MIN : FROM_ABOVE(x))

static void to_index(vel_type from, const void *in, int32_t *out, size_t n) {
    switch (from) {
        INDEX_FROM(VEL_I8, int8_t, FITS)
        INDEX_FROM(VEL_I16, int16_t, FITS)
        INDEX_FROM(VEL_I64, int64_t, FROM_BOTH)
        INDEX_FROM(VEL_U8, uint8_t, FITS)
        INDEX_FROM(VEL_U16, uint16_t, FITS)
        INDEX_FROM(VEL_U32, uint32_t, FROM_ABOVE)
        INDEX_FROM(VEL_U64, uint64_t, FROM_ABOVE)
        default:
            break;
    }
}

/* The elements as they are wanted: where they are already, or converted into other memory. */
static vel_err convert(vel_ctx *ctx, const batch *b, const char *in, size_t n, const void **out) {
    vel_type from = b->c->type;
    *out = in;
    if (from == b->type) return VEL_OK;
    void *made = vel_arena_alloc(ctx->scratch, n, vel_type_size(b->type));
    if (!made) return vel_no_memory(ctx, n, vel_type_size(b->type));
    if (b->type == VEL_I32)
        to_index(from, in, made, n);
    else
        to_real(from, b->type, in, made, n);
    *out = made;
    return VEL_OK;
}

static vel_err open_chunk(vel_ctx *ctx, int64_t i, void *arg) {
    const batch *b = arg;
    const vel_h5_chunks *c = b->c;
    const raw_chunk *raw = &b->chunks[i];
    size_t n = (size_t)(c->chunk[0] * c->chunk[1]), size = n * vel_type_size(c->type), length = raw->n;
    const char *in = raw->bytes;
    for (int k = c->n_filters; k-- > 0;) {
        if (raw->skipped >> k & 1) continue;
        char *out = vel_arena_alloc(ctx->scratch, size, 1);
        if (!out) return vel_no_memory(ctx, size, 1);
        if (!undo(b, c->filters[k], in, length, out, size))
            return vel_fail(ctx, VEL_EFORMAT, "the compressed chunk at (%lld, %lld) is damaged", (long long)raw->row,
                            (long long)raw->col);
        in = out;
        length = size;
    }
    if (length != size)
        return vel_fail(ctx, VEL_EFORMAT, "the chunk at (%lld, %lld) is too short", (long long)raw->row,
                        (long long)raw->col);
    vel_h5_chunk chunk = {NULL, raw->row, raw->col, c->dims[0] - raw->row, c->dims[1] - raw->col, c->chunk[1]};
    if (chunk.rows > c->chunk[0]) chunk.rows = c->chunk[0];
    if (chunk.cols > c->chunk[1]) chunk.cols = c->chunk[1];
    VEL_TRY(convert(ctx, b, in, n, &chunk.elements));
    b->use(&chunk, b->arg);
    return VEL_OK;
}

/* ---- batches: read by one thread, opened by all */

/* Looks through all chunks, so it is asked only where the size is not to be had. */
static bool was_written(const vel_h5_chunks *c, const hsize_t *at) {
    unsigned mask;
    hsize_t n;
    haddr_t address = HADDR_UNDEF;
    H5Eclear2(H5E_DEFAULT);
    return H5Dget_chunk_info_by_coord(c->dataset, at, &mask, &address, &n) < 0 || address != HADDR_UNDEF;
}

static vel_err read_raw(vel_ctx *ctx, const vel_h5_chunks *c, raw_chunk *raw) {
    hsize_t at[2] = {(hsize_t)raw->row, (hsize_t)raw->col}, n = 0;
    uint32_t skipped = 0;
    if (H5Dget_chunk_storage_size(c->dataset, at, &n) < 0) {
        if (was_written(c, at)) return vel_h5_fail(ctx, VEL_EREAD, "a chunk cannot be read");
        n = 0;
    }
    raw->n = n;
    if (!n) return VEL_OK;
    raw->bytes = vel_arena_alloc(ctx->scratch, n, 1);
    if (!raw->bytes) return vel_no_memory(ctx, n, 1);
    if (H5Dread_chunk(c->dataset, H5P_DEFAULT, at, &skipped, raw->bytes) < 0)
        return vel_h5_fail(ctx, VEL_EREAD, "a chunk cannot be read");
    raw->skipped = skipped;
    return VEL_OK;
}

static vel_err each_batch(vel_ctx *ctx, batch *b, const vel_h5_part *part, int64_t most) {
    const vel_h5_chunks *c = b->c;
    int64_t first_row = part->row / c->chunk[0] * c->chunk[0], first_col = part->col / c->chunk[1] * c->chunk[1];
    int64_t row = first_row, col = first_col, n = 0;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    while (row < part->row + part->rows) {
        b->chunks[n] = (raw_chunk){.row = row, .col = col};
        VEL_TRY(read_raw(ctx, c, &b->chunks[n]));
        if (b->chunks[n].n) n++;
        col += c->chunk[1];
        if (col >= part->col + part->cols) {
            col = first_col;
            row += c->chunk[0];
        }
        if (n < most && row < part->row + part->rows) continue;
        VEL_TRY(vel_for(ctx, NULL, n, open_chunk, b));
        vel_arena_release(ctx->scratch, mark);
        n = 0;
    }
    return VEL_OK;
}

vel_err vel_h5_chunks_each(vel_ctx *ctx, const vel_h5_chunks *c, vel_type type, const vel_h5_part *part, vel_h5_use use,
                           void *arg) {
    batch b = {.c = c, .type = type, .use = use, .arg = arg};
    int64_t bytes;
    if (__builtin_mul_overflow(c->chunk[0], c->chunk[1], &bytes) || __builtin_mul_overflow(bytes, 8, &bytes))
        return vel_no_memory(ctx, SIZE_MAX, 1);
    int64_t most = BATCH_BYTES / bytes;
    if (most < ctx->threads) most = ctx->threads;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = VEL_ALLOC(ctx, b.chunks, most);
    if (!e) e = VEL_ZALLOC(ctx, b.inflaters, ctx->threads);
    for (int i = 0; i < ctx->threads && !e; i++) {
        b.inflaters[i] = libdeflate_alloc_decompressor();
        if (!b.inflaters[i]) e = vel_no_memory(ctx, 1, 1);
    }
    if (!e) e = each_batch(ctx, &b, part, most);
    for (int i = 0; b.inflaters && i < ctx->threads; i++) libdeflate_free_decompressor(b.inflaters[i]);
    vel_arena_release(ctx->scratch, mark);
    return e == VEL_EREAD || e == VEL_EFORMAT ? vel_h5_at(ctx, e, c->dataset) : e;
}

/* ---- copies */

typedef struct {
    int ndim;
    hsize_t dims[VEL_H5_DIMS], chunk[VEL_H5_DIMS];
} layout;

static bool layout_of(hid_t dataset, layout *l) {
    H5_OWNED hid_t list = H5Dget_create_plist(dataset);
    l->ndim = vel_h5_shape(dataset, l->dims);
    return l->ndim > 0 && H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, VEL_H5_DIMS, l->chunk) == l->ndim;
}

static bool are_alike(hid_t from, hid_t to, layout *l) {
    layout other;
    H5_OWNED hid_t a = H5Dget_type(from), b = H5Dget_type(to);
    H5_OWNED hid_t p = H5Dget_create_plist(from), q = H5Dget_create_plist(to);
    if (!layout_of(from, l) || !layout_of(to, &other) || l->ndim != other.ndim) return false;
    size_t n = (size_t)l->ndim * sizeof(hsize_t);
    return !memcmp(l->dims, other.dims, n) && !memcmp(l->chunk, other.chunk, n) && H5Tequal(a, b) > 0 &&
           !vel_h5_holds_pointers(a) && H5Pget_nfilters(p) == H5Pget_nfilters(q);
}

/* The next chunk's place, the last dimension running fastest; false: there is none. */
static bool advance(const layout *l, hsize_t *at) {
    for (int i = l->ndim; i-- > 0;) {
        at[i] += l->chunk[i];
        if (at[i] < l->dims[i]) return true;
        at[i] = 0;
    }
    return false;
}

static bool copy_chunk(vel_ctx *ctx, hid_t from, hid_t to, const hsize_t *at) {
    hsize_t n = 0;
    uint32_t skipped = 0;
    if (H5Dget_chunk_storage_size(from, at, &n) < 0) {
        const vel_h5_chunks c = {.dataset = from};
        return !was_written(&c, at);
    }
    void *bytes = vel_arena_alloc(ctx->scratch, n, 1);
    return bytes && (!n || (H5Dread_chunk(from, H5P_DEFAULT, at, &skipped, bytes) >= 0 &&
                            H5Dwrite_chunk(to, H5P_DEFAULT, skipped, at, n, bytes) >= 0));
}

bool vel_h5_chunks_copy(vel_ctx *ctx, hid_t from, hid_t to) {
    layout l;
    hsize_t at[VEL_H5_DIMS] = {0};
    bool good = are_alike(from, to, &l);
    for (int i = 0; good && i < l.ndim; i++)
        if (!l.dims[i]) return true;
    while (good) {
        vel_mark mark = vel_arena_mark(ctx->scratch);
        good = copy_chunk(ctx, from, to, at);
        vel_arena_release(ctx->scratch, mark);
        if (!advance(&l, at)) break;
    }
    H5Eclear2(H5E_DEFAULT);
    return good;
}
