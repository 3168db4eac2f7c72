/* Copies of datasets with rows and columns left out, of any element type: bytes are moved, not understood. Compressed
 * chunks are opened and made by all threads where they are of a sort that we know. */
#include <string.h>

#include "io/h5_chunks.h"
#include "io/h5_filters.h"
#include "io/h5_pack.h"
#include "io/h5_room.h"
#include "io/h5ad_impl.h"

enum { TILE_BYTES = 4 << 20, SENT_BYTES = 1 << 20 }; /* what is read at once; what is sent off at once, at least */

static vel_err cannot(vel_ctx *ctx, const vel_h5ad_output *out, const char *name) {
    return vel_h5_fail(ctx, VEL_EWRITE, "%s cannot be cut from %s to %s", name, out->from->name, out->name);
}

/* ---- a dataset like another, of another shape: the same type, chunks and compression */

static hid_t creation_like(hid_t from, int ndim, const hsize_t *dims) {
    hsize_t chunk[VEL_H5_DIMS];
    bool is_empty = false;
    for (int i = 0; i < ndim; i++) is_empty = is_empty || dims[i] == 0;
    hid_t list = H5Dget_create_plist(from);
    if (H5Pget_layout(list) != H5D_CHUNKED || is_empty || H5Pget_chunk(list, VEL_H5_DIMS, chunk) != ndim) {
        vel_h5_close(&list);
        list = H5Pcreate(H5P_DATASET_CREATE);
    } else {
        for (int i = 0; i < ndim; i++)
            if (chunk[i] > dims[i]) chunk[i] = dims[i];
        H5Pset_chunk(list, ndim, chunk);
    }
    H5Pset_obj_track_times(list, false);
    return list;
}

vel_err vel_h5ad_make_like(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_like *like, hid_t *made) {
    H5_OWNED hid_t space = H5Screate_simple(like->ndim, like->dims, NULL);
    H5_OWNED hid_t list = creation_like(like->from, like->ndim, like->dims), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    *made = H5Dcreate2(like->group, like->name, like->type, space, links, list, H5P_DEFAULT);
    return *made >= 0 ? VEL_OK : cannot(ctx, out, like->name);
}

/* ---- rows */

typedef struct {
    hid_t from, to, type;
    int ndim;
    hsize_t dims[VEL_H5_DIMS], kept[VEL_H5_DIMS];
    size_t size, row_bytes, col_bytes; /* of an element; of a row; of what one column index stands for */
    size_t kept_bytes;                 /* of a row that is cut */
    const vel_pick *rows, *cols;       /* cols NULL: all */
    hsize_t tile;                      /* rows a tile */
    char *bytes;
    vel_h5_chunks chunks; /* if is_opened: how its chunks are opened */
    vel_h5_form form;     /* if is_packed: how they are made */
    bool is_opened, is_packed;
    const char *name; /* for messages */
} cutter;

static herr_t transfer(const cutter *c, hid_t dataset, const hsize_t *dims, hsize_t first, hsize_t n, void *bytes,
                       bool reading) {
    hsize_t start[VEL_H5_DIMS] = {first}, count[VEL_H5_DIMS];
    memcpy(count, dims, (size_t)c->ndim * sizeof *count);
    count[0] = n;
    H5_OWNED hid_t space = H5Dget_space(dataset), flat = H5Screate_simple(c->ndim, count, NULL);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0) return -1;
    return reading ? H5Dread(dataset, c->type, flat, space, H5P_DEFAULT, bytes)
                   : H5Dwrite(dataset, c->type, flat, space, H5P_DEFAULT, bytes);
}

typedef struct {
    const cutter *c;
    hsize_t first;
} tile;

static void place_chunk(const vel_h5_chunk *chunk, void *arg) {
    const tile *t = arg;
    const cutter *c = t->c;
    char *to = c->bytes + ((size_t)chunk->row - t->first) * c->row_bytes + (size_t)chunk->col * c->size;
    for (int64_t i = 0; i < chunk->rows; i++)
        memcpy(to + (size_t)i * c->row_bytes, (const char *)chunk->elements + (size_t)(i * chunk->stride) * c->size,
               (size_t)chunk->cols * c->size);
}

static vel_err read_tile(vel_ctx *ctx, const vel_h5ad_output *out, const cutter *c, hsize_t first, hsize_t n) {
    if (!c->is_opened)
        return transfer(c, c->from, c->dims, first, n, c->bytes, true) < 0 ? cannot(ctx, out, c->name) : VEL_OK;
    tile t = {c, first};
    memset(c->bytes, 0, n * c->row_bytes); /* for chunks that are not there */
    const vel_h5_part part = {(int64_t)first, 0, (int64_t)n, c->chunks.dims[1]};
    return vel_h5_chunks_each(ctx, &c->chunks, c->chunks.type, &part, place_chunk, &t);
}

static vel_err write_rows(vel_ctx *ctx, const vel_h5ad_output *out, const cutter *c, hsize_t first, hsize_t n,
                          void *bytes) {
    if (!n) return VEL_OK;
    if (!c->is_packed) {
        if (transfer(c, c->to, c->kept, first, n, bytes, false) < 0) return cannot(ctx, out, c->name);
        if (n * c->kept_bytes >= SENT_BYTES) vel_h5_send_off_all(out->file);
        return VEL_OK;
    }
    const vel_h5_array a = {.elements = bytes,
                            .ndim = c->ndim,
                            .rows = (int64_t)n,
                            .cols = c->ndim > 1 ? (int64_t)c->kept[1] : 1,
                            .size = c->size,
                            .name = c->name,
                            .file = out->name};
    return vel_h5_pack_rows(ctx, c->to, &c->form, (int64_t)first, &a);
}

/* Variable strings of a tile are HDF5's and go back to it, those left out too. */
static void reclaim(const cutter *c, hsize_t n, void *bytes) {
    if (!vel_h5_holds_pointers(c->type)) return;
    hsize_t count[VEL_H5_DIMS];
    memcpy(count, c->dims, sizeof count);
    count[0] = n;
    H5_OWNED hid_t flat = H5Screate_simple(c->ndim, count, NULL);
    H5Dvlen_reclaim(c->type, flat, H5P_DEFAULT, bytes);
}

/* Moves what is kept of the tile to `kept`; returns the rows. */
static hsize_t pick(const cutter *c, hsize_t first, hsize_t n, int64_t *next, char *kept) {
    hsize_t rows = 0;
    for (; *next < c->rows->k; ++*next, rows++) {
        hsize_t row = (hsize_t)(c->rows->index ? c->rows->index[*next] : *next);
        if (row >= first + n) break;
        const char *from = c->bytes + (row - first) * c->row_bytes;
        if (!c->cols || !c->cols->index) {
            memcpy(kept, from, c->row_bytes);
            kept += c->row_bytes;
            continue;
        }
        for (int64_t j = 0; j < c->cols->k; j++, kept += c->col_bytes)
            memcpy(kept, from + (size_t)c->cols->index[j] * c->col_bytes, c->col_bytes);
    }
    return rows;
}

/* Everything is kept. */
static vel_err copy_tiles(vel_ctx *ctx, const vel_h5ad_output *out, const cutter *c) {
    for (hsize_t first = 0; first < c->dims[0]; first += c->tile) {
        hsize_t n = c->dims[0] - first < c->tile ? c->dims[0] - first : c->tile;
        VEL_TRY(vel_poll(ctx));
        VEL_TRY(read_tile(ctx, out, c, first, n));
        vel_err e = write_rows(ctx, out, c, first, n, c->bytes);
        reclaim(c, n, c->bytes);
        VEL_TRY(e);
    }
    return VEL_OK;
}

/* What is kept waits in `kept` until it fills chunks, if these are made here: room for a tile and a chunk of rows. */
static vel_err cut_tiles(vel_ctx *ctx, const vel_h5ad_output *out, const cutter *c, char *kept) {
    int64_t next = 0;
    hsize_t written = 0, waiting = 0, band = c->is_packed ? (hsize_t)c->form.chunk[0] : 1;
    for (hsize_t first = 0; first < c->dims[0] && next < c->rows->k; first += c->tile) {
        hsize_t n = c->dims[0] - first < c->tile ? c->dims[0] - first : c->tile;
        VEL_TRY(vel_poll(ctx));
        VEL_TRY(read_tile(ctx, out, c, first, n));
        waiting += pick(c, first, n, &next, kept + waiting * c->kept_bytes);
        hsize_t ready = next < c->rows->k ? waiting / band * band : waiting;
        vel_err e = write_rows(ctx, out, c, written, ready, kept);
        reclaim(c, n, c->bytes);
        VEL_TRY(e);
        waiting -= ready;
        written += ready;
        memmove(kept, kept + ready * c->kept_bytes, waiting * c->kept_bytes);
    }
    return VEL_OK;
}

static vel_err measure(vel_ctx *ctx, const vel_h5ad_output *out, cutter *c, const char *name) {
    hsize_t chunk[VEL_H5_DIMS] = {1};
    H5_OWNED hid_t list = H5Dget_create_plist(c->from);
    if (H5Pget_layout(list) != H5D_CHUNKED || H5Pget_chunk(list, VEL_H5_DIMS, chunk) != c->ndim) chunk[0] = 1;
    c->size = c->col_bytes = H5Tget_size(c->type);
    c->is_opened = vel_h5_chunks_of(c->from, &c->chunks);
    for (int i = 2; i < c->ndim; i++)
        if (__builtin_mul_overflow(c->col_bytes, c->dims[i], &c->col_bytes)) return cannot(ctx, out, name);
    c->row_bytes = c->col_bytes;
    if (c->ndim > 1 && __builtin_mul_overflow(c->row_bytes, c->dims[1], &c->row_bytes)) return cannot(ctx, out, name);
    c->kept_bytes = c->cols && c->cols->index ? (size_t)c->cols->k * c->col_bytes : c->row_bytes;
    hsize_t most = c->row_bytes ? TILE_BYTES / c->row_bytes : 1;
    c->tile = most > chunk[0] ? most / chunk[0] * chunk[0] : chunk[0];
    if (c->tile > c->dims[0]) c->tile = c->dims[0];
    if (!c->tile) c->tile = 1;
    return VEL_OK;
}

vel_err vel_h5ad_cut_dataset(vel_ctx *ctx, const vel_h5ad_output *out, hid_t from, const vel_pick *rows,
                             const vel_pick *cols, hid_t to_group, const char *name) {
    cutter c = {.from = from, .rows = rows, .cols = cols, .name = name};
    VEL_TRY(vel_h5_check_readable(ctx, from, name));
    c.ndim = vel_h5_shape(from, c.dims);
    if (c.ndim < 1) return cannot(ctx, out, name);
    memcpy(c.kept, c.dims, sizeof c.kept);
    c.kept[0] = (hsize_t)rows->k;
    if (cols && c.ndim > 1) c.kept[1] = (hsize_t)cols->k;
    if (c.ndim == 1) c.cols = NULL;
    H5_OWNED hid_t type = H5Dget_type(from), to = -1;
    c.type = type;
    VEL_TRY(measure(ctx, out, &c, name));
    const vel_h5ad_like like = {from, type, c.ndim, c.kept, to_group, name};
    VEL_TRY(vel_h5ad_make_like(ctx, out, &like, &to));
    c.to = to;
    VEL_TRY(vel_h5ad_copy_attributes(ctx, from, to));
    for (int i = 0; i < c.ndim; i++)
        if (!c.kept[i]) return VEL_OK;
    bool is_whole = !rows->index && (!c.cols || !c.cols->index);
    if (is_whole && vel_h5_chunks_copy(ctx, from, to)) return vel_poll(ctx);
    c.is_packed = vel_h5_form_of(to, &c.form);
    c.bytes = vel_arena_alloc(ctx->scratch, c.tile, c.row_bytes);
    if (!c.bytes) return vel_no_memory(ctx, c.tile, c.row_bytes);
    if (is_whole) return copy_tiles(ctx, out, &c);
    hsize_t room = c.tile + (c.is_packed ? (hsize_t)c.form.chunk[0] : 0);
    char *kept = vel_arena_alloc(ctx->scratch, room, c.kept_bytes);
    return kept ? cut_tiles(ctx, out, &c, kept) : vel_no_memory(ctx, room, c.kept_bytes);
}
