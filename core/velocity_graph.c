#include "core/velocity_graph.h"

#include <string.h>

#include "core/least.h"
#include "core/par.h"
#include "core/stats.h"

/* scvelo 0.3.4: a cell whose best transition is worse than this percentile of all may stay where it is. */
#define SELF_PERCENTILE 98

int64_t vel_graph_bound(const vel_graph_source *s) {
    const vel_neighbor_lists *lists = s->chosen ? s->chosen : s->lists;
    int64_t longest = 0, bound = 1, reach = 1;
    for (int64_t i = 0; i < lists->n; i++) {
        int64_t count = lists->indptr[i + 1] - lists->indptr[i];
        if (count > longest) longest = count;
    }
    if (s->chosen) return longest;
    for (int64_t hop = 0; hop < s->hops && bound < lists->n; hop++) {
        reach *= longest;
        bound += reach;
    }
    return vel_least(bound, lists->n);
}

#define GATHER(REAL)                                                                                           \
    do {                                                                                                       \
        const REAL *from = (const REAL *)s->velocity.data + first * s->velocity.row_stride;                    \
        for (int64_t k = 0; k < n_genes; k++) {                                                                \
            const REAL *column = from + s->genes[k] * s->velocity.col_stride;                                  \
            for (int64_t c = 0; c < count; c++) v[c * stride + k] = (float)column[c * s->velocity.row_stride]; \
        }                                                                                                      \
    } while (0)

void vel_graph_velocities(const vel_graph_source *s, int64_t first, int64_t count, float *v) {
    int64_t n_genes = s->space.n_genes, stride = s->space.stride;
    if (s->velocity.type == VEL_F32)
        GATHER(float);
    else
        GATHER(double);
}

void vel_graph_rest(const vel_field *made, int64_t first, int64_t end) {
    if (made) vel_field_rest(made, made->indptr[first], made->indptr[end] - made->indptr[first]);
}

/* ---- a batch of rows */

vel_err vel_graph_rows_begin(vel_ctx *ctx, const vel_graph_source *s, int64_t first, int64_t count,
                             vel_graph_rows *rows) {
    *rows = (vel_graph_rows){.source = s, .first = first};
    VEL_TRY(vel_cell_set_make(ctx, s->lists->n, &rows->set));
    VEL_TRY(VEL_ALLOC(ctx, rows->v, count * s->space.stride));
    vel_graph_velocities(s, first, count, rows->v);
    return VEL_OK;
}

static int64_t find_candidates(vel_graph_rows *rows, int64_t cell, int32_t *cells) {
    const vel_graph_source *s = rows->source;
    if (!s->chosen) return vel_candidates(s->lists, cell, s->hops, &rows->set, cells);
    int64_t from = s->chosen->indptr[cell], count = s->chosen->indptr[cell + 1] - from;
    memcpy(cells, s->chosen->indices + from, (size_t)count * sizeof *cells);
    return count;
}

bool vel_graph_rows_query(vel_graph_rows *rows, int64_t cell, int32_t *cells, vel_cosine_query *query) {
    float *v = rows->v + (cell - rows->first) * rows->source->space.stride;
    float norm = vel_cosine_center(&rows->source->space, v);
    if (!(norm > 0)) return false;
    *query = (vel_cosine_query){cell, v, norm, cells, find_candidates(rows, cell, cells)};
    return true;
}

/* ---- how many there are */

enum { COUNTED_AT_ONCE = 256 };

typedef struct {
    const vel_graph_source *source;
    int64_t *counts; /* of each run of cells */
} census;

static vel_err count_run(vel_ctx *ctx, int64_t run, void *arg) {
    const census *c = arg;
    int64_t n = c->source->lists->n, first = run * COUNTED_AT_ONCE;
    vel_graph_rows rows = {.source = c->source};
    int32_t *cells;
    VEL_TRY(vel_cell_set_make(ctx, n, &rows.set));
    VEL_TRY(VEL_ALLOC(ctx, cells, vel_graph_bound(c->source)));
    c->counts[run] = 0;
    for (int64_t i = first; i < n && i < first + COUNTED_AT_ONCE; i++)
        c->counts[run] += find_candidates(&rows, i, cells);
    return VEL_OK;
}

vel_err vel_graph_candidates(vel_ctx *ctx, const vel_graph_source *source, int64_t *count) {
    int64_t runs = (source->lists->n + COUNTED_AT_ONCE - 1) / COUNTED_AT_ONCE;
    census c = {.source = source};
    VEL_TRY(VEL_ALLOC(ctx, c.counts, runs));
    VEL_TRY(vel_for(ctx, NULL, runs, count_run, &c));
    *count = 0;
    for (int64_t r = 0; r < runs; r++) *count += c.counts[r];
    return VEL_OK;
}

/* ---- the graph */

typedef struct {
    vel_graph_rows rows;
    vel_cosine_body body;
    float *work;
} batch;

/* Cells between two times that the velocities leave RAM: each time every gene's pages are mapped again. */
enum { RESTED_AFTER = 4096 };
/* Entries of the graph between two times that they leave RAM when they are read. */
enum { RESTED_ENTRIES = 1 << 18 };

static void turn_to(const vel_graph_source *s, int64_t first) {
    int64_t n = s->velocity.rows, count = vel_least(n - first, RESTED_AFTER);
    vel_field_rest(s->field, 0, n * s->velocity.cols);
    for (int64_t k = 0; k < s->space.n_genes && s->field->gene_major; k++)
        vel_field_want(s->field, s->genes[k] * n + first, count);
}

static vel_err begin_batch(vel_ctx *ctx, const void *arg, int64_t first, int64_t count, void **state) {
    const vel_graph_source *s = arg;
    batch *b;
    if (s->field && s->field->spill && first % RESTED_AFTER == 0) turn_to(s, first);
    VEL_TRY(VEL_ALLOC(ctx, b, 1));
    VEL_TRY(vel_graph_rows_begin(ctx, s, first, count, &b->rows));
    VEL_TRY(VEL_ALLOC(ctx, b->work, vel_cosine_work(&s->space)));
    b->body = vel_cosine_body_for(vel_cpu_level());
    *state = b;
    return VEL_OK;
}

static void rest_rows(const void *arg, int64_t first, int64_t end) {
    const vel_graph_source *s = arg;
    for (int k = 0; k < 2; k++) vel_graph_rest(s->made[k], first, end);
}

static float clip(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

static int64_t make_row(void *state, int64_t cell, int32_t *cells, float *cosines) {
    batch *b = state;
    vel_cosine_query query;
    if (!vel_graph_rows_query(&b->rows, cell, cells, &query)) return 0;
    b->body(&b->rows.source->space, &query, b->work, cosines);
    for (int64_t k = 0; k < query.m; k++) cosines[k] = clip(cosines[k], -1, 1);
    return query.m;
}

vel_err vel_graph_build(vel_ctx *ctx, const vel_graph_source *s, const vel_csr_room *graph,
                        const vel_csr_room *graph_neg) {
    vel_row_maker maker = {"velocity graph", s->lists->n, vel_graph_bound(s), s, begin_batch, make_row, rest_rows};
    return vel_csr_build(ctx, &maker, graph, graph_neg);
}

void vel_graph_self(int64_t n, const vel_csr_room *graph, const vel_field *made, float *work, float *self) {
    int64_t rested = 0;
    for (int64_t i = 0; i < n; i++) {
        float best = 0;
        if (graph->indptr[i] - graph->indptr[rested] > RESTED_ENTRIES) {
            vel_graph_rest(made, rested, i);
            rested = i;
        }
        for (int64_t e = graph->indptr[i]; e < graph->indptr[i + 1]; e++)
            if (graph->values[e] > best) best = graph->values[e];
        self[i] = best;
    }
    float limit = vel_percentile_f32(self, n, SELF_PERCENTILE, work);
    for (int64_t i = 0; i < n; i++) self[i] = clip(limit - self[i], 0, 1);
}
