/* Blocks of genes: layers as kernels see them. */
#include <string.h>

#include "core/adata_impl.h"
#include "core/least.h"
#include "core/par.h"

enum { OWN_BYTES = 32 << 20, OWN_SHARE = 8, ROW_TILE = 128, ROWS_AHEAD = 8, LEAST_BLOCK = 16 };

typedef struct {
    vel_slot *slot;
    vel_field *field;     /* its field, or the part of it that is read; NULL until the first block: it is away */
    const int64_t *genes; /* columns of the field that are gone through; NULL: all */
    vel_type type;        /* of the view */
    bool write, by_column;
    int room;        /* the output that a block of an input is laid into, -1: none */
    void *buffer;    /* n_obs x block, gene-major; NULL: views lead into the field */
    int64_t *cursor; /* SPARSE: where each row goes on */
} stream;

struct vel_blocks_state {
    vel_adata *ad;
    int64_t n_obs, n_genes, block;
    const int64_t *genes; /* NULL: all */
    int n_streams;
    bool started;
    stream streams[VEL_BLOCK_FIELDS];
};

/* ---- open */

static vel_err check_stream(vel_ctx *ctx, const vel_adata *ad, const char *path, stream *s) {
    const vel_field *f = s->field;
    if (f->kind == VEL_DENSE && !f->gene_major)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is no layer", path, vel_adata_name(ad));
    if (s->write && f->kind != VEL_DENSE)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is sparse and cannot be written in blocks", path, vel_adata_name(ad));
    if (!s->type) s->type = f->type;
    if (s->type != VEL_F32 && s->type != VEL_F64)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is %s, blocks are float32 or float64", path, vel_adata_name(ad),
                        vel_type_name(s->type));
    return VEL_OK;
}

static vel_err take_whole(vel_ctx *ctx, vel_adata *ad, const char *path, stream *s) {
    const vel_field *f;
    VEL_TRY(vel_get_matrix(ctx, ad, path, &f));
    if (s->write) VEL_TRY(vel_edit(ctx, ad, path, &s->field));
    s->slot = vel_slot_find(ad, path);
    s->field = &s->slot->field;
    return check_stream(ctx, ad, path, s);
}

/* A matrix that is away stays there until it is known which genes are wanted. */
static vel_err open_stream(vel_ctx *ctx, vel_adata *ad, const vel_block_field *bf, stream *s) {
    *s = (stream){.slot = vel_slot_find(ad, bf->path), .type = bf->type, .write = bf->write, .room = -1};
    vel_entry e = vel_entry_of(ad, bf->path);
    bool is_matrix = (e.kind == VEL_DENSE || e.kind == VEL_SPARSE) && e.ndim == 2 && vel_is_layer(e.path);
    if (!bf->write && is_matrix && vel_slot_is_away(s->slot)) return VEL_OK;
    return take_whole(ctx, ad, bf->path, s);
}

vel_err vel_blocks_open(vel_ctx *ctx, vel_adata *ad, const vel_block_field *fields, int n_fields, int64_t block,
                        vel_blocks **it) {
    if (n_fields < 0 || n_fields > VEL_BLOCK_FIELDS)
        return vel_fail(ctx, VEL_EUSAGE, "%d block fields, at most %d", n_fields, VEL_BLOCK_FIELDS);
    vel_blocks *b;
    VEL_TRY(VEL_ZALLOC(ctx, b, 1));
    VEL_TRY(VEL_ZALLOC(ctx, b->state, 1));
    struct vel_blocks_state *st = b->state;
    st->ad = ad;
    st->n_obs = ad->n_obs;
    st->n_genes = ad->n_vars;
    st->block = block;
    st->n_streams = n_fields;
    for (int i = 0; i < n_fields; i++) VEL_TRY(open_stream(ctx, ad, &fields[i], &st->streams[i]));
    *it = b;
    return VEL_OK;
}

vel_err vel_blocks_select(vel_ctx *ctx, vel_blocks *it, const int64_t *genes, int64_t n_genes) {
    struct vel_blocks_state *st = it->state;
    for (int64_t i = 0; i < n_genes; i++)
        if (genes[i] < 0 || genes[i] >= st->n_genes || (i > 0 && genes[i] <= genes[i - 1]))
            return vel_fail(ctx, VEL_EVALUE, "gene %lld of a selection is out of place", (long long)genes[i]);
    st->genes = genes;
    st->n_genes = n_genes;
    return VEL_OK;
}

void vel_blocks_by_column(vel_blocks *it, int field) { it->state->streams[field].by_column = true; }

void vel_blocks_lay_into(vel_blocks *it, int field, int room) { it->state->streams[field].room = room; }

/* ---- the first block: who needs a buffer, and of what size */

static int64_t gene_at(const stream *s, int64_t i) { return s->genes ? s->genes[i] : i; }

static bool is_run(const stream *s, int64_t n) { return n == 0 || gene_at(s, n - 1) - gene_at(s, 0) == n - 1; }

/* Of a layer that is away only the genes selected are read. */
static vel_err fetch(vel_ctx *ctx, struct vel_blocks_state *st, stream *s) {
    if (!s->field && st->genes && vel_slot_is_away(s->slot)) {
        VEL_TRY(vel_slot_read_part(ctx, st->ad, s->slot, st->genes, st->n_genes));
        s->field = &s->slot->part;
        return check_stream(ctx, st->ad, s->slot->path, s);
    }
    if (!s->field) VEL_TRY(take_whole(ctx, st->ad, s->slot->path, s));
    s->genes = st->genes;
    return VEL_OK;
}

/* Genes a block, each of so many bytes of the iterator's own: few bytes, and a small share of what is gone through. */
static int64_t small_block(const struct vel_blocks_state *st, size_t bytes) {
    int64_t block = (int64_t)(OWN_BYTES / bytes), share = st->n_genes / OWN_SHARE;
    if (block > share) block = share;
    return block > LEAST_BLOCK ? block : LEAST_BLOCK;
}

/* Memory for the blocks of a stream whose views do not lead into the field. */
static vel_err find_room(vel_ctx *ctx, const struct vel_blocks_state *st, stream *s, const bool *direct) {
    const stream *room = s->room >= 0 ? &st->streams[s->room] : NULL;
    size_t size = (size_t)st->n_obs * vel_type_size(s->type);
    if (room && !(direct[s->room] && is_run(room, st->n_genes) && room->type == s->type)) s->room = -1;
    if (s->room < 0) s->buffer = vel_arena_alloc(ctx->scratch, (size_t)st->block, size);
    if (s->room < 0 && !s->buffer) return vel_no_memory(ctx, (size_t)st->block, size);
    if (s->field->kind != VEL_SPARSE) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, s->cursor, st->n_obs));
    memcpy(s->cursor, s->field->indptr, (size_t)st->n_obs * sizeof *s->cursor);
    return VEL_OK;
}

static vel_err start(vel_ctx *ctx, struct vel_blocks_state *st) {
    size_t bytes = 0;
    bool direct[VEL_BLOCK_FIELDS];
    for (int i = 0; i < st->n_streams; i++) {
        stream *s = &st->streams[i];
        VEL_TRY(fetch(ctx, st, s));
        direct[i] =
            s->field->kind == VEL_DENSE && s->field->type == s->type && (is_run(s, st->n_genes) || s->by_column);
        if (!direct[i] || s->field->spill) bytes += (size_t)st->n_obs * vel_type_size(s->type);
    }
    if (st->block <= 0) st->block = bytes ? small_block(st, bytes) : st->n_genes;
    if (st->block > st->n_genes) st->block = st->n_genes;
    for (int i = 0; i < st->n_streams; i++) {
        if (direct[i])
            st->streams[i].room = -1;
        else
            VEL_TRY(find_room(ctx, st, &st->streams[i], direct));
    }
    st->started = true;
    return VEL_OK;
}

/* ---- filling and flushing */

typedef struct {
    const vel_blocks *it;
    stream *s;
    int64_t first, last;  /* SPARSE: columns between which the genes of the block lie */
    const int64_t *place; /* where each of these lies in the block, -1: it is not asked for; NULL: all are */
} job;

static void convert(const vel_field *from, int64_t at, void *to, vel_type type, int64_t n) {
    if (from->type == type) {
        size_t size = vel_type_size(type);
        memcpy(to, (const char *)from->data + (size_t)at * size, (size_t)n * size);
    } else if (type == VEL_F64 && from->type == VEL_F32) {
        const float *x = (const float *)from->data + at;
        for (int64_t c = 0; c < n; c++) ((double *)to)[c] = (double)x[c];
    } else if (type == VEL_F64) {
        for (int64_t c = 0; c < n; c++) ((double *)to)[c] = vel_field_real(from, at + c);
    } else {
        for (int64_t c = 0; c < n; c++) ((float *)to)[c] = (float)vel_field_real(from, at + c);
    }
}

static vel_err fill_gene(vel_ctx *ctx, int64_t i, void *arg) {
    (void)ctx;
    const job *j = arg;
    const struct vel_blocks_state *st = j->it->state;
    size_t size = (size_t)st->n_obs * vel_type_size(j->s->type);
    convert(j->s->field, gene_at(j->s, j->it->first + i) * st->n_obs, (char *)j->s->buffer + (size_t)i * size,
            j->s->type, st->n_obs);
    return VEL_OK;
}

static vel_err flush_gene(vel_ctx *ctx, int64_t i, void *arg) {
    (void)ctx;
    const job *j = arg;
    const struct vel_blocks_state *st = j->it->state;
    vel_field view = {.data = j->s->buffer, .type = j->s->type};
    size_t size = (size_t)st->n_obs * vel_type_size(j->s->field->type);
    convert(&view, i * st->n_obs, (char *)j->s->field->data + (size_t)gene_at(j->s, j->it->first + i) * size,
            j->s->field->type, st->n_obs);
    return VEL_OK;
}

/* The entries of one row that fall into the block; the row's cursor moves to the first beyond it. */
#define SCATTER(name, from, to)                                                       \
    static void name(const job *j, int64_t c) {                                       \
        const vel_field *f = j->s->field;                                             \
        int64_t n = j->it->state->n_obs, e = j->s->cursor[c], end = f->indptr[c + 1]; \
        const from *x = f->data;                                                      \
        to *y = j->s->buffer;                                                         \
        while (e < end && f->indices[e] < j->first) e++;                              \
        for (; e < end && f->indices[e] <= j->last; e++) {                            \
            int64_t at = f->indices[e] - j->first, g = j->place ? j->place[at] : at;  \
            if (g >= 0) y[g * n + c] = (to)x[e];                                      \
        }                                                                             \
        j->s->cursor[c] = e;                                                          \
    }
SCATTER(scatter_f32, float, float)
SCATTER(scatter_f64, double, double)
SCATTER(scatter_widened, float, double)
SCATTER(scatter_narrowed, double, float)

/* Small blocks take a few entries here and there, which no hardware foresees. */
static inline void fetch_row(const job *j, int64_t c) {
    const vel_field *f = j->s->field;
    __builtin_prefetch(f->indices + j->s->cursor[c]);
    __builtin_prefetch((const char *)f->data + (size_t)j->s->cursor[c] * vel_type_size(f->type));
}

static vel_err fill_rows(vel_ctx *ctx, int64_t tile, void *arg) {
    (void)ctx;
    const job *j = arg;
    bool wide = j->s->field->type == VEL_F64, to_wide = j->s->type == VEL_F64;
    void (*scatter)(const job *, int64_t) =
        wide ? (to_wide ? scatter_f64 : scatter_narrowed) : (to_wide ? scatter_widened : scatter_f32);
    int64_t n = j->it->state->n_obs, first = tile * ROW_TILE, end = vel_least(first + ROW_TILE, n);
    size_t size = vel_type_size(j->s->type);
    for (int64_t g = 0; g < j->it->count; g++) /* here, so that the lines are at hand when they are filled */
        memset((char *)j->s->buffer + (size_t)(g * n + first) * size, 0, (size_t)(end - first) * size);
    for (int64_t c = first; c < end; c++) {
        if (c + ROWS_AHEAD < end) fetch_row(j, c + ROWS_AHEAD); /* beyond, cursors are another thread's */
        scatter(j, c);
    }
    return VEL_OK;
}

/* A block of a sparse field. */
static vel_err fill_sparse(vel_ctx *ctx, job *j) {
    const struct vel_blocks_state *st = j->it->state;
    int64_t n = st->n_obs, count = j->it->count;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    j->first = gene_at(j->s, j->it->first);
    j->last = gene_at(j->s, j->it->first + count - 1);
    if (j->last - j->first >= count) {
        int64_t *place, span = j->last - j->first + 1;
        VEL_TRY(VEL_ALLOC(ctx, place, span));
        for (int64_t i = 0; i < span; i++) place[i] = -1;
        for (int64_t g = 0; g < count; g++) place[gene_at(j->s, j->it->first + g) - j->first] = g;
        j->place = place;
    }
    VEL_TRY(vel_for(ctx, NULL, (n + ROW_TILE - 1) / ROW_TILE, fill_rows, j));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err fill(vel_ctx *ctx, const vel_blocks *it, stream *s) {
    job j = {.it = it, .s = s};
    return s->field->kind == VEL_DENSE ? vel_for(ctx, NULL, it->count, fill_gene, &j) : fill_sparse(ctx, &j);
}

static vel_err flush(vel_ctx *ctx, const vel_blocks *it) {
    struct vel_blocks_state *st = it->state;
    for (int i = 0; i < st->n_streams; i++) {
        job j = {.it = it, .s = &st->streams[i]};
        if (j.s->write && j.s->buffer) VEL_TRY(vel_for(ctx, NULL, it->count, flush_gene, &j));
    }
    return VEL_OK;
}

/* What a block needs is fetched; what it was the last to need may leave RAM. */
static void tell(const vel_blocks *it, void (*use)(const vel_field *f, int64_t from, int64_t n)) {
    const struct vel_blocks_state *st = it->state;
    for (int i = 0; i < st->n_streams && it->count; i++) {
        const stream *s = &st->streams[i];
        const vel_field *f = s->field;
        int64_t first = gene_at(s, it->first), last = gene_at(s, it->first + it->count - 1);
        if (f->kind == VEL_SPARSE)
            use(f, 0, f->indptr[f->rows]);
        else
            use(f, first * st->n_obs, (last - first + 1) * st->n_obs);
    }
}

void *vel_blocks_column(const vel_blocks *it, int field, int64_t i) {
    const struct vel_blocks_state *st = it->state;
    const stream *s = &st->streams[field];
    size_t size = (size_t)st->n_obs * vel_type_size(s->type);
    if (s->buffer) return (char *)s->buffer + (size_t)i * size;
    return (char *)s->field->data + (size_t)gene_at(s, it->first + i) * size;
}

static void view(vel_blocks *it, int i) {
    const struct vel_blocks_state *st = it->state;
    const stream *s = &st->streams[i];
    void *data = it->count && !s->by_column ? vel_blocks_column(it, i, 0) : NULL;
    it->in[i] = (vel_cmat){data, s->type, st->n_obs, it->count, 1, st->n_obs};
    it->out[i] = (vel_mat){0};
    if (s->write) it->out[i] = (vel_mat){data, s->type, st->n_obs, it->count, 1, st->n_obs};
}

vel_err vel_blocks_next(vel_ctx *ctx, vel_blocks *it) {
    struct vel_blocks_state *st = it->state;
    if (st->started)
        VEL_TRY(flush(ctx, it));
    else
        VEL_TRY(start(ctx, st));
    tell(it, vel_field_rest);
    it->first += it->count;
    int64_t left = st->n_genes - it->first;
    it->count = vel_least(left, st->block);
    tell(it, vel_field_want);
    for (int i = 0; i < st->n_streams; i++) {
        stream *s = &st->streams[i];
        if (s->room >= 0 && it->count) s->buffer = vel_blocks_column(it, s->room, 0);
        if (s->buffer && it->count) VEL_TRY(fill(ctx, it, s));
        view(it, i);
    }
    return vel_poll(ctx);
}

void vel_blocks_done(vel_blocks *it) {
    for (int i = 0; i < it->state->n_streams; i++) vel_slot_give_part(it->state->streams[i].slot);
}
