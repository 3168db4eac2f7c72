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

/* ---- rows of one segment */

typedef struct {
    const vel_average *avg;
    int64_t first;   /* place */
    int64_t *blocks; /* of each rank */
    int64_t most;    /* of them */
} segment;

static int64_t place_of(const vel_segments *segments, int64_t e) {
    return vel_segment_place(segments->average->indices[e]);
}

static bool is_in(const segment *s, int64_t place) { return place >= s->first && place < s->first + VEL_SEGMENT; }

static void count_blocks(const vel_segments *segments, segment *s) {
    s->most = 0;
    for (int64_t r = 0; r < s->avg->n; r++) {
        int64_t k = 0;
        for (int64_t e = s->avg->indptr[r]; e < s->avg->indptr[r + 1]; e++) k += is_in(s, place_of(segments, e));
        s->blocks[r] = (k + VEL_SEGMENT_BLOCK - 1) / VEL_SEGMENT_BLOCK;
        if (s->blocks[r] > s->most) s->most = s->blocks[r];
    }
}

/* Where the next run, row and number go. */
typedef struct {
    vel_segment_run *run;
    int32_t *row;
    uint16_t *near;
} pens;

/* The ranks first .. end - 1 by number of blocks, ascending, in order among equals: a counting sort. start[s->most + 2]
 * is scratch. */
static void list_some(const segment *s, int64_t first, int64_t end, int64_t *start, pens *at) {
    int64_t rows = 0;
    for (int64_t b = 0; b < s->most + 2; b++) start[b] = 0;
    for (int64_t r = first; r < end; r++) start[s->blocks[r] + 1]++;
    if (s->first > 0) start[1] = 0; /* a row that has nothing here is done */
    for (int64_t b = 0; b <= s->most; b++) {
        if (start[b + 1]) *at->run++ = (vel_segment_run){start[b + 1], b, s->first};
        rows += start[b + 1];
        start[b + 1] += start[b];
    }
    for (int64_t r = first; r < end; r++)
        if (s->blocks[r] || s->first == 0) at->row[start[s->blocks[r]]++] = (int32_t)r;
    at->row += rows;
}

static vel_err list_rows(vel_ctx *ctx, const segment *s, pens *at) {
    int64_t *start, n = s->avg->n;
    VEL_TRY(VEL_ALLOC(ctx, start, s->most + 2));
    for (int64_t r = 0; r < n; r += STRETCH) list_some(s, r, r + STRETCH < n ? r + STRETCH : n, start, at);
    return VEL_OK;
}

static uint16_t number(const segment *s, int64_t place) { return (uint16_t)(4 * (place - s->first)); }

static void write_rows(const vel_segments *segments, const segment *s, const int32_t *row, pens *at) {
    int64_t nothing = vel_segments_nothing(segments, s->first);
    for (; row < at->row; row++) {
        uint16_t *end = at->near + s->blocks[*row] * VEL_SEGMENT_BLOCK;
        for (int64_t e = s->avg->indptr[*row]; e < s->avg->indptr[*row + 1]; e++) {
            int64_t place = place_of(segments, e);
            if (is_in(s, place)) *at->near++ = number(s, place);
        }
        while (at->near < end) *at->near++ = number(s, nothing);
    }
}

/* Room for all segments. */
static vel_err count_all(vel_ctx *ctx, vel_segments *segments, segment *s, pens *at) {
    int64_t runs = 0, rows = 0, blocks = 0;
    for (s->first = 0; s->first < segments->places; s->first += VEL_SEGMENT) {
        count_blocks(segments, s);
        runs += (s->most + 1) * ((s->avg->n + STRETCH - 1) / STRETCH);
        for (int64_t r = 0; r < s->avg->n; r++) {
            rows += s->blocks[r] > 0 || s->first == 0;
            blocks += s->blocks[r];
        }
    }
    VEL_TRY(VEL_ALLOC(ctx, at->run, runs));
    VEL_TRY(VEL_ALLOC(ctx, at->row, rows));
    return VEL_ALLOC(ctx, at->near, blocks * VEL_SEGMENT_BLOCK);
}

static vel_err lay_out(vel_ctx *ctx, vel_segments *segments) {
    segment s = {.avg = segments->average};
    pens at;
    VEL_TRY(VEL_ALLOC(ctx, s.blocks, s.avg->n));
    VEL_TRY(count_all(ctx, segments, &s, &at));
    segments->runs = at.run;
    segments->row = at.row;
    segments->near = at.near;
    for (s.first = 0; s.first < segments->places; s.first += VEL_SEGMENT) {
        const int32_t *row = at.row;
        count_blocks(segments, &s);
        VEL_TRY(list_rows(ctx, &s, &at));
        write_rows(segments, &s, row, &at);
    }
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
