#include "io/h5_pack.h"

#include <libdeflate.h>
#include <string.h>

#include "core/least.h"
#include "core/par.h"
#include "core/turn.h"
#include "io/h5.h"
#include "io/h5_filters.h"
#include "io/lzf.h"
#include "io/shuffle.h"

enum { LEAST_BYTES = 1 << 12, MATRIX_BYTES = 1 << 17, VECTOR_BYTES = 1 << 18, ROWS = 256 };

/* ---- the layout */

static void choose_chunk(const vel_h5_array *a, int64_t chunk[2]) {
    int64_t size = (int64_t)a->size, bytes = a->ndim == 1 ? VECTOR_BYTES : MATRIX_BYTES;
    int64_t most_cols = bytes / size / ROWS;
    chunk[1] = a->ndim == 1 ? 1 : vel_least(a->cols, most_cols > 1 ? most_cols : 1);
    int64_t most_rows = bytes / size / chunk[1];
    chunk[0] = vel_least(a->rows, most_rows > 1 ? most_rows : 1);
}

bool vel_h5_pack_layout(hid_t list, const vel_packing *packing, const vel_h5_array *a) {
    if (packing->kind == VEL_PLAIN || a->rows * a->cols < LEAST_BYTES / (int64_t)a->size) return false;
    int64_t chunk[2];
    choose_chunk(a, chunk);
    H5Pset_chunk(list, a->ndim, (hsize_t[]){(hsize_t)chunk[0], (hsize_t)chunk[1]});
    if (a->size > 1) H5Pset_shuffle(list);
    if (packing->kind == VEL_GZIP)
        H5Pset_deflate(list, (unsigned)packing->level);
    else
        H5Pset_filter(list, VEL_H5_LZF, H5Z_FLAG_OPTIONAL, 0, NULL);
    return true;
}

/* Shuffling, if there is any, then one compression. */
static bool are_ours(hid_t list, vel_h5_form *form) {
    int n = H5Pget_nfilters(list);
    for (int i = 0; i < n; i++) {
        unsigned flags, config, values[8] = {0};
        size_t n_values = 8;
        H5Z_filter_t id = H5Pget_filter2(list, (unsigned)i, &flags, &n_values, values, 0, NULL, &config);
        bool is_last = i == n - 1;
        if (i == 0 && !is_last && id == H5Z_FILTER_SHUFFLE)
            form->is_shuffled = true;
        else if (is_last && id == H5Z_FILTER_DEFLATE && values[0] <= 9)
            form->packing = (vel_packing){VEL_GZIP, (int)values[0]};
        else if (is_last && id == VEL_H5_LZF)
            form->packing = (vel_packing){VEL_LZF, 0};
        else
            return false;
    }
    return n > 0;
}

bool vel_h5_form_of(hid_t dataset, vel_h5_form *form) {
    enum { MOST_BYTES = 1 << 20 };
    hsize_t dims[VEL_H5_DIMS], chunk[VEL_H5_DIMS];
    H5_OWNED hid_t list = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
    int ndim = vel_h5_shape(dataset, dims);
    *form = (vel_h5_form){.chunk = {1, 1}};
    if (ndim < 1 || ndim > 2 || vel_h5_holds_pointers(type) || H5Pget_layout(list) != H5D_CHUNKED) return false;
    if (H5Pget_chunk(list, VEL_H5_DIMS, chunk) != ndim || !are_ours(list, form)) return false;
    hsize_t bytes = H5Tget_size(type);
    for (int i = 0; i < ndim; i++) {
        if (chunk[i] > MOST_BYTES / bytes) return false;
        bytes *= chunk[i];
        form->chunk[i] = (int64_t)chunk[i];
    }
    return true;
}

/* ---- one chunk, from elements to its bytes in the file */

typedef struct {
    char *bytes; /* of at most a whole chunk */
    size_t n;
    unsigned skipped; /* filters that were left out */
} packed_chunk;

typedef struct {
    const vel_h5_form *form;
    const vel_h5_array *a;
    int64_t row; /* of the dataset, where the array begins */
    int64_t chunk[2];
    int64_t down, first; /* chunks one below the other; the batch's first, counted down the columns */
    packed_chunk *out;
    struct libdeflate_compressor **deflaters; /* one a worker */
} batch;

static void place_of(const batch *b, int64_t k, int64_t at[2]) {
    at[0] = k % b->down * b->chunk[0];
    at[1] = k / b->down * b->chunk[1];
}

/* What a chunk at the edge has beyond the array is zero. */
static void gather(const batch *b, int64_t k, char *to, size_t bytes) {
    const vel_h5_array *a = b->a;
    int64_t at[2];
    place_of(b, k, at);
    int64_t rows = vel_least(b->chunk[0], a->rows - at[0]), cols = vel_least(b->chunk[1], a->cols - at[1]);
    size_t line = (size_t)b->chunk[1] * a->size, used = (size_t)cols * a->size;
    const char *from = a->elements;
    if (rows < b->chunk[0] || cols < b->chunk[1]) memset(to, 0, bytes);
    if (a->turned) {
        from += (size_t)(at[1] * a->rows + at[0]) * a->size;
        vel_turn(a->size, cols, rows, from, a->rows, to, b->chunk[1]);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + (size_t)i * line, from + (size_t)((at[0] + i) * a->cols + at[1]) * a->size, used);
}

/* Returns the bytes taken, fewer than n; 0: there is nothing to gain. */
static vel_err compress(vel_ctx *ctx, const batch *b, const char *in, size_t n, char *out, size_t *taken) {
    if (b->form->packing.kind == VEL_GZIP) {
        *taken = libdeflate_zlib_compress(b->deflaters[vel_worker()], in, n, out, n - 1);
        return VEL_OK;
    }
    unsigned *table;
    VEL_TRY(VEL_ALLOC(ctx, table, VEL_LZF_TABLE));
    *taken = vel_lzf_compress((const unsigned char *)in, n, (unsigned char *)out, n - 1, table);
    return VEL_OK;
}

static vel_err pack_chunk(vel_ctx *ctx, int64_t i, void *arg) {
    const batch *b = arg;
    packed_chunk *out = &b->out[i];
    size_t size = b->a->size, n = (size_t)(b->chunk[0] * b->chunk[1]), bytes = n * size;
    char *raw, *planes;
    VEL_TRY(VEL_ALLOC(ctx, raw, bytes));
    gather(b, b->first + i, raw, bytes);
    if (b->form->is_shuffled) {
        VEL_TRY(VEL_ALLOC(ctx, planes, bytes));
        vel_shuffle(raw, planes, n, size);
        raw = planes;
    }
    VEL_TRY(compress(ctx, b, raw, bytes, out->bytes, &out->n));
    out->skipped = out->n ? 0 : b->form->is_shuffled ? 2 : 1;
    if (out->n) return VEL_OK;
    memcpy(out->bytes, raw, bytes);
    out->n = bytes;
    return VEL_OK;
}

/* ---- batches: compressed by all threads, written by one */

static vel_err write_batch(vel_ctx *ctx, hid_t dataset, const batch *b, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        int64_t at[2];
        place_of(b, b->first + i, at);
        const packed_chunk *c = &b->out[i];
        if (H5Dwrite_chunk(dataset, H5P_DEFAULT, c->skipped, (hsize_t[]){(hsize_t)(b->row + at[0]), (hsize_t)at[1]},
                           c->n, c->bytes) < 0)
            return vel_h5_fail(ctx, VEL_EWRITE, "%s of %s cannot be written", b->a->name, b->a->file);
    }
    return VEL_OK;
}

/* What the batch's columns hold, or its run of a vector. */
static void rest(const batch *b, int64_t n) {
    const vel_h5_array *a = b->a;
    int64_t from[2], last[2];
    if (!a->owner) return;
    place_of(b, b->first, from);
    place_of(b, b->first + n - 1, last);
    if (a->turned)
        vel_field_rest(a->owner, from[1] * a->rows,
                       vel_least(last[1] + b->chunk[1] - from[1], a->cols - from[1]) * a->rows);
    else if (a->ndim == 1)
        vel_field_rest(a->owner, from[0], vel_least(last[0] + b->chunk[0] - from[0], a->rows - from[0]));
}

/* Fetched meanwhile, if it is spilled: of every column that the batch touches what it takes of it. */
static void want(const batch *b, int64_t n) {
    const vel_h5_array *a = b->a;
    if (!a->owner || !a->owner->spill || !a->turned) return;
    for (int64_t k = b->first, end = b->first + n, next; k < end; k = next) {
        int64_t at[2];
        place_of(b, k, at);
        next = vel_least(end, (k / b->down + 1) * b->down);
        int64_t rows = vel_least((next - k) * b->chunk[0], a->rows - at[0]);
        int64_t cols = vel_least(b->chunk[1], a->cols - at[1]);
        for (int64_t j = at[1]; j < at[1] + cols; j++) vel_field_want(a->owner, j * a->rows + at[0], rows);
    }
}

static vel_err each_batch(vel_ctx *ctx, hid_t dataset, batch *b) {
    size_t bytes = (size_t)(b->chunk[0] * b->chunk[1]) * b->a->size;
    int64_t across = (b->a->cols + b->chunk[1] - 1) / b->chunk[1], all = b->down * across;
    int64_t most = vel_least(VEL_PACKED_AT_ONCE / (int64_t)bytes + ctx->threads, all);
    VEL_TRY(VEL_ALLOC(ctx, b->out, most));
    for (int64_t i = 0; i < most; i++) VEL_TRY(VEL_ALLOC(ctx, b->out[i].bytes, bytes));
    for (b->first = 0; b->first < all; b->first += most) {
        int64_t n = vel_least(most, all - b->first);
        want(b, n);
        VEL_TRY(vel_for(ctx, NULL, n, pack_chunk, b));
        VEL_TRY(write_batch(ctx, dataset, b, n));
        rest(b, n);
    }
    return VEL_OK;
}

vel_err vel_h5_pack_rows(vel_ctx *ctx, hid_t dataset, const vel_h5_form *form, int64_t row, const vel_h5_array *a) {
    batch b = {.form = form, .a = a, .row = row, .chunk = {form->chunk[0], form->chunk[1]}};
    b.down = (a->rows + b.chunk[0] - 1) / b.chunk[0];
    int deflaters = form->packing.kind == VEL_GZIP ? ctx->threads : 0;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = VEL_ZALLOC(ctx, b.deflaters, ctx->threads);
    for (int i = 0; i < deflaters && !e; i++) {
        b.deflaters[i] = libdeflate_alloc_compressor(form->packing.level);
        if (!b.deflaters[i]) e = vel_no_memory(ctx, 1, 1);
    }
    if (!e) e = each_batch(ctx, dataset, &b);
    for (int i = 0; b.deflaters && i < deflaters; i++) libdeflate_free_compressor(b.deflaters[i]);
    vel_arena_release(ctx->scratch, mark);
    return e;
}

vel_err vel_h5_pack(vel_ctx *ctx, hid_t dataset, const vel_packing *packing, const vel_h5_array *a) {
    vel_h5_form form = {.packing = *packing, .is_shuffled = a->size > 1};
    choose_chunk(a, form.chunk);
    return vel_h5_pack_rows(ctx, dataset, &form, 0, a);
}
