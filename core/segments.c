#include "core/segments.h"

#include "core/least.h"

enum { PATCH = 256, STRETCH = 1024, CELLS_A_SEGMENT = VEL_SEGMENT - 1, NOWHERE = -1 };

/* ---- the order */

/* rank[n]: NOWHERE if a cell has none yet. */
typedef struct {
    const vel_csr *graph;
    int32_t *order, *rank;
    int64_t last;
} walk;

static void settle(walk *w, int32_t c) {
    w->rank[c] = (int32_t)w->last;
    w->order[w->last++] = c;
}

/* Settles the neighbours of c that have no rank, up to `end` cells in all; returns the first left over, or NOWHERE. */
static int32_t settle_neighbors(walk *w, int32_t c, int64_t end) {
    for (int64_t e = w->graph->indptr[c]; e < w->graph->indptr[c + 1]; e++) {
        int32_t j = w->graph->indices[e];
        if (w->rank[j] != NOWHERE) continue;
        if (w->last >= end) return j;
        settle(w, j);
    }
    return NOWHERE;
}

/* Patch after patch, each grown breadth first from a cell beside those before, if there is one. */
static void settle_all(walk *w) {
    int64_t beside = 0, unseen = 0;
    while (w->last < w->graph->rows) {
        int32_t first = NOWHERE;
        while (first == NOWHERE && beside < w->last) {
            first = settle_neighbors(w, w->order[beside], w->last);
            beside += first == NOWHERE;
        }
        if (first == NOWHERE) {
            while (w->rank[unseen] != NOWHERE) unseen++;
            first = (int32_t)unseen;
        }
        int64_t end = w->last + PATCH, next = w->last;
        settle(w, first);
        while (next < w->last && w->last < end) settle_neighbors(w, w->order[next++], end);
    }
}

/* ---- rows and the segments that their neighbours are in */

/* What a row has in a segment: its length is twice its blocks, and one more if it has parts before. */
typedef struct {
    int32_t row, length;
} part;

typedef struct {
    int64_t parts, most; /* how many rows have one here; the greatest length of one */
    part *list;          /* in order; NULL while they are counted */
} segment;

typedef struct {
    const vel_segments *of;
    int64_t count;               /* of segments */
    segment *all;                /* [count] */
    int64_t *entries;            /* [count]: of a row, zeros between rows */
    int64_t *touched;            /* [count]: where they are */
    int64_t parts, blocks, runs; /* in all, of runs at most so many */
} layout;

static int64_t segment_of(int64_t rank) { return rank / CELLS_A_SEGMENT; }

static uint16_t number_of(int64_t rank) { return (uint16_t)(4 * (rank % CELLS_A_SEGMENT)); }

static void count_entry(const layout *l, int64_t rank, int64_t *touched) {
    int64_t s = segment_of(rank);
    if (!l->entries[s]) l->touched[(*touched)++] = s;
    l->entries[s]++;
}

/* Fills entries and touched of a row; returns how many are touched. */
static int64_t split(const layout *l, int64_t row) {
    const vel_csr *graph = &l->of->graph;
    const int64_t cell = l->of->order[row];
    int64_t n = 0;
    count_entry(l, row, &n);
    for (int64_t e = graph->indptr[cell]; e < graph->indptr[cell + 1]; e++)
        count_entry(l, l->of->rank[graph->indices[e]], &n);
    return n;
}

/* Counts the parts of all rows, and lists them where there is room. */
static void take_parts(layout *l) {
    for (int64_t s = 0; s < l->count; s++) l->all[s].parts = 0;
    for (int64_t r = 0; r < l->of->n; r++) {
        int64_t n = split(l, r), first = l->touched[0];
        for (int64_t k = 1; k < n; k++) first = vel_least(l->touched[k], first);
        for (int64_t k = 0; k < n; k++) {
            segment *in = &l->all[l->touched[k]];
            int64_t blocks = (l->entries[l->touched[k]] + VEL_SEGMENT_BLOCK - 1) / VEL_SEGMENT_BLOCK;
            int64_t length = 2 * blocks + (l->touched[k] > first);
            l->entries[l->touched[k]] = 0;
            if (in->list)
                in->list[in->parts] = (part){(int32_t)r, (int32_t)length};
            else
                l->blocks += blocks;
            in->parts++;
            if (length > in->most) in->most = length;
        }
    }
}

static vel_err count_parts(vel_ctx *ctx, layout *l) {
    VEL_TRY(VEL_ZALLOC(ctx, l->all, l->count));
    VEL_TRY(VEL_ZALLOC(ctx, l->entries, l->count));
    VEL_TRY(VEL_ALLOC(ctx, l->touched, l->count));
    take_parts(l);
    int64_t stretches = (l->of->n + STRETCH - 1) / STRETCH;
    for (int64_t s = 0; s < l->count; s++) {
        int64_t parts = l->all[s].parts, most = (l->all[s].most + 1) * stretches;
        l->parts += parts;
        l->runs += vel_least(parts, most);
    }
    return VEL_OK;
}

static vel_err list_parts(vel_ctx *ctx, layout *l) {
    part *list;
    VEL_TRY(VEL_ALLOC(ctx, list, l->parts));
    for (int64_t s = 0; s < l->count; s++) {
        l->all[s].list = list;
        list += l->all[s].parts;
    }
    take_parts(l);
    return VEL_OK;
}

/* Where the next run, row and number go. */
typedef struct {
    vel_segment_run *run;
    int32_t *row;
    uint16_t *near;
} pens;

/* Rows of a stretch by length, ascending, in order among equals: a counting sort. start[most + 2] is scratch. */
static void list_rows(int64_t n, const part *list, int64_t first, int64_t most, int64_t *start, pens *at) {
    for (int64_t b = 0; b < most + 2; b++) start[b] = 0;
    for (int64_t k = 0; k < n; k++) start[list[k].length + 1]++;
    for (int64_t b = 0; b <= most; b++) {
        if (start[b + 1]) *at->run++ = (vel_segment_run){start[b + 1], b / 2, first, b % 2};
        start[b + 1] += start[b];
    }
    for (int64_t k = 0; k < n; k++) at->row[start[list[k].length]++] = list[k].row;
    at->row += n;
}

static void write_numbers(const vel_segments *segments, const vel_segment_run *run, const int32_t *row, pens *at) {
    int32_t rank[VEL_SEGMENT_PIECE];
    uint16_t nothing = (uint16_t)(4 * (vel_segments_nothing(segments, run->first) - run->first));
    for (int64_t i = 0; i < run->rows; i++) {
        uint16_t *end = at->near + run->blocks * VEL_SEGMENT_BLOCK;
        for (int64_t from = 0, n; (n = vel_segments_terms(segments, row[i], from, rank)); from += n)
            for (int64_t k = 0; k < n; k++)
                if (segment_of(rank[k]) == run->first / VEL_SEGMENT) *at->near++ = number_of(rank[k]);
        while (at->near < end) *at->near++ = nothing;
    }
}

static vel_err write_segment(vel_ctx *ctx, const vel_segments *segments, const segment *s, int64_t first, pens *at) {
    const vel_segment_run *run = at->run;
    const int32_t *row = at->row;
    int64_t *start;
    VEL_TRY(VEL_ALLOC(ctx, start, s->most + 2));
    for (int64_t k = 0, end; k < s->parts; k = end) {
        for (end = k; end < s->parts && s->list[end].row / STRETCH == s->list[k].row / STRETCH;) end++;
        list_rows(end - k, s->list + k, first, s->most, start, at);
    }
    for (; run < at->run; row += run->rows, run++) write_numbers(segments, run, row, at);
    return VEL_OK;
}

static vel_err lay_out(vel_ctx *ctx, vel_segments *segments) {
    layout l = {.of = segments, .count = vel_segments_count(segments->n)};
    pens at;
    VEL_TRY(count_parts(ctx, &l));
    VEL_TRY(VEL_ALLOC(ctx, at.run, l.runs));
    VEL_TRY(VEL_ALLOC(ctx, at.row, l.parts));
    VEL_TRY(VEL_ALLOC(ctx, at.near, l.blocks * VEL_SEGMENT_BLOCK));
    segments->runs = at.run;
    segments->row = at.row;
    segments->near = at.near;
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(list_parts(ctx, &l));
    for (int64_t s = 0; s < l.count; s++) VEL_TRY(write_segment(ctx, segments, &l.all[s], s * VEL_SEGMENT, &at));
    vel_arena_release(ctx->scratch, mark);
    segments->n_runs = at.run - segments->runs;
    return VEL_OK;
}

/* ---- what is known of rows */

static vel_err count_terms(vel_ctx *ctx, vel_segments *segments) {
    float *count;
    VEL_TRY(VEL_ZALLOC(ctx, count, segments->n + VEL_SEGMENT_BLOCK));
    for (int64_t c = 0; c < segments->n; c++)
        count[segments->rank[c]] = (float)(segments->graph.indptr[c + 1] - segments->graph.indptr[c] + 1);
    segments->terms = count;
    return VEL_OK;
}

/* Row after row, the cells that name c come in ascending order: as they stand in row c, if the graph is symmetric. */
static vel_err is_symmetric(vel_ctx *ctx, const vel_csr *g, bool *symmetric) {
    int64_t *next;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, next, g->rows));
    for (int64_t c = 0; c < g->rows; c++) next[c] = g->indptr[c];
    *symmetric = true;
    for (int64_t c = 0; c < g->rows && *symmetric; c++)
        for (int64_t e = g->indptr[c]; e < g->indptr[c + 1]; e++) {
            int64_t j = g->indices[e], at = next[j]++;
            *symmetric &= at < g->indptr[j + 1] && g->indices[at] == c;
        }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* Where the rows of the only segment begin. */
static vel_err find_rows(vel_ctx *ctx, vel_segments *segments) {
    int32_t *start, block = 0;
    const int32_t *row = segments->row;
    if (vel_segments_count(segments->n) > 1) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, start, segments->n));
    for (const vel_segment_run *run = segments->runs; run < segments->runs + segments->n_runs; run++)
        for (int64_t i = 0; i < run->rows; i++, block += (int32_t)run->blocks) start[*row++] = block;
    segments->start = start;
    return VEL_OK;
}

vel_err vel_segments_make(vel_ctx *ctx, const vel_csr *graph, vel_segments *segments) {
    const int64_t n = graph->rows;
    *segments = (vel_segments){.n = n, .places = n + vel_segments_count(n)};
    if (segments->places > INT32_MAX)
        return vel_fail(ctx, VEL_EVALUE, "%lld cells are too many for a fit with neighbours", (long long)n);
    VEL_TRY(vel_terms_pattern(ctx, graph, &segments->graph));
    walk w = {.graph = &segments->graph};
    VEL_TRY(VEL_ALLOC(ctx, w.order, n));
    VEL_TRY(VEL_ALLOC(ctx, w.rank, n));
    for (int64_t c = 0; c < n; c++) w.rank[c] = NOWHERE;
    settle_all(&w);
    segments->order = w.order;
    segments->rank = w.rank;
    VEL_TRY(is_symmetric(ctx, &segments->graph, &segments->symmetric));
    VEL_TRY(count_terms(ctx, segments));
    VEL_TRY(lay_out(ctx, segments));
    return find_rows(ctx, segments);
}

/* ---- rows in the order of the graph */

typedef uint16_t block __attribute__((vector_size(2 * VEL_SEGMENT_BLOCK), aligned(2), may_alias));
typedef int32_t wide_block __attribute__((vector_size(4 * VEL_SEGMENT_BLOCK), aligned(4), may_alias));

/* Of one segment, rows are that already, filled up to whole blocks. */
static int64_t read_numbers(const uint16_t *near, int64_t n, int32_t *out) {
    for (int64_t k = 0; k < n; k += VEL_SEGMENT_BLOCK) {
        const block numbers = *(const block *)(const void *)(near + k);
        *(wide_block *)(void *)(out + k) = __builtin_convertvector(numbers >> 2, wide_block);
    }
    return n;
}

int64_t vel_segments_terms(const vel_segments *segments, int64_t rank, int64_t from, int32_t *out) {
    int64_t n = (int64_t)segments->terms[rank] - from, k = 0;
    if (n > VEL_SEGMENT_PIECE) n = VEL_SEGMENT_PIECE;
    if (segments->start)
        return read_numbers(segments->near + (int64_t)segments->start[rank] * VEL_SEGMENT_BLOCK + from, n, out);
    const int32_t cell = segments->order[rank];
    const int32_t *first = segments->graph.indices + segments->graph.indptr[cell],
                  *end = segments->graph.indices + segments->graph.indptr[cell + 1];
    int64_t own = vel_terms_below(first, end, cell) - from;
    for (; k < n && k < own; k++) out[k] = segments->rank[first[from + k]];
    if (k < n && k == own) out[k++] = (int32_t)rank;
    for (; k < n; k++) out[k] = segments->rank[first[from + k - 1]];
    return n;
}

/* Rows in the order of the only segment, whose neighbours are near. */
static void average_by_rank(const vel_segments *segments, const double *x, double *y) {
    int32_t term[VEL_SEGMENT_PIECE];
    for (int64_t r = 0; r < segments->n; r++) {
        double w = (double)vel_segments_weight(segments, r), sum = 0;
        for (int64_t from = 0, n; from < (int64_t)segments->terms[r]; from += n) {
            n = vel_segments_terms(segments, r, from, term);
            for (int64_t k = 0; k < n; k++) sum += w * x[term[k]];
        }
        y[segments->order[r]] = sum;
    }
}

/* The terms of n neighbours from the first on. */
static inline double add_terms(double sum, double weight, const int32_t *first, int64_t n, const double *x) {
    for (int64_t k = 0; k < n; k++) sum += weight * x[first[k]];
    return sum;
}

/* Rows as they stand in the graph: x[n] by cell. */
static void average_by_cell(const vel_segments *segments, const double *x, double *y) {
    for (int64_t c = 0; c < segments->n; c++) {
        const int32_t *first = segments->graph.indices + segments->graph.indptr[c],
                      *end = segments->graph.indices + segments->graph.indptr[c + 1];
        const int64_t below = vel_terms_below(first, end, (int32_t)c);
        const double w = (double)vel_segments_weight(segments, segments->rank[c]);
        const double sum = add_terms(0, w, first, below, x) + w * x[c];
        y[c] = add_terms(sum, w, first + below, end - first - below, x);
    }
}

void vel_segments_average(const vel_segments *segments, const double *x, double *y, double *work) {
    if (segments->start) {
        average_by_rank(segments, x, y);
        return;
    }
    for (int64_t r = 0; r < segments->n; r++) work[segments->order[r]] = x[r];
    average_by_cell(segments, work, y);
}
