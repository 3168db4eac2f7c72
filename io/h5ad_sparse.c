/* Reading sparse matrices: rows as they are, columns turned to rows; in tiles, so that nothing is held twice. */
#include <string.h>

#include "core/least.h"
#include "core/par.h"
#include "io/h5_chunks.h"
#include "io/h5_filters.h"
#include "io/h5_flat.h"
#include "io/h5ad.h"
#include "io/h5ad_impl.h"

/* Entries that a thread reads at once, at least. */
enum { LEAST_SHARE = 1 << 15 };

typedef struct {
    hid_t data, indices, data_memory, index_memory;
    bool is_bool;         /* data read as bytes */
    int64_t major, minor; /* rows and columns of a csr, columns and rows of a csc */
    int64_t *indptr;      /* major + 1, checked */
    int64_t *major_at, *minor_at;
    int64_t tile;   /* entries at a time */
    int32_t *index; /* of a tile */
    void *value;    /* of a tile, in the type of the field; bytes first if is_bool */
    bool is_flat;   /* both lie in the file as they lie in memory */
    vel_h5_flat flat_indices, flat_data;
} reader;

static bool is_whole(const reader *r) { return !r->major_at && !r->minor_at; }

/* ---- opening: everything is checked before anything is believed */

static vel_err check_indptr(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r) {
    const int64_t *p = r->indptr;
    if (p[0] != 0)
        return vel_fail(ctx, VEL_EFORMAT, "indptr of %s starts with %lld, expected 0", vel_h5ad_where(ctx, s),
                        (long long)p[0]);
    for (int64_t i = 0; i < r->major; i++)
        if (p[i + 1] < p[i])
            return vel_fail(ctx, VEL_EFORMAT, "indptr of %s falls from %lld to %lld at %lld", vel_h5ad_where(ctx, s),
                            (long long)p[i], (long long)p[i + 1], (long long)i);
    if (p[r->major] > s->entry->stored)
        return vel_fail(ctx, VEL_EFORMAT, "indptr of %s ends with %lld, but there are %lld values",
                        vel_h5ad_where(ctx, s), (long long)p[r->major], (long long)s->entry->stored);
    return VEL_OK;
}

static vel_err check_length(vel_ctx *ctx, const vel_h5ad_source *s, hid_t part, const char *name, int64_t length) {
    hsize_t dims[VEL_H5_DIMS];
    int ndim = vel_h5_shape(part, dims);
    if (ndim != 1)
        return vel_fail(ctx, VEL_EFORMAT, "%s of %s: %d dimensions, expected a vector of %lld", name,
                        vel_h5ad_where(ctx, s), ndim < 0 ? 0 : ndim, (long long)length);
    if ((int64_t)dims[0] == length) return VEL_OK;
    return vel_fail(ctx, VEL_EFORMAT, "%s of %s: %lld elements, expected %lld (%s)", name, vel_h5ad_where(ctx, s),
                    (long long)dims[0], (long long)length,
                    strcmp(name, "indptr") ? "as many as data" : "one more than rows, or columns of a csc");
}

/* HDF5 keeps no chunks: each is gone through once. */
static vel_err open_part(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, const char *name, int64_t length,
                         hid_t *part) {
    H5_OWNED hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 0, 0, 0);
    *part = H5Dopen2(group, name, access);
    if (*part < 0) return vel_h5_fail(ctx, VEL_EFORMAT, "%s has no %s", vel_h5ad_where(ctx, s), name);
    VEL_TRY(vel_h5_check_readable(ctx, *part, vel_h5ad_where(ctx, s)));
    VEL_TRY(check_length(ctx, s, *part, name, length));
    H5_OWNED hid_t type = H5Dget_type(*part);
    if (!strcmp(name, "data") || H5Tget_class(type) == H5T_INTEGER) return VEL_OK;
    return vel_fail(ctx, VEL_EFORMAT, "%s of %s are no integers", name, vel_h5ad_where(ctx, s));
}

static vel_err places(vel_ctx *ctx, const vel_pick *pick, int64_t n, int64_t **at) {
    *at = NULL;
    if (!pick->index) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, *at, n));
    for (int64_t i = 0; i < n; i++) (*at)[i] = -1;
    for (int64_t k = 0; k < pick->k; k++) (*at)[pick->index[k]] = k;
    return VEL_OK;
}

/* Entries up to the last row (or column) that is wanted. */
static int64_t entries_of(const reader *r) {
    int64_t end = r->major;
    while (r->major_at && end > 0 && r->major_at[end - 1] < 0) end--;
    return r->indptr[end];
}

static vel_err open_reader(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, vel_type type, reader *r) {
    bool is_csc = s->item->lies == VEL_LIES_COLUMNS;
    if (s->entry->rows >= INT32_MAX || s->entry->cols >= INT32_MAX)
        return vel_fail(ctx, VEL_ESHAPE, "%s is too large: %lld x %lld", vel_h5ad_where(ctx, s),
                        (long long)s->entry->rows, (long long)s->entry->cols);
    r->major = is_csc ? s->entry->cols : s->entry->rows;
    r->minor = is_csc ? s->entry->rows : s->entry->cols;
    H5_OWNED hid_t indptr = -1;
    int64_t n = r->major + 1;
    VEL_TRY(open_part(ctx, s, group, "indptr", n, &indptr));
    VEL_TRY(open_part(ctx, s, group, "data", s->entry->stored, &r->data));
    VEL_TRY(open_part(ctx, s, group, "indices", s->entry->stored, &r->indices));
    VEL_TRY(vel_h5ad_vector(ctx, s, indptr, VEL_I64, &n, &r->indptr));
    VEL_TRY(check_indptr(ctx, s, r));
    H5_OWNED hid_t data_type = H5Dget_type(r->data);
    r->is_bool = s->entry->origin == VEL_BOOL;
    r->data_memory = vel_h5_memory_type(data_type, type);
    r->index_memory = H5Tcopy(H5T_NATIVE_INT32);
    VEL_TRY(places(ctx, is_csc ? &s->cols : &s->rows, r->major, &r->major_at));
    VEL_TRY(places(ctx, is_csc ? &s->rows : &s->cols, r->minor, &r->minor_at));
    return VEL_OK;
}

/* Elements; 0: it lies in one piece. */
static int64_t chunk_of(hid_t dataset) {
    hsize_t chunk = 0;
    H5_OWNED hid_t list = H5Dget_create_plist(dataset);
    bool is_chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, 1, &chunk) == 1;
    return is_chunked ? (int64_t)chunk : 0;
}

/* Whole chunks, lest one be decompressed for every tile. */
static void choose_tile(const vel_h5ad_source *s, reader *r) {
    int64_t a = chunk_of(r->data), b = chunk_of(r->indices), chunk = a > b ? a : b;
    if (chunk < 1) chunk = 1;
    r->tile = chunk < VEL_H5AD_SPARSE_TILE ? VEL_H5AD_SPARSE_TILE / chunk * chunk : chunk;
    if (r->tile > s->entry->stored) r->tile = s->entry->stored;
    if (r->tile < 1) r->tile = 1;
}

static void look_whether_flat(vel_ctx *ctx, const vel_h5ad_source *s, vel_type type, reader *r) {
    const char *name = vel_h5ad_where(ctx, s);
    r->is_flat = !r->is_bool && vel_h5_flat_of(r->indices, VEL_I32, name, &r->flat_indices) &&
                 vel_h5_flat_of(r->data, type, name, &r->flat_data);
}

static vel_err make_tile(vel_ctx *ctx, reader *r, vel_type type) {
    VEL_TRY(VEL_ALLOC(ctx, r->index, r->tile));
    r->value = vel_arena_alloc(ctx->scratch, (size_t)r->tile, vel_type_size(type));
    return r->value ? VEL_OK : vel_no_memory(ctx, (size_t)r->tile, vel_type_size(type));
}

static void close_reader(reader *r) {
    vel_h5_close(&r->data);
    vel_h5_close(&r->indices);
    vel_h5_close(&r->data_memory);
    vel_h5_close(&r->index_memory);
}

/* ---- tiles of entries */

typedef struct {
    int64_t first, n;
    size_t size;
    char *to;
} run;

static void copy_chunk(const vel_h5_chunk *chunk, void *arg) {
    const run *r = arg;
    int64_t begin = chunk->row > r->first ? chunk->row : r->first, end = chunk->row + chunk->rows;
    if (end > r->first + r->n) end = r->first + r->n;
    memcpy(r->to + (size_t)(begin - r->first) * r->size,
           (const char *)chunk->elements + (size_t)(begin - chunk->row) * r->size, (size_t)(end - begin) * r->size);
}

static vel_err read_part_of_run(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t memory, run r) {
    hsize_t start = (hsize_t)r.first, count = (hsize_t)r.n;
    H5_OWNED hid_t space = H5Dget_space(dataset), flat = H5Screate_simple(1, &count, NULL);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) < 0 ||
        H5Dread(dataset, memory, flat, space, H5P_DEFAULT, r.to) < 0)
        return vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", vel_h5ad_where(ctx, s));
    return VEL_OK;
}

/* HDF5 reads few chunks at once, as it has more of each beside them than a small one has itself. */
static vel_err read_run(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, hid_t memory, vel_type type, run r) {
    vel_h5_chunks chunks;
    if (type && vel_h5_chunks_of(dataset, &chunks)) {
        memset(r.to, 0, (size_t)r.n * r.size); /* for chunks that are not there */
        return vel_h5_chunks_each(ctx, &chunks, type, &(vel_h5_part){r.first, 0, r.n, 1}, copy_chunk, &r);
    }
    vel_h5_flat piece;
    if (vel_h5_flat_of(dataset, type, vel_h5ad_where(ctx, s), &piece))
        return vel_h5_flat_read_wide(ctx, &piece, r.first, r.n, r.to);
    int64_t chunk = chunk_of(dataset), most = r.n;
    if (chunk) most = vel_least(r.n / VEL_H5AD_SPARSE_CHUNKS + 1, chunk) * VEL_H5AD_SPARSE_CHUNKS;
    for (int64_t e = 0; e < r.n; e += most) {
        run part = {r.first + e, vel_least(most, r.n - e), r.size, r.to + (size_t)e * r.size};
        VEL_TRY(read_part_of_run(ctx, s, dataset, memory, part));
    }
    return VEL_OK;
}

/* What does not fit int32 was clamped on reading. */
static const char *beyond(int32_t index) {
    return index == INT32_MAX ? " or more" : index == INT32_MIN ? " or less" : "";
}

static vel_err check_indices(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, int64_t n) {
    int32_t strays = 0, minor = (int32_t)r->minor;
    for (int64_t e = 0; e < n; e++) strays |= (r->index[e] < 0) | (r->index[e] >= minor);
    for (int64_t e = 0; e < n && strays; e++)
        if (r->index[e] < 0 || r->index[e] >= minor)
            return vel_fail(ctx, VEL_EFORMAT, "indices of %s have %ld%s, expected 0 to %lld", vel_h5ad_where(ctx, s),
                            (long)r->index[e], beyond(r->index[e]), (long long)r->minor - 1);
    return VEL_OK;
}

static vel_err read_indices(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, int64_t first, int64_t n) {
    VEL_TRY(vel_poll(ctx));
    run entries = {first, n, sizeof *r->index, (char *)r->index};
    return read_run(ctx, s, r->indices, r->index_memory, VEL_I32, entries);
}

static vel_err read_checked(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, int64_t first, int64_t n) {
    VEL_TRY(read_indices(ctx, s, r, first, n));
    return check_indices(ctx, s, r, n);
}

static vel_err read_values(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, int64_t first, int64_t n) {
    vel_type type = r->is_bool ? VEL_NOTYPE : vel_loaded_type(s->entry->origin);
    VEL_TRY(read_run(ctx, s, r->data, r->data_memory, type, (run){first, n, vel_type_size(type), r->value}));
    if (!r->is_bool) return VEL_OK;
    float *value = r->value;
    const int8_t *byte = r->value;
    for (int64_t e = n; e-- > 0;) value[e] = byte[e] != 0; /* backwards: they share their memory */
    return VEL_OK;
}

static int64_t mapped(const int64_t *at, int64_t i) { return at ? at[i] : i; }

static void copy_value(const reader *r, int64_t e, vel_field *out, int64_t to) {
    if (out->type == VEL_F32)
        ((float *)out->data)[to] = ((const float *)r->value)[e];
    else
        ((double *)out->data)[to] = ((const double *)r->value)[e];
}

/* ---- rows */

/* Upper bound: entries of the wanted rows, whatever their column. */
static int64_t count_rows(const reader *r) {
    int64_t n = 0;
    for (int64_t i = 0; i < r->major; i++)
        if (mapped(r->major_at, i) >= 0) n += r->indptr[i + 1] - r->indptr[i];
    return n;
}

/* Appends what is wanted of the entries first .. first + n - 1, which begin in row *row. */
static int64_t append(const reader *r, int64_t first, int64_t n, int64_t *row, int64_t kept, vel_field *out) {
    for (int64_t e = 0; e < n; e++) {
        while (r->indptr[*row + 1] <= first + e) ++*row;
        int64_t c = mapped(r->major_at, *row), g = mapped(r->minor_at, r->index[e]);
        if (c < 0 || g < 0) continue;
        out->indices[kept] = (int32_t)g;
        copy_value(r, e, out, kept++);
        out->indptr[c + 1] = kept;
    }
    return kept;
}

/* Whether any of n indices is not above the one before; compared in vectors, to the end whatever is found. */
static int32_t falls(const int32_t *index, int64_t n) {
    enum { TOGETHER = 64 };
    int32_t any = 0;
    int64_t e = 1;
    for (; e + TOGETHER <= n; e += TOGETHER)
        for (int64_t k = 0; k < TOGETHER; k++) any |= index[e + k] <= index[e + k - 1];
    for (; e < n; e++) any |= index[e] <= index[e - 1];
    return any;
}

/* The row in which an entry lies. */
static int64_t row_of(const reader *r, int64_t entry) {
    int64_t low = 0, high = r->major; /* indptr[low] <= entry < indptr[high] */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (r->indptr[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether the entries first .. first + n - 1 ascend within their rows, and so lie in range if the ends of each row do.
 * What lies before them is not looked at. */
static bool are_sound(const reader *r, const int32_t *index, int64_t first, int64_t n) {
    int32_t unsound = 0;
    for (int64_t e = 0, row = row_of(r, first); e < n; row++) {
        int64_t end = r->indptr[row + 1] - first < n ? r->indptr[row + 1] - first : n;
        if (end == e) continue;
        unsound |= (index[e] < 0) | (index[end - 1] >= (int32_t)r->minor) | falls(index + e, end - e);
        e = end;
    }
    return !unsound;
}

typedef struct {
    const vel_h5ad_source *s;
    const reader *r;
    vel_field *out;
    bool *sound; /* one a tile */
} whole;

/* A tile of all entries, read to where it stays. */
static vel_err read_part(vel_ctx *ctx, int64_t i, void *arg) {
    const whole *w = arg;
    reader r = *w->r;
    int64_t first = i * r.tile, left = r.indptr[r.major] - first, n = left < r.tile ? left : r.tile;
    r.index = w->out->indices + first;
    r.value = (char *)w->out->data + (size_t)first * vel_type_size(w->out->type);
    VEL_TRY(r.is_flat ? vel_h5_flat_read(ctx, &r.flat_indices, first, n, r.index)
                      : read_indices(ctx, w->s, &r, first, n));
    w->sound[i] = are_sound(&r, r.index, first, n);
    if (!w->sound[i]) VEL_TRY(check_indices(ctx, w->s, &r, n));
    VEL_TRY(r.is_flat ? vel_h5_flat_read(ctx, &r.flat_data, first, n, r.value) : read_values(ctx, w->s, &r, first, n));
    vel_field_rest(w->out, first, n);
    return VEL_OK;
}

/* Whether tiles ascend from one to the next where a row lies in both, and each within. */
static bool are_all_sound(const whole *w, int64_t tiles) {
    const int32_t *index = w->out->indices;
    bool sound = true;
    for (int64_t i = 0; i < tiles; i++) {
        int64_t first = i * w->r->tile;
        bool begins_a_row = w->r->indptr[row_of(w->r, first)] == first;
        sound = sound && w->sound[i] && (begins_a_row || index[first - 1] < index[first]);
    }
    return sound;
}

/* All entries. What lies in the file as in memory is read by all threads, which share a tile, since it is in memory at
 * once of a field that rests; else HDF5 reads. */
static vel_err read_whole(vel_ctx *ctx, const vel_h5ad_source *s, reader *r, vel_type type, vel_field *out) {
    int64_t share = r->tile / ctx->threads > LEAST_SHARE ? r->tile / ctx->threads : LEAST_SHARE;
    if (r->is_flat) r->tile = vel_least(r->tile, share);
    int64_t n = r->indptr[r->major], tiles = (n + r->tile - 1) / r->tile;
    whole w = {s, r, out, NULL};
    VEL_TRY(VEL_ALLOC(ctx, w.sound, tiles));
    VEL_TRY(vel_field_sparse(ctx, type, vel_matrix(s->rows.k, s->cols.k), n, out));
    memcpy(out->indptr, r->indptr, (size_t)(r->major + 1) * sizeof *out->indptr);
    if (r->is_flat) VEL_TRY(vel_for(ctx, NULL, tiles, read_part, &w));
    for (int64_t i = 0; i < tiles && !r->is_flat; i++) VEL_TRY(read_part(ctx, i, &w));
    return are_all_sound(&w, tiles) ? VEL_OK : vel_field_canonical(ctx, out);
}

static vel_err read_rows(vel_ctx *ctx, const vel_h5ad_source *s, reader *r, vel_type type, vel_field *out) {
    VEL_TRY(make_tile(ctx, r, type));
    VEL_TRY(vel_field_sparse(ctx, type, vel_matrix(s->rows.k, s->cols.k), count_rows(r), out));
    int64_t kept = 0, row = 0, n = entries_of(r);
    for (int64_t first = 0; first < n; first += r->tile) {
        int64_t count = n - first < r->tile ? n - first : r->tile;
        VEL_TRY(read_checked(ctx, s, r, first, count));
        VEL_TRY(read_values(ctx, s, r, first, count));
        int64_t end = append(r, first, count, &row, kept, out);
        vel_field_rest(out, kept, end - kept);
        kept = end;
    }
    for (int64_t c = 0; c < out->rows; c++) /* rows without entries */
        if (out->indptr[c + 1] < out->indptr[c]) out->indptr[c + 1] = out->indptr[c];
    return vel_field_canonical(ctx, out);
}

/* ---- columns: counted, then dealt out; rows come out ascending */

static vel_err count_columns(vel_ctx *ctx, const vel_h5ad_source *s, const reader *r, int64_t *counts) {
    int64_t column = 0, n = entries_of(r);
    for (int64_t first = 0; first < n; first += r->tile) {
        int64_t count = n - first < r->tile ? n - first : r->tile;
        VEL_TRY(read_checked(ctx, s, r, first, count));
        for (int64_t e = 0; e < count; e++) {
            while (r->indptr[column + 1] <= first + e) column++;
            int64_t c = mapped(r->minor_at, r->index[e]);
            if (c >= 0 && mapped(r->major_at, column) >= 0) counts[c]++;
        }
    }
    return VEL_OK;
}

static vel_err read_columns(vel_ctx *ctx, const vel_h5ad_source *s, reader *r, vel_type type, vel_field *out) {
    VEL_TRY(make_tile(ctx, r, type));
    int64_t *next, total = 0, column = 0, n = entries_of(r);
    VEL_TRY(VEL_ZALLOC(ctx, next, s->rows.k));
    VEL_TRY(count_columns(ctx, s, r, next));
    for (int64_t c = 0; c < s->rows.k; c++) total += next[c];
    VEL_TRY(vel_field_sparse(ctx, type, vel_matrix(s->rows.k, s->cols.k), total, out));
    for (int64_t c = 0; c < s->rows.k; c++) {
        out->indptr[c + 1] = out->indptr[c] + next[c];
        next[c] = out->indptr[c];
    }
    for (int64_t first = 0; first < n; first += r->tile) {
        int64_t count = n - first < r->tile ? n - first : r->tile;
        VEL_TRY(read_checked(ctx, s, r, first, count));
        VEL_TRY(read_values(ctx, s, r, first, count));
        for (int64_t e = 0; e < count; e++) {
            while (r->indptr[column + 1] <= first + e) column++;
            int64_t c = mapped(r->minor_at, r->index[e]), g = mapped(r->major_at, column);
            if (c < 0 || g < 0) continue;
            out->indices[next[c]] = (int32_t)g;
            copy_value(r, e, out, next[c]++);
        }
    }
    return vel_field_canonical(ctx, out);
}

vel_err vel_h5ad_read_sparse(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, vel_field *out) {
    reader r = {.data = -1, .indices = -1, .data_memory = -1, .index_memory = -1};
    vel_type type = vel_loaded_type(s->entry->origin);
    vel_err e = open_reader(ctx, s, group, type, &r);
    if (e) goto out;
    choose_tile(s, &r);
    look_whether_flat(ctx, s, type, &r);
    bool is_csc = s->item->lies == VEL_LIES_COLUMNS;
    if (is_csc)
        e = read_columns(ctx, s, &r, type, out);
    else
        e = is_whole(&r) ? read_whole(ctx, s, &r, type, out) : read_rows(ctx, s, &r, type, out);
    out->origin = s->entry->origin;
out:
    close_reader(&r);
    return e;
}
