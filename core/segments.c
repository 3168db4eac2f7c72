#include "core/segments.h"

enum { PATCH = 256, STRETCH = 1024, CELLS_A_SEGMENT = VEL_SEGMENT - 1, NOWHERE = -1 };

/* ---- places */

/* The cells in the order of their places; place[n], NOWHERE if a cell has none yet. */
typedef struct {
    const vel_average *avg;
    int32_t *order, *place;
    int64_t last;
} walk;

static void settle(walk *w, int32_t c) {
    w->place[c] = (int32_t)(w->last + w->last / CELLS_A_SEGMENT);
    w->order[w->last++] = c;
}

/* Settles the neighbours of c that have no place, up to `end` cells in all; returns the first left over, or NOWHERE. */
static int32_t settle_neighbors(walk *w, int32_t c, int64_t end) {
    for (int64_t e = w->avg->indptr[c]; e < w->avg->indptr[c + 1]; e++) {
        int32_t j = w->avg->indices[e];
        if (w->place[j] != NOWHERE) continue;
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
            while (w->place[unseen] != NOWHERE) unseen++;
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
    const int32_t *order; /* the cells in the order of their places */
    int64_t first;        /* place */
    int64_t *blocks;      /* of each cell */
    int64_t most;         /* of them */
} segment;

static bool is_in(const vel_segments *segments, const segment *s, int64_t e) {
    int64_t place = segments->place[s->avg->indices[e]];
    return place >= s->first && place < s->first + VEL_SEGMENT;
}

static void count_blocks(const vel_segments *segments, segment *s) {
    s->most = 0;
    for (int64_t c = 0; c < s->avg->n; c++) {
        int64_t k = 0;
        for (int64_t e = s->avg->indptr[c]; e < s->avg->indptr[c + 1]; e++) k += is_in(segments, s, e);
        s->blocks[c] = (k + VEL_SEGMENT_BLOCK - 1) / VEL_SEGMENT_BLOCK;
        if (s->blocks[c] > s->most) s->most = s->blocks[c];
    }
}

/* Where the next run, row and number go. */
typedef struct {
    vel_segment_run *run;
    int32_t *cell;
    uint16_t *near;
} pens;

/* The cells of the places first .. end - 1 by number of blocks, ascending, in the order of their places among equals: a
 * counting sort. start[s->most + 2] is scratch. */
static void list_some(const segment *s, int64_t first, int64_t end, int64_t *start, pens *at) {
    int64_t rows = 0;
    for (int64_t b = 0; b < s->most + 2; b++) start[b] = 0;
    for (int64_t k = first; k < end; k++) start[s->blocks[s->order[k]] + 1]++;
    if (s->first > 0) start[1] = 0; /* a row that has nothing here is done */
    for (int64_t b = 0; b <= s->most; b++) {
        if (start[b + 1]) *at->run++ = (vel_segment_run){start[b + 1], b, s->first};
        rows += start[b + 1];
        start[b + 1] += start[b];
    }
    for (int64_t k = first; k < end; k++) {
        int32_t c = s->order[k];
        if (s->blocks[c] || s->first == 0) at->cell[start[s->blocks[c]]++] = c;
    }
    at->cell += rows;
}

static vel_err list_rows(vel_ctx *ctx, const segment *s, pens *at) {
    int64_t *start, n = s->avg->n;
    VEL_TRY(VEL_ALLOC(ctx, start, s->most + 2));
    for (int64_t k = 0; k < n; k += STRETCH) list_some(s, k, k + STRETCH < n ? k + STRETCH : n, start, at);
    return VEL_OK;
}

static uint16_t number(const segment *s, int64_t place) { return (uint16_t)(4 * (place - s->first)); }

static void write_rows(const vel_segments *segments, const segment *s, const int32_t *cell, pens *at) {
    int64_t nothing = vel_segments_nothing(segments, s->first);
    for (; cell < at->cell; cell++) {
        uint16_t *end = at->near + s->blocks[*cell] * VEL_SEGMENT_BLOCK;
        for (int64_t e = s->avg->indptr[*cell]; e < s->avg->indptr[*cell + 1]; e++)
            if (is_in(segments, s, e)) *at->near++ = number(s, segments->place[s->avg->indices[e]]);
        while (at->near < end) *at->near++ = number(s, nothing);
    }
}

/* Room for all segments. */
static vel_err count_all(vel_ctx *ctx, vel_segments *segments, segment *s, pens *at) {
    int64_t runs = 0, rows = 0, blocks = 0;
    for (s->first = 0; s->first < segments->places; s->first += VEL_SEGMENT) {
        count_blocks(segments, s);
        runs += (s->most + 1) * ((s->avg->n + STRETCH - 1) / STRETCH);
        for (int64_t c = 0; c < s->avg->n; c++) {
            rows += s->blocks[c] > 0 || s->first == 0;
            blocks += s->blocks[c];
        }
    }
    VEL_TRY(VEL_ALLOC(ctx, at->run, runs));
    VEL_TRY(VEL_ALLOC(ctx, at->cell, rows));
    return VEL_ALLOC(ctx, at->near, blocks * VEL_SEGMENT_BLOCK);
}

static vel_err lay_out(vel_ctx *ctx, const int32_t *order, vel_segments *segments) {
    segment s = {.avg = segments->average, .order = order};
    pens at;
    VEL_TRY(VEL_ALLOC(ctx, s.blocks, s.avg->n));
    VEL_TRY(count_all(ctx, segments, &s, &at));
    segments->runs = at.run;
    segments->cell = at.cell;
    segments->near = at.near;
    for (s.first = 0; s.first < segments->places; s.first += VEL_SEGMENT) {
        const int32_t *cell = at.cell;
        count_blocks(segments, &s);
        VEL_TRY(list_rows(ctx, &s, &at));
        write_rows(segments, &s, cell, &at);
    }
    segments->n_runs = at.run - segments->runs;
    return VEL_OK;
}

/* ---- what is known of rows */

static vel_err count_terms(vel_ctx *ctx, const vel_average *avg, const float **out) {
    float *terms;
    VEL_TRY(VEL_ZALLOC(ctx, terms, avg->n + VEL_SEGMENT_BLOCK));
    for (int64_t c = 0; c < avg->n; c++) terms[c] = (float)(avg->indptr[c + 1] - avg->indptr[c]);
    *out = terms;
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

vel_err vel_segments_make(vel_ctx *ctx, const vel_average *avg, vel_segments *segments) {
    walk w = {.avg = avg};
    *segments = (vel_segments){.average = avg, .places = avg->n + vel_segments_count(avg->n)};
    if (segments->places > INT32_MAX)
        return vel_fail(ctx, VEL_EVALUE, "%lld cells are too many for a fit with neighbours", (long long)avg->n);
    VEL_TRY(VEL_ALLOC(ctx, w.order, avg->n));
    VEL_TRY(VEL_ALLOC(ctx, w.place, avg->n));
    for (int64_t c = 0; c < avg->n; c++) w.place[c] = NOWHERE;
    settle_all(&w);
    segments->place = w.place;
    VEL_TRY(lay_out(ctx, w.order, segments));
    VEL_TRY(count_terms(ctx, avg, &segments->terms));
    return is_symmetric(ctx, avg, &segments->symmetric);
}
