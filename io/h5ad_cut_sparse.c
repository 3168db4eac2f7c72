/* Copies of sparse matrices with rows and columns left out: values of any type are moved, not understood. The major
 * axis is cut by runs, the minor one entry by entry. */
#include <string.h>

#include "io/h5_filters.h"
#include "io/h5ad_impl.h"

enum { TILE_ENTRIES = 1 << 19 };

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
    VEL_TRY(transfer(ctx, m, (span){m->indices, H5T_NATIVE_INT64, first, w->n}, w->index, true));
    for (int64_t e = 0; e < w->n; e++)
        if (w->index[e] < 0 || w->index[e] >= m->n_minor)
            return vel_fail(ctx, VEL_EFORMAT, "indices of %s have %lld, expected 0 to %lld", vel_h5ad_where(ctx, m->s),
                            (long long)w->index[e], (long long)m->n_minor - 1);
    return w->value ? transfer(ctx, m, (span){m->data, m->data_type, first, w->n}, w->value, true) : VEL_OK;
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
    VEL_TRY(transfer(ctx, m, (span){c->to_indices, H5T_NATIVE_INT64, c->written, c->waiting}, c->index, false));
    VEL_TRY(transfer(ctx, m, (span){c->to_data, m->data_type, c->written, c->waiting}, c->value, false));
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

/* Signed, as scipy wants them, and as wide as they were, but in no case wider than need be for its sake. */
static hid_t index_type(const sparse *m) {
    bool is_narrow = m->indptr[m->n_major] <= INT32_MAX && m->n_minor <= INT32_MAX && m->index_size <= 4;
    return is_narrow ? H5T_STD_I32LE : H5T_STD_I64LE;
}

static vel_err write_cut(vel_ctx *ctx, const sparse *m, hid_t from_indptr, hid_t to) {
    cutting c = {.to_data = -1, .to_indices = -1};
    VEL_TRY(VEL_ZALLOC(ctx, c.indptr, m->major.k + 1));
    VEL_TRY(allocate(ctx, m, &c, false));
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
