#include "core/segments.h"

enum { PATCH = 256, STRETCH = 1024, CELLS_A_SEGMENT = VEL_SEGMENT - 1, NOWHERE = -1 };

/* ---- the order */

/* rank[n]: NOWHERE if a cell has none yet. */
typedef struct {
    const vel_average *avg;
    int32_t *order, *rank;
    int64_t last;
} walk;

static void settle(walk *w, int32_t c) {
    w->rank[c] = (int32_t)w->last;
    w->order[w->last++] = c;
}

/* Settles the neighbours of c that have no rank, up to `end` cells in all; returns the first left over, or NOWHERE. */
static int32_t settle_neighbors(walk *w, int32_t c, int64_t end) {
    for (int64_t e = w->avg->indptr[c]; e < w->avg->indptr[c + 1]; e++) {
        int32_t j = w->avg->indices[e];
        if (w->rank[j] != NOWHERE) continue;
        if (w->last >= end) return j;
        settle(w, j);
    }
    return NOWHERE;
}

/* Patch after patch, each grown breadth first from a cell beside those before, if there is one. */
static void settle_all(walk *w) {
    int64_t beside = 0, unseen = 0;
    while (w->last < w->avg->n) {
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

/* What a row has in a segment. */
typedef struct {
    int32_t row, blocks;
} part;

typedef struct {
    int64_t parts, most; /* how many rows have one here; the most blocks of one */
    part *list;          /* in order; NULL while they are counted */
} segment;

typedef struct {
    const vel_average *avg;
    int64_t count;               /* of segments */
    segment *all;                /* [count] */
    int64_t *entries;            /* [count]: of a row, zeros between rows */
    int64_t *touched;            /* [count]: where they are */
    int64_t parts, blocks, runs; /* in all, of runs at most so many */
} layout;

static int64_t segment_of(int32_t rank) { return rank / CELLS_A_SEGMENT; }

static uint16_t number_of(int32_t rank) { return (uint16_t)(4 * (rank % CELLS_A_SEGMENT)); }

/* Fills entries and touched of a row, the first segment always among them; returns how many are touched. */
static int64_t split(const layout *l, int64_t row) {
    int64_t n = 1;
    l->touched[0] = 0;
    for (int64_t e = l->avg->indptr[row]; e < l->avg->indptr[row + 1]; e++) {
        int64_t s = segment_of(l->avg->indices[e]);
        if (s && !l->entries[s]) l->touched[n++] = s;
        l->entries[s]++;
    }
    return n;
}

/* Counts the parts of all rows, and lists them where there is room. */
static void take_parts(layout *l) {
    for (int64_t s = 0; s < l->count; s++) l->all[s].parts = 0;
    for (int64_t r = 0; r < l->avg->n; r++) {
        int64_t n = split(l, r);
        for (int64_t k = 0; k < n; k++) {
            segment *in = &l->all[l->touched[k]];
            int64_t blocks = (l->entries[l->touched[k]] + VEL_SEGMENT_BLOCK - 1) / VEL_SEGMENT_BLOCK;
            l->entries[l->touched[k]] = 0;
            if (in->list)
                in->list[in->parts] = (part){(int32_t)r, (int32_t)blocks};
            else
                l->blocks += blocks;
            in->parts++;
            if (blocks > in->most) in->most = blocks;
        }
    }
}

static vel_err count_parts(vel_ctx *ctx, layout *l) {
    VEL_TRY(VEL_ZALLOC(ctx, l->all, l->count));
    VEL_TRY(VEL_ZALLOC(ctx, l->entries, l->count));
    VEL_TRY(VEL_ALLOC(ctx, l->touched, l->count));
    take_parts(l);
    int64_t stretches = (l->avg->n + STRETCH - 1) / STRETCH;
    for (int64_t s = 0; s < l->count; s++) {
        int64_t parts = l->all[s].parts, most = (l->all[s].most + 1) * stretches;
        l->parts += parts;
        l->runs += parts < most ? parts : most;
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

/* Rows of a stretch by number of blocks, ascending, in order among equals: a counting sort. start[most + 2] is scratch.
 */
static void list_rows(int64_t n, const part *list, int64_t first, int64_t most, int64_t *start, pens *at) {
    for (int64_t b = 0; b < most + 2; b++) start[b] = 0;
    for (int64_t k = 0; k < n; k++) start[list[k].blocks + 1]++;
    for (int64_t b = 0; b <= most; b++) {
        if (start[b + 1]) *at->run++ = (vel_segment_run){start[b + 1], b, first};
        start[b + 1] += start[b];
    }
    for (int64_t k = 0; k < n; k++) at->row[start[list[k].blocks]++] = list[k].row;
    at->row += n;
}

static void write_numbers(const vel_segments *segments, const vel_segment_run *run, const int32_t *row, pens *at) {
    const vel_average *avg = segments->average;
    uint16_t nothing = (uint16_t)(4 * (vel_segments_nothing(segments, run->first) - run->first));
    for (int64_t i = 0; i < run->rows; i++) {
        uint16_t *end = at->near + run->blocks * VEL_SEGMENT_BLOCK;
        for (int64_t e = avg->indptr[row[i]]; e < avg->indptr[row[i] + 1]; e++)
            if (segment_of(avg->indices[e]) == run->first / VEL_SEGMENT) *at->near++ = number_of(avg->indices[e]);
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
    layout l = {.avg = segments->average, .count = vel_segments_count(segments->average->n)};
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
    const int64_t *indptr = segments->average->indptr;
    float *terms;
    VEL_TRY(VEL_ZALLOC(ctx, terms, segments->average->n + VEL_SEGMENT_BLOCK));
    for (int64_t r = 0; r < segments->average->n; r++) terms[r] = (float)(indptr[r + 1] - indptr[r]);
    segments->terms = terms;
    return VEL_OK;
}

/* Row after row, the cells that name c come in ascending order: as they stand in row c, if the graph is symmetric. */
static vel_err is_symmetric(vel_ctx *ctx, const vel_average *avg, bool *symmetric) {
    int64_t *next;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, next, avg->n));
    for (int64_t c = 0; c < avg->n; c++) next[c] = avg->indptr[c];
    *symmetric = true;
    for (int64_t c = 0; c < avg->n && *symmetric; c++)
        for (int64_t e = avg->indptr[c]; e < avg->indptr[c + 1]; e++) {
            int64_t j = avg->indices[e], at = next[j]++;
            *symmetric &= at < avg->indptr[j + 1] && avg->indices[at] == c;
        }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

vel_err vel_segments_make(vel_ctx *ctx, vel_average *avg, vel_segments *segments) {
    walk w = {.avg = avg};
    *segments = (vel_segments){.average = avg, .places = avg->n + vel_segments_count(avg->n)};
    if (segments->places > INT32_MAX)
        return vel_fail(ctx, VEL_EVALUE, "%lld cells are too many for a fit with neighbours", (long long)avg->n);
    VEL_TRY(VEL_ALLOC(ctx, w.order, avg->n));
    VEL_TRY(VEL_ALLOC(ctx, w.rank, avg->n));
    for (int64_t c = 0; c < avg->n; c++) w.rank[c] = NOWHERE;
    settle_all(&w);
    segments->order = w.order;
    segments->rank = w.rank;
    VEL_TRY(is_symmetric(ctx, avg, &segments->symmetric)); /* while the rows ascend */
    VEL_TRY(vel_average_rename(ctx, avg, w.order, w.rank));
    vel_arena_trim(ctx->scratch);
    VEL_TRY(lay_out(ctx, segments));
    return count_terms(ctx, segments);
}
