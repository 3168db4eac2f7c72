/* Copies of sparse matrices with rows and columns left out: values of any type are moved, not understood. The major
 * axis is cut by runs, the minor one entry by entry. Compressed chunks are opened and made by all threads where they
 * are of a sort that we know. */
#include <string.h>

#include "io/h5_chunks.h"
#include "io/h5_filters.h"
#include "io/h5_pack.h"
#include "io/h5ad_impl.h"

static vel_err cannot(vel_ctx *ctx, const vel_h5ad_output *out, const char *name) {
    return vel_h5_fail(ctx, VEL_EWRITE, "%s cannot be cut from %s to %s", name, out->from->name, out->name);
}

typedef struct {
    const vel_h5ad_source *s;
    const vel_h5ad_output *out;
    hid_t data, indices, data_type;
    size_t size, index_size; /* of a value, of an index in the file */
    int64_t n_major, n_minor, *indptr;
    vel_pick major, minor;
    int64_t *minor_at; /* NULL: all */
} sparse;

/* Elements first .. first + n - 1 of a vector, in memory of a type. */
typedef struct {
    hid_t dataset, type;
    int64_t first, n;
} span;

static vel_err transfer(vel_ctx *ctx, const sparse *m, span of, void *bytes, bool reading) {
    hsize_t start = (hsize_t)of.first, count = (hsize_t)of.n;
    H5_OWNED hid_t space = H5Dget_space(of.dataset), flat = H5Screate_simple(1, &count, NULL);
    herr_t failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    if (failed >= 0)
        failed = reading ? H5Dread(of.dataset, of.type, flat, space, H5P_DEFAULT, bytes)
                         : H5Dwrite(of.dataset, of.type, flat, space, H5P_DEFAULT, bytes);
    return failed < 0 ? cannot(ctx, m->out, m->s->entry->path) : vel_poll(ctx);
}

static int64_t major_of(const sparse *m, int64_t k) { return m->major.index ? m->major.index[k] : k; }

/* ---- what comes in */

/* Calls visit for runs of at most a tile of entries of each wanted row, in order. */
typedef vel_err (*visit_run)(vel_ctx *ctx, const sparse *m, int64_t k, int64_t first, int64_t n, void *arg);

static vel_err each_run(vel_ctx *ctx, const sparse *m, visit_run visit, void *arg) {
    for (int64_t k = 0; k < m->major.k; k++) {
        int64_t i = major_of(m, k), end = m->indptr[i + 1];
        for (int64_t first = m->indptr[i]; first < end; first += VEL_H5AD_SPARSE_TILE)
            VEL_TRY(
                visit(ctx, m, k, first, end - first < VEL_H5AD_SPARSE_TILE ? end - first : VEL_H5AD_SPARSE_TILE, arg));
    }
    return VEL_OK;
}

/* Entries are read ahead in tiles, since rows are short. */
typedef struct {
    int64_t first, n;
    int64_t *index;
    char *value;
} window;

typedef struct {
    int64_t first, n;
    char *to;
    size_t size; /* of an element in the file */
    bool widens; /* from int32 to int64 */
} run;

static void place_chunk(const vel_h5_chunk *chunk, void *arg) {
    const run *r = arg;
    int64_t begin = chunk->row > r->first ? chunk->row : r->first, end = chunk->row + chunk->rows;
    if (end > r->first + r->n) end = r->first + r->n;
    const char *from = (const char *)chunk->elements + (size_t)(begin - chunk->row) * r->size;
    if (!r->widens) {
        memcpy(r->to + (size_t)(begin - r->first) * r->size, from, (size_t)(end - begin) * r->size);
        return;
    }
    for (int64_t e = begin; e < end; e++) ((int64_t *)r->to)[e - r->first] = ((const int32_t *)from)[e - begin];
}

static vel_err read_opened(vel_ctx *ctx, const vel_h5_chunks *chunks, run r) {
    r.size = vel_type_size(chunks->type);
    memset(r.to, 0, (size_t)r.n * (r.widens ? sizeof(int64_t) : r.size)); /* for chunks that are not there */
    VEL_TRY(vel_h5_chunks_each(ctx, chunks, chunks->type, &(vel_h5_part){r.first, 0, r.n, 1}, place_chunk, &r));
    return vel_poll(ctx);
}

static vel_err read_values(vel_ctx *ctx, const sparse *m, window *w) {
    vel_h5_chunks chunks;
    if (vel_h5_chunks_of(m->data, &chunks))
        return read_opened(ctx, &chunks, (run){.first = w->first, .n = w->n, .to = w->value});
    return transfer(ctx, m, (span){m->data, m->data_type, w->first, w->n}, w->value, true);
}

static vel_err read_indices(vel_ctx *ctx, const sparse *m, window *w) {
    vel_h5_chunks chunks;
    if (vel_h5_chunks_of(m->indices, &chunks) && (chunks.type == VEL_I32 || chunks.type == VEL_I64)) {
        run r = {.first = w->first, .n = w->n, .to = (char *)w->index, .widens = chunks.type == VEL_I32};
        return read_opened(ctx, &chunks, r);
    }
    return transfer(ctx, m, (span){m->indices, H5T_NATIVE_INT64, w->first, w->n}, w->index, true);
}

static vel_err slide(vel_ctx *ctx, const sparse *m, window *w, int64_t first, int64_t n) {
    if (first >= w->first && first + n <= w->first + w->n) return VEL_OK;
    int64_t left = m->indptr[m->n_major] - first;
    w->first = first;
    w->n = left < VEL_H5AD_SPARSE_TILE ? left : VEL_H5AD_SPARSE_TILE;
    VEL_TRY(read_indices(ctx, m, w));
    for (int64_t e = 0; e < w->n; e++)
        if (w->index[e] < 0 || w->index[e] >= m->n_minor)
            return vel_fail(ctx, VEL_EFORMAT, "indices of %s have %lld, expected 0 to %lld", vel_h5ad_where(ctx, m->s),
                            (long long)w->index[e], (long long)m->n_minor - 1);
    return w->value ? read_values(ctx, m, w) : VEL_OK;
}

/* ---- what goes out */

/* A vector that is written: its elements wait until they fill chunks, if these are made here. */
typedef struct {
    hid_t dataset, type; /* type: of elements in memory, as in the file */
    size_t size;
    vel_h5_form form;
    bool is_packed;
    int64_t band, room; /* elements of a chunk (1: HDF5 makes them); that can wait */
    int64_t waiting, written;
    char *bytes;
} outlet;

/* most: elements that are added at a time. */
static vel_err open_outlet(vel_ctx *ctx, outlet *o, int64_t most) {
    o->size = H5Tget_size(o->type);
    o->is_packed = vel_h5_form_of(o->dataset, &o->form);
    o->band = o->is_packed ? o->form.chunk[0] : 1;
    o->room = most + o->band;
    o->bytes = vel_arena_alloc(ctx->scratch, (size_t)o->room, o->size);
    return o->bytes ? VEL_OK : vel_no_memory(ctx, (size_t)o->room, o->size);
}

/* Writes what fills chunks, or all that there is. */
static vel_err drain(vel_ctx *ctx, const sparse *m, outlet *o, bool all) {
    int64_t ready = all ? o->waiting : o->waiting / o->band * o->band;
    if (!ready) return VEL_OK;
    if (o->is_packed) {
        const vel_h5_array a = {.elements = o->bytes,
                                .ndim = 1,
                                .rows = ready,
                                .cols = 1,
                                .size = o->size,
                                .name = m->s->entry->path,
                                .file = m->out->name};
        VEL_TRY(vel_h5_pack_rows(ctx, o->dataset, &o->form, o->written, &a));
    } else {
        VEL_TRY(transfer(ctx, m, (span){o->dataset, o->type, o->written, ready}, o->bytes, false));
    }
    o->written += ready;
    o->waiting -= ready;
    memmove(o->bytes, o->bytes + (size_t)ready * o->size, (size_t)o->waiting * o->size);
    return VEL_OK;
}

static vel_err make_room(vel_ctx *ctx, const sparse *m, outlet *o, int64_t n) {
    return o->waiting + n > o->room ? drain(ctx, m, o, false) : VEL_OK;
}

static void add_index(outlet *o, int64_t index) {
    if (o->size == sizeof(int32_t))
        ((int32_t *)o->bytes)[o->waiting++] = (int32_t)index;
    else
        ((int64_t *)o->bytes)[o->waiting++] = index;
}

static void add_value(outlet *o, const char *value) {
    memcpy(o->bytes + (size_t)o->waiting++ * o->size, value, o->size);
}

/* ---- cutting */

typedef struct {
    window from;
    int64_t *indptr; /* of the cut matrix */
    outlet data, indices;
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

static vel_err copy_run(vel_ctx *ctx, const sparse *m, int64_t k, int64_t first, int64_t n, void *arg) {
    (void)k;
    cutting *c = arg;
    VEL_TRY(slide(ctx, m, &c->from, first, n));
    VEL_TRY(make_room(ctx, m, &c->indices, n));
    VEL_TRY(make_room(ctx, m, &c->data, n));
    for (int64_t e = first - c->from.first; n > 0; n--, e++) {
        int64_t at = m->minor_at ? m->minor_at[c->from.index[e]] : c->from.index[e];
        if (at < 0) continue;
        add_index(&c->indices, at);
        add_value(&c->data, c->from.value + (size_t)e * m->size);
    }
    return VEL_OK;
}

static int64_t tile_of(const sparse *m) {
    return m->indptr[m->n_major] < VEL_H5AD_SPARSE_TILE ? m->indptr[m->n_major] : VEL_H5AD_SPARSE_TILE;
}

static vel_err open_window(vel_ctx *ctx, const sparse *m, window *w) {
    size_t tile = (size_t)tile_of(m);
    w->value = vel_arena_alloc(ctx->scratch, tile, m->size);
    w->n = 0; /* what was read of it had no values */
    return w->value ? VEL_OK : vel_no_memory(ctx, tile, m->size);
}

/* Signed, as scipy wants them, and as wide as they were, but in no case wider than need be for its sake. */
static hid_t index_type(const sparse *m) {
    bool is_narrow = m->indptr[m->n_major] <= INT32_MAX && m->n_minor <= INT32_MAX && m->index_size <= 4;
    return is_narrow ? H5T_STD_I32LE : H5T_STD_I64LE;
}

static vel_err write_cut(vel_ctx *ctx, const sparse *m, hid_t from_indptr, hid_t to) {
    cutting c = {0};
    VEL_TRY(VEL_ZALLOC(ctx, c.indptr, m->major.k + 1));
    VEL_TRY(VEL_ALLOC(ctx, c.from.index, tile_of(m)));
    VEL_TRY(each_run(ctx, m, count_run, &c));
    for (int64_t k = 0; k < m->major.k; k++) c.indptr[k + 1] += c.indptr[k];
    hsize_t n = (hsize_t)c.indptr[m->major.k], n_indptr = (hsize_t)m->major.k + 1;
    H5_OWNED hid_t data = -1, indices = -1, indptr = -1;
    const vel_h5ad_like data_like = {m->data, m->data_type, 1, &n, to, "data"};
    const vel_h5ad_like indices_like = {m->indices, index_type(m), 1, &n, to, "indices"};
    const vel_h5ad_like indptr_like = {from_indptr, index_type(m), 1, &n_indptr, to, "indptr"};
    VEL_TRY(vel_h5ad_make_like(ctx, m->out, &data_like, &data));
    VEL_TRY(vel_h5ad_make_like(ctx, m->out, &indices_like, &indices));
    VEL_TRY(vel_h5ad_make_like(ctx, m->out, &indptr_like, &indptr));
    VEL_TRY(transfer(ctx, m, (span){indptr, H5T_NATIVE_INT64, 0, m->major.k + 1}, c.indptr, false));
    c.data = (outlet){.dataset = data, .type = m->data_type};
    c.indices = (outlet){.dataset = indices, .type = index_type(m)};
    VEL_TRY(open_window(ctx, m, &c.from));
    VEL_TRY(open_outlet(ctx, &c.data, tile_of(m)));
    VEL_TRY(open_outlet(ctx, &c.indices, tile_of(m)));
    VEL_TRY(each_run(ctx, m, copy_run, &c));
    VEL_TRY(drain(ctx, m, &c.indices, true));
    return drain(ctx, m, &c.data, true);
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
    return vel_h5_check_readable(ctx, *part, vel_h5ad_where(ctx, m->s));
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
    H5_OWNED hid_t given = H5Dget_type(data), old_index_type = H5Dget_type(indices);
    H5_OWNED hid_t data_type = H5Tcopy(given);
    if (vel_h5_is_big_endian(data_type)) H5Tset_order(data_type, H5T_ORDER_LE);
    m.index_size = H5Tget_size(old_index_type);
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
