/* Reading dense arrays: tile by tile, each tile whole chunks, transposed into gene-major layers on the way. */
#include <string.h>

#include "core/par.h"
#include "core/turn.h"
#include "io/h5_chunks.h"
#include "io/h5_filters.h"
#include "io/h5_flat.h"
#include "io/h5ad_impl.h"

enum { TILE_BYTES = 4 << 20, BAND = 64 };

typedef struct {
    hid_t dataset, space, memory; /* memory: the type of elements in the tile */
    vel_type type;                /* the same, as ours */
    int64_t rows, cols;           /* of the dataset */
    int64_t tile_rows, tile_cols;
    void *tile;
    int64_t *row_at, *col_at; /* where a row or column of the file goes, -1: nowhere; NULL: where it is */
    vel_field *out;
    vel_h5_flat flat; /* if it lies in the file as in memory */
} reader;

/* ---- preparation */

static vel_err places(vel_ctx *ctx, const vel_pick *pick, int64_t n, int64_t **at) {
    *at = NULL;
    if (!pick->index) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, *at, n));
    for (int64_t i = 0; i < n; i++) (*at)[i] = -1;
    for (int64_t k = 0; k < pick->k; k++) (*at)[pick->index[k]] = k;
    return VEL_OK;
}

static int64_t whole_chunks(int64_t chunk, int64_t most, int64_t n) {
    int64_t size = most > chunk ? most / chunk * chunk : chunk;
    return size < n ? size : n;
}

/* A tile is whole chunks, all columns wide if that fits; larger on its way to a scratch file, where it touches a page
 * of every gene. */
static void choose_tile(reader *r, int ndim) {
    hsize_t chunk[VEL_H5_DIMS] = {1, (hsize_t)r->cols};
    H5_OWNED hid_t list = H5Dget_create_plist(r->dataset);
    if (list >= 0 && H5Pget_layout(list) == H5D_CHUNKED) H5Pget_chunk(list, VEL_H5_DIMS, chunk);
    if (ndim < 2) chunk[1] = 1;
    int64_t most = (r->out->spill ? VEL_H5AD_READ_TILE : TILE_BYTES) / (int64_t)vel_type_size(r->type);
    int64_t chunk_rows = (int64_t)chunk[0], chunk_cols = (int64_t)chunk[1];
    r->tile_cols = r->cols;
    if (r->cols > most / chunk_rows) r->tile_cols = whole_chunks(chunk_cols, most / chunk_rows, r->cols);
    r->tile_rows = whole_chunks(chunk_rows, most / (r->tile_cols ? r->tile_cols : 1), r->rows);
}

static vel_err make_field(vel_ctx *ctx, const vel_h5ad_source *s, vel_field *out) {
    vel_type origin = s->entry->origin;
    vel_type type = s->entry->ndim == 2 ? vel_loaded_type(origin) : origin == VEL_F16 ? VEL_F32 : origin;
    VEL_TRY(vel_field_dense(ctx, type, (vel_extent){s->entry->ndim, s->rows.k, s->cols.k}, out));
    out->origin = origin;
    out->gene_major = s->entry->ndim == 2 && vel_is_layer(s->entry->path);
    return VEL_OK;
}

/* ---- tiles */

/* Elements of rows x cols, the first of which is (row, col) of the dataset; element (i, j) is tile[i * stride + j]. */
typedef struct {
    const reader *r;
    const void *tile;
    int64_t row, col, rows, cols, stride;
} placing;

#define MOVE(TO, FROM, VALUE)                                                                               \
    for (int64_t i = i0; i < i1; i++) {                                                                     \
        int64_t c = r->row_at ? r->row_at[p->row + i] : p->row + i;                                         \
        if (c >= 0) ((TO *)out->data)[base + c * step] = VALUE(((const FROM *)p->tile)[i * p->stride + j]); \
    }
#define AS_IT_IS(x) (x)
#define AS_FLAG(x) ((x) != 0)

/* Rows i0 .. i1 - 1 of column j of the tile, which is column g of the field. */
static void move_column(const placing *p, int64_t j, int64_t g, int64_t i0, int64_t i1) {
    const reader *r = p->r;
    const vel_field *out = r->out;
    int64_t base = out->gene_major ? g * out->rows : g, step = out->gene_major ? 1 : out->cols;
    if (r->type == VEL_BOOL && out->type == VEL_F32) {
        MOVE(float, int8_t, AS_FLAG)
        return;
    }
    switch (vel_type_size(out->type)) {
        case 1:
            MOVE(uint8_t, uint8_t, AS_IT_IS) break;
        case 2:
            MOVE(uint16_t, uint16_t, AS_IT_IS) break;
        case 4:
            MOVE(uint32_t, uint32_t, AS_IT_IS) break;
        default:
            MOVE(uint64_t, uint64_t, AS_IT_IS) break;
    }
}

/* Of a layer that is read whole, columns first .. end - 1 of the tile. */
static void turn(const placing *p, int64_t first, int64_t end) {
    vel_field *out = p->r->out;
    size_t size = vel_type_size(out->type);
    const char *from = (const char *)p->tile + (size_t)first * size;
    char *to = (char *)out->data + (size_t)((p->col + first) * out->rows + p->row) * size;
    vel_turn(size, p->rows, end - first, from, p->stride, to, out->rows);
}

/* A band of columns of the tile: rows run inside, so that both sides stay in the cache. */
static vel_err place_band(vel_ctx *ctx, int64_t band, void *arg) {
    (void)ctx;
    const placing *p = arg;
    const reader *r = p->r;
    int64_t end = (band + 1) * BAND < p->cols ? (band + 1) * BAND : p->cols;
    if (r->out->gene_major && !r->row_at && !r->col_at && r->type == r->out->type) {
        turn(p, band * BAND, end);
        return VEL_OK;
    }
    for (int64_t i0 = 0; i0 < p->rows; i0 += BAND) {
        int64_t i1 = i0 + BAND < p->rows ? i0 + BAND : p->rows;
        for (int64_t j = band * BAND; j < end; j++) {
            int64_t g = r->col_at ? r->col_at[p->col + j] : p->col + j;
            if (g >= 0) move_column(p, j, g, i0, i1);
        }
    }
    return VEL_OK;
}

/* The tile has the shape of what is read: of another HDF5 would find out for each element where it goes. */
static vel_err read_tile(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, const placing *p) {
    hsize_t start[2] = {(hsize_t)p->row, (hsize_t)p->col}, count[2] = {(hsize_t)p->rows, (hsize_t)p->cols};
    int ndim = s->entry->ndim;
    H5_OWNED hid_t tile = H5Screate_simple(ndim ? ndim : 1, count, NULL);
    herr_t failed = ndim ? H5Sselect_hyperslab(r->space, H5S_SELECT_SET, start, NULL, count, NULL) : 0;
    if (failed >= 0) failed = H5Dread(r->dataset, r->memory, tile, r->space, H5P_DEFAULT, r->tile);
    return failed < 0 ? vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", vel_h5ad_where(ctx, s)) : VEL_OK;
}

static vel_err place_tile(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, placing *p) {
    VEL_TRY(read_tile(ctx, s, r, p));
    p->stride = p->cols;
    p->tile = r->tile;
    return vel_for(ctx, NULL, (p->cols + BAND - 1) / BAND, place_band, p);
}

/* Leaves out the rows before the first and after the last that go anywhere. */
static void trim(placing *p) {
    const int64_t *at = p->r->row_at;
    for (; at && p->rows > 0 && at[p->row] < 0; p->rows--) p->row++;
    while (at && p->rows > 0 && at[p->row + p->rows - 1] < 0) p->rows--;
}

static void place_whole(placing *p) {
    for (int64_t band = 0; band * BAND < p->cols; band++) (void)!place_band(NULL, band, p);
}

static void place_chunk(const vel_h5_chunk *chunk, void *arg) {
    placing p = {arg, chunk->elements, chunk->row, chunk->col, chunk->rows, chunk->cols, chunk->stride};
    place_whole(&p);
}

static vel_err read_tiles(vel_ctx *ctx, const vel_h5ad_source *s, reader *r) {
    vel_h5_chunks chunks;
    bool is_fast = vel_h5_chunks_of(r->dataset, &chunks);
    size_t n = is_fast ? 0 : (size_t)(r->tile_rows * r->tile_cols);
    vel_mark mark = vel_arena_mark(ctx->scratch);
    r->tile = vel_arena_alloc(ctx->scratch, n, vel_type_size(r->type));
    if (!r->tile) return vel_no_memory(ctx, n, vel_type_size(r->type));
    for (int64_t row = 0; row < r->rows; row += r->tile_rows) {
        for (int64_t col = 0; col < r->cols; col += r->tile_cols) {
            placing p = {r, NULL, row, col, r->rows - row, r->cols - col, 0};
            if (p.rows > r->tile_rows) p.rows = r->tile_rows;
            if (p.cols > r->tile_cols) p.cols = r->tile_cols;
            VEL_TRY(vel_poll(ctx));
            trim(&p);
            if (p.rows == 0) continue;
            vel_h5_part part = {p.row, p.col, p.rows, p.cols};
            VEL_TRY(is_fast ? vel_h5_chunks_each(ctx, &chunks, r->out->type, &part, place_chunk, r)
                            : place_tile(ctx, s, r, &p));
            vel_field_rest(r->out, 0, r->out->rows * r->out->cols);
        }
    }
    vel_arena_release(ctx->scratch, mark);
    /* One of a chunk that is larger than any tile would stay until the step ends. */
    if (n * vel_type_size(r->type) > VEL_H5AD_READ_TILE) vel_arena_trim(ctx->scratch);
    return VEL_OK;
}

/* ---- what lies in the file as in memory: every thread reads tiles of its own */

/* A tile that stays in the second cache, of enough rows that whole cache lines of a gene are written. */
static void choose_flat_tile(reader *r) {
    enum { FLAT_TILE_BYTES = 1 << 20, ROWS = 64 };
    int64_t most = FLAT_TILE_BYTES / (int64_t)vel_type_size(r->type) / ROWS;
    r->tile_cols = r->cols < most ? r->cols : most;
    r->tile_rows = most / r->tile_cols * ROWS;
}

/* The end of the rows from `first` on that are read at once: it goes on while the next that goes anywhere is near. */
static int64_t end_of_run(const reader *r, const placing *p, int64_t first) {
    enum { NEAR_BYTES = 1 << 14 };
    int64_t near = 1 + NEAR_BYTES / (p->cols * (int64_t)vel_type_size(r->type)), end = first + 1;
    for (int64_t i = end; i < p->rows && i < end + near; i++)
        if (r->row_at[p->row + i] >= 0) end = i + 1;
    return end;
}

/* Whole rows; those between the ones that go anywhere are left as they are where they are many. */
static vel_err read_rows(vel_ctx *ctx, const reader *r, const placing *p, char *tile) {
    size_t line = (size_t)p->cols * vel_type_size(r->type);
    for (int64_t first = 0, end; first < p->rows; first = end) {
        end = first + 1;
        if (r->row_at[p->row + first] < 0) continue;
        end = end_of_run(r, p, first);
        VEL_TRY(vel_h5_flat_read(ctx, &r->flat, (p->row + first) * r->cols, (end - first) * p->cols,
                                 tile + (size_t)first * line));
    }
    return VEL_OK;
}

static vel_err read_flat_tile(vel_ctx *ctx, const reader *r, const placing *p, void *tile) {
    if (p->cols == r->cols && r->row_at) return read_rows(ctx, r, p, tile);
    if (p->cols == r->cols) return vel_h5_flat_read(ctx, &r->flat, p->row * r->cols, p->rows * p->cols, tile);
    size_t line = (size_t)p->cols * vel_type_size(r->type);
    for (int64_t i = 0; i < p->rows; i++)
        VEL_TRY(
            vel_h5_flat_read(ctx, &r->flat, (p->row + i) * r->cols + p->col, p->cols, (char *)tile + (size_t)i * line));
    return VEL_OK;
}

static vel_err place_flat(vel_ctx *ctx, int64_t i, void *arg) {
    const reader *r = arg;
    int64_t across = (r->cols + r->tile_cols - 1) / r->tile_cols;
    placing p = {.r = r, .row = i / across * r->tile_rows, .col = i % across * r->tile_cols};
    p.rows = r->rows - p.row < r->tile_rows ? r->rows - p.row : r->tile_rows;
    p.cols = p.stride = r->cols - p.col < r->tile_cols ? r->cols - p.col : r->tile_cols;
    trim(&p);
    if (p.rows == 0) return VEL_OK;
    size_t n = (size_t)(p.rows * p.cols), size = vel_type_size(r->type);
    void *tile = vel_arena_alloc(ctx->scratch, n, size);
    if (!tile) return vel_no_memory(ctx, n, size);
    VEL_TRY(read_flat_tile(ctx, r, &p, tile));
    p.tile = tile;
    place_whole(&p);
    return VEL_OK;
}

static vel_err read_flat(vel_ctx *ctx, reader *r) {
    choose_flat_tile(r);
    int64_t down = (r->rows + r->tile_rows - 1) / r->tile_rows, across = (r->cols + r->tile_cols - 1) / r->tile_cols;
    return vel_for(ctx, NULL, down * across, place_flat, r);
}

/* ---- which of these */

/* What lies in the file as in memory comes in without a detour. */
static bool is_direct(const reader *r) {
    vel_h5_chunks chunks;
    if (r->out->ndim == 2 && vel_h5_chunks_of(r->dataset, &chunks)) return false;
    return !r->out->gene_major && !r->row_at && !r->col_at && r->type == r->out->type;
}

vel_err vel_h5ad_read_dense(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) {
    VEL_TRY(vel_h5_check_readable(ctx, dataset, vel_h5ad_where(ctx, s)));
    VEL_TRY(make_field(ctx, s, out));
    reader r = {.dataset = dataset, .rows = s->entry->rows, .cols = s->entry->cols, .out = out};
    if (r.rows == 0 || r.cols == 0) return VEL_OK;
    H5_OWNED hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    H5_OWNED hid_t memory = vel_h5_memory_type(type, out->type);
    r.space = space;
    r.memory = memory;
    r.type = s->entry->origin == VEL_BOOL ? VEL_BOOL : out->type;
    VEL_TRY(places(ctx, &s->rows, r.rows, &r.row_at));
    VEL_TRY(places(ctx, &s->cols, r.cols, &r.col_at));
    while (r.row_at && r.rows > 1 && r.row_at[r.rows - 1] < 0) r.rows--;
    bool is_flat = out->ndim == 2 && vel_h5_flat_of(dataset, r.type, vel_h5ad_where(ctx, s), &r.flat);
    if (is_direct(&r)) {
        if (is_flat) return vel_h5_flat_read_wide(ctx, &r.flat, 0, r.flat.n, out->data);
        herr_t failed = H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->data);
        return failed < 0 ? vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", vel_h5ad_where(ctx, s)) : VEL_OK;
    }
    if (is_flat && !out->spill) return read_flat(ctx, &r);
    choose_tile(&r, s->entry->ndim);
    return read_tiles(ctx, s, &r);
}
