/* Copies of datasets and sparse matrices with rows and columns left out, of any element type: bytes are moved, not
 * understood. */
#include <string.h>

#include "io/h5_filters.h"
#include "io/h5ad_impl.h"

enum { TILE_BYTES = 16 << 20, TILE_ENTRIES = 1 << 20 };

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

static vel_err make_like(vel_ctx *ctx, const vel_h5ad_output *out, hid_t from, int ndim, const hsize_t *dims,
                         hid_t group, const char *name, hid_t *made) {
    H5_OWNED hid_t type = H5Dget_type(from), space = H5Screate_simple(ndim, dims, NULL);
    H5_OWNED hid_t list = creation_like(from, ndim, dims), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    *made = H5Dcreate2(group, name, type, space, links, list, H5P_DEFAULT);
    return *made >= 0 ? VEL_OK : cannot(ctx, out, name);
}

/* ---- rows */

typedef struct {
    hid_t from, to, type;
    int ndim;
    hsize_t dims[VEL_H5_DIMS], kept[VEL_H5_DIMS];
    size_t size, row_bytes, col_bytes; /* of an element; of a row; of what one column index stands for */
    const vel_pick *rows, *cols;       /* cols NULL: all */
    hsize_t tile;                      /* rows a tile */
    char *bytes;
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

static vel_err cut_tiles(vel_ctx *ctx, const vel_h5ad_output *out, const cutter *c, char *kept, const char *name) {
    int64_t next = 0;
    hsize_t written = 0;
    for (hsize_t first = 0; first < c->dims[0] && next < c->rows->k; first += c->tile) {
        hsize_t n = c->dims[0] - first < c->tile ? c->dims[0] - first : c->tile;
        VEL_TRY(vel_poll(ctx));
        if (transfer(c, c->from, c->dims, first, n, c->bytes, true) < 0) return cannot(ctx, out, name);
        hsize_t rows = pick(c, first, n, &next, kept);
        herr_t failed = rows ? transfer(c, c->to, c->kept, written, rows, kept, false) : 0;
        reclaim(c, n, c->bytes);
        if (failed < 0) return cannot(ctx, out, name);
        written += rows;
    }
    return VEL_OK;
}

static vel_err measure(vel_ctx *ctx, const vel_h5ad_output *out, cutter *c, const char *name) {
    hsize_t chunk[VEL_H5_DIMS] = {1};
    H5_OWNED hid_t list = H5Dget_create_plist(c->from);
    if (H5Pget_layout(list) != H5D_CHUNKED || H5Pget_chunk(list, VEL_H5_DIMS, chunk) != c->ndim) chunk[0] = 1;
    c->size = c->col_bytes = H5Tget_size(c->type);
    for (int i = 2; i < c->ndim; i++)
        if (__builtin_mul_overflow(c->col_bytes, c->dims[i], &c->col_bytes)) return cannot(ctx, out, name);
    c->row_bytes = c->col_bytes;
    if (c->ndim > 1 && __builtin_mul_overflow(c->row_bytes, c->dims[1], &c->row_bytes)) return cannot(ctx, out, name);
    hsize_t most = c->row_bytes ? TILE_BYTES / c->row_bytes : 1;
    c->tile = most > chunk[0] ? most / chunk[0] * chunk[0] : chunk[0];
    if (c->tile > c->dims[0]) c->tile = c->dims[0];
    if (!c->tile) c->tile = 1;
    return VEL_OK;
}

vel_err vel_h5ad_cut_dataset(vel_ctx *ctx, const vel_h5ad_output *out, hid_t from, const vel_pick *rows,
                             const vel_pick *cols, hid_t to_group, const char *name) {
    cutter c = {.from = from, .rows = rows, .cols = cols};
    VEL_TRY(vel_h5_check_filters(ctx, from, name));
    c.ndim = vel_h5_shape(from, c.dims);
    if (c.ndim < 1) return cannot(ctx, out, name);
    memcpy(c.kept, c.dims, sizeof c.kept);
    c.kept[0] = (hsize_t)rows->k;
    if (cols && c.ndim > 1) c.kept[1] = (hsize_t)cols->k;
    if (c.ndim == 1) c.cols = NULL;
    H5_OWNED hid_t type = H5Dget_type(from), to = -1;
    c.type = type;
    VEL_TRY(measure(ctx, out, &c, name));
    VEL_TRY(make_like(ctx, out, from, c.ndim, c.kept, to_group, name, &to));
    c.to = to;
    VEL_TRY(vel_h5ad_copy_attributes(ctx, from, to));
    for (int i = 0; i < c.ndim; i++)
        if (!c.kept[i]) return VEL_OK;
    char *kept = vel_arena_alloc(ctx->scratch, c.tile, c.row_bytes);
    c.bytes = vel_arena_alloc(ctx->scratch, c.tile, c.row_bytes);
    if (!kept || !c.bytes) return vel_no_memory(ctx, c.tile, c.row_bytes);
    return cut_tiles(ctx, out, &c, kept, name);
}

/* ---- sparse: the major axis is cut by runs, the minor one entry by entry */

typedef struct {
    const vel_h5ad_source *s;
    const vel_h5ad_output *out;
    hid_t data, indices, data_type;
    size_t size;
    int64_t n_major, n_minor, *indptr;
    vel_pick major, minor;
    int64_t *minor_at; /* NULL: all */
} sparse;

static vel_err run(vel_ctx *ctx, const sparse *m, hid_t dataset, hid_t type, int64_t first, int64_t n, void *bytes,
                   bool reading) {
    hsize_t start = (hsize_t)first, count = (hsize_t)n;
    H5_OWNED hid_t space = H5Dget_space(dataset), flat = H5Screate_simple(1, &count, NULL);
    herr_t failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    if (failed >= 0)
        failed = reading ? H5Dread(dataset, type, flat, space, H5P_DEFAULT, bytes)
                         : H5Dwrite(dataset, type, flat, space, H5P_DEFAULT, bytes);
    return failed < 0 ? cannot(ctx, m->out, m->s->entry->path) : vel_poll(ctx);
}

static int64_t major_of(const sparse *m, int64_t k) { return m->major.index ? m->major.index[k] : k; }

/* Calls visit for runs of at most a tile of entries of each wanted row, in order. */
typedef vel_err (*visit_run)(vel_ctx *ctx, const sparse *m, int64_t k, int64_t first, int64_t n, void *arg);

static vel_err each_run(vel_ctx *ctx, const sparse *m, visit_run visit, void *arg) {
    for (int64_t k = 0; k < m->major.k; k++) {
        int64_t i = major_of(m, k), end = m->indptr[i + 1];
        for (int64_t first = m->indptr[i]; first < end; first += TILE_ENTRIES)
            VEL_TRY(visit(ctx, m, k, first, end - first < TILE_ENTRIES ? end - first : TILE_ENTRIES, arg));
    }
    return VEL_OK;
}

/* Entries are read ahead in tiles, since rows are short. */
typedef struct {
    int64_t first, n;
    int64_t *index;
    char *value;
} window;

static vel_err slide(vel_ctx *ctx, const sparse *m, window *w, int64_t first, int64_t n) {
    if (first >= w->first && first + n <= w->first + w->n) return VEL_OK;
    int64_t left = m->indptr[m->n_major] - first;
    w->first = first;
    w->n = left < TILE_ENTRIES ? left : TILE_ENTRIES;
    VEL_TRY(run(ctx, m, m->indices, H5T_NATIVE_INT64, first, w->n, w->index, true));
    for (int64_t e = 0; e < w->n; e++)
        if (w->index[e] < 0 || w->index[e] >= m->n_minor)
            return vel_fail(ctx, VEL_EFORMAT, "indices of %s have %lld, expected 0 to %lld", vel_h5ad_where(ctx, m->s),
                            (long long)w->index[e], (long long)m->n_minor - 1);
    return w->value ? run(ctx, m, m->data, m->data_type, first, w->n, w->value, true) : VEL_OK;
}

typedef struct {
    window from;
    int64_t *indptr; /* of the cut matrix */
    int64_t *index;  /* entries waiting to be written */
    char *value;
    int64_t waiting, written;
    hid_t to_data, to_indices;
} cutting;

static vel_err count_run(vel_ctx *ctx, const sparse *m, int64_t k, int64_t first, int64_t n, void *arg) {
    cutting *c = arg;
    if (!m->minor_at) {
        c->indptr[k + 1] += n;
        return VEL_OK;
    }
    VEL_TRY(slide(ctx, m, &c->from, first, n));
    for (int64_t e = first - c->from.first; n > 0; n--, e++) c->indptr[k + 1] += m->minor_at[c->from.index[e]] >= 0;
    return VEL_OK;
}

static vel_err write_waiting(vel_ctx *ctx, const sparse *m, cutting *c) {
    if (!c->waiting) return VEL_OK;
    VEL_TRY(run(ctx, m, c->to_indices, H5T_NATIVE_INT64, c->written, c->waiting, c->index, false));
    VEL_TRY(run(ctx, m, c->to_data, m->data_type, c->written, c->waiting, c->value, false));
    c->written += c->waiting;
    c->waiting = 0;
    return VEL_OK;
}

static vel_err copy_run(vel_ctx *ctx, const sparse *m, int64_t k, int64_t first, int64_t n, void *arg) {
    (void)k;
    cutting *c = arg;
    VEL_TRY(slide(ctx, m, &c->from, first, n));
    if (c->waiting + n > TILE_ENTRIES) VEL_TRY(write_waiting(ctx, m, c));
    for (int64_t e = first - c->from.first; n > 0; n--, e++) {
        int64_t at = m->minor_at ? m->minor_at[c->from.index[e]] : c->from.index[e];
        if (at < 0) continue;
        c->index[c->waiting] = at;
        memcpy(c->value + (size_t)c->waiting * m->size, c->from.value + (size_t)e * m->size, m->size);
        c->waiting++;
    }
    return VEL_OK;
}

static vel_err allocate(vel_ctx *ctx, const sparse *m, cutting *c, bool values) {
    int64_t tile = m->indptr[m->n_major] < TILE_ENTRIES ? m->indptr[m->n_major] : TILE_ENTRIES;
    if (!c->from.index) VEL_TRY(VEL_ALLOC(ctx, c->from.index, tile));
    if (!values) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, c->index, tile));
    c->value = vel_arena_alloc(ctx->scratch, (size_t)tile, m->size);
    c->from.value = vel_arena_alloc(ctx->scratch, (size_t)tile, m->size);
    c->from.n = 0;
    return c->value && c->from.value ? VEL_OK : vel_no_memory(ctx, (size_t)tile, m->size);
}

static vel_err write_cut(vel_ctx *ctx, const sparse *m, hid_t from_indptr, hid_t to) {
    cutting c = {.to_data = -1, .to_indices = -1};
    VEL_TRY(VEL_ZALLOC(ctx, c.indptr, m->major.k + 1));
    VEL_TRY(allocate(ctx, m, &c, false));
    VEL_TRY(each_run(ctx, m, count_run, &c));
    for (int64_t k = 0; k < m->major.k; k++) c.indptr[k + 1] += c.indptr[k];
    hsize_t n = (hsize_t)c.indptr[m->major.k], n_indptr = (hsize_t)m->major.k + 1;
    H5_OWNED hid_t data = -1, indices = -1, indptr = -1;
    VEL_TRY(make_like(ctx, m->out, m->data, 1, &n, to, "data", &data));
    VEL_TRY(make_like(ctx, m->out, m->indices, 1, &n, to, "indices", &indices));
    VEL_TRY(make_like(ctx, m->out, from_indptr, 1, &n_indptr, to, "indptr", &indptr));
    VEL_TRY(run(ctx, m, indptr, H5T_NATIVE_INT64, 0, m->major.k + 1, c.indptr, false));
    VEL_TRY(allocate(ctx, m, &c, true));
    c.to_data = data;
    c.to_indices = indices;
    VEL_TRY(each_run(ctx, m, copy_run, &c));
    return write_waiting(ctx, m, &c);
}

static vel_err check(vel_ctx *ctx, const sparse *m) {
    const int64_t *p = m->indptr;
    bool good = p[0] == 0 && p[m->n_major] <= m->s->entry->stored;
    for (int64_t i = 0; good && i < m->n_major; i++) good = p[i] <= p[i + 1];
    return good ? VEL_OK : vel_fail(ctx, VEL_EFORMAT, "indptr of %s is out of order", vel_h5ad_where(ctx, m->s));
}

static vel_err open_part(vel_ctx *ctx, const sparse *m, hid_t from, const char *name, int64_t n, hid_t *part) {
    hsize_t dims[VEL_H5_DIMS];
    *part = H5Dopen2(from, name, H5P_DEFAULT);
    if (*part < 0 || vel_h5_shape(*part, dims) != 1 || (int64_t)dims[0] != n)
        return vel_h5_fail(ctx, VEL_EFORMAT, "%s of %s is no vector of %lld", name, vel_h5ad_where(ctx, m->s),
                           (long long)n);
    return vel_h5_check_filters(ctx, *part, vel_h5ad_where(ctx, m->s));
}

vel_err vel_h5ad_cut_sparse(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, hid_t from, hid_t to) {
    bool is_csc = s->item->lies == VEL_LIES_COLUMNS;
    sparse m = {.s = s, .out = out};
    m.major = is_csc ? s->cols : s->rows;
    m.minor = is_csc ? s->rows : s->cols;
    m.n_major = is_csc ? s->entry->cols : s->entry->rows;
    m.n_minor = is_csc ? s->entry->rows : s->entry->cols;
    H5_OWNED hid_t data = -1, indices = -1, indptr = -1;
    VEL_TRY(open_part(ctx, &m, from, "data", s->entry->stored, &data));
    VEL_TRY(open_part(ctx, &m, from, "indices", s->entry->stored, &indices));
    VEL_TRY(open_part(ctx, &m, from, "indptr", m.n_major + 1, &indptr));
    H5_OWNED hid_t data_type = H5Dget_type(data);
    m.data = data;
    m.indices = indices;
    m.data_type = data_type;
    m.size = H5Tget_size(data_type);
    int64_t n = m.n_major + 1;
    VEL_TRY(vel_h5ad_vector(ctx, s, indptr, VEL_I64, &n, &m.indptr));
    VEL_TRY(check(ctx, &m));
    if (m.minor.index) {
        VEL_TRY(VEL_ALLOC(ctx, m.minor_at, m.n_minor));
        for (int64_t i = 0; i < m.n_minor; i++) m.minor_at[i] = -1;
        for (int64_t k = 0; k < m.minor.k; k++) m.minor_at[m.minor.index[k]] = k;
    }
    return write_cut(ctx, &m, indptr, to);
}
