#include "core/graph_uncertainty.h"

#include "core/least.h"
#include "core/par.h"
#include "core/sum.h"

enum { TILE = 64 };

typedef struct {
    const vel_graph_source *source;
    const vel_average *average;
    const vel_field *made;
    int8_t *signs; /* n * n_genes: of the velocities */
} job;

static vel_err find_signs(vel_ctx *ctx, int64_t tile, void *arg) {
    const job *j = arg;
    int64_t n_genes = j->source->space.n_genes, stride = j->source->space.stride, first = tile * TILE;
    int64_t left = j->average->n - first, count = vel_least(left, TILE);
    float *v;
    VEL_TRY(VEL_ALLOC(ctx, v, count * stride));
    vel_graph_velocities(j->source, first, count, v);
    for (int64_t c = 0; c < count; c++)
        for (int64_t g = 0; g < n_genes; g++) {
            float x = v[c * stride + g];
            j->signs[(first + c) * n_genes + g] = (int8_t)((x > 0) - (x < 0));
        }
    return VEL_OK;
}

typedef struct {
    const job *job;
    vel_graph_rows rows;
    float *variance, *mean, *difference;
} batch;

static vel_err begin_batch(vel_ctx *ctx, const void *arg, int64_t first, int64_t count, void **state) {
    const job *j = arg;
    int64_t n_genes = j->source->space.n_genes;
    batch *b;
    VEL_TRY(VEL_ALLOC(ctx, b, 1));
    b->job = j;
    VEL_TRY(vel_graph_rows_begin(ctx, j->source, first, count, &b->rows));
    VEL_TRY(VEL_ALLOC(ctx, b->variance, n_genes));
    VEL_TRY(VEL_ALLOC(ctx, b->mean, n_genes));
    VEL_TRY(VEL_ALLOC(ctx, b->difference, n_genes));
    *state = b;
    return VEL_OK;
}

/* Squares of signs are 0 or 1. */
static void find_variance(const batch *b, int64_t cell) {
    const vel_average *avg = b->job->average;
    int64_t n_genes = b->job->source->space.n_genes;
    for (int64_t g = 0; g < n_genes; g++) b->variance[g] = b->mean[g] = 0;
    for (int64_t e = avg->indptr[cell]; e < avg->indptr[cell + 1]; e++) {
        const int8_t *sign = b->job->signs + (int64_t)avg->indices[e] * n_genes;
        float w = avg->weight[cell];
        for (int64_t g = 0; g < n_genes; g++) {
            b->variance[g] += w * (float)(sign[g] * sign[g]);
            b->mean[g] += w * (float)sign[g];
        }
    }
    for (int64_t g = 0; g < n_genes; g++) b->variance[g] -= b->mean[g] * b->mean[g];
}

static float uncertainty(const batch *b, int64_t from, int64_t to) {
    const vel_cosine_space *space = &b->job->source->space;
    float *d = b->difference, length = vel_cosine_difference(space, from, to, d);
    if (!(length > 0)) return 0;
    for (int64_t g = 0; g < space->n_genes; g++) {
        float x = d[g] / length;
        d[g] = x * x * b->variance[g];
    }
    return vel_sum_f32(d, space->n_genes);
}

static int64_t make_row(void *state, int64_t cell, int32_t *cells, float *values) {
    batch *b = state;
    vel_cosine_query query;
    if (!vel_graph_rows_query(&b->rows, cell, cells, &query)) return 0;
    find_variance(b, cell);
    for (int64_t k = 0; k < query.m; k++) values[k] = uncertainty(b, cell, cells[k]);
    return query.m;
}

static void rest_rows(const void *arg, int64_t first, int64_t end) {
    const job *j = arg;
    vel_graph_rest(j->made, first, end);
}

vel_err vel_graph_uncertainties(vel_ctx *ctx, const vel_graph_source *source, const vel_average *average,
                                const vel_csr_room *out, const vel_field *made) {
    job j = {source, average, made, NULL};
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, j.signs, average->n * source->space.n_genes));
    VEL_TRY(vel_for(ctx, NULL, (average->n + TILE - 1) / TILE, find_signs, &j));
    vel_row_maker maker = {"uncertainties", average->n, vel_graph_bound(source), &j, begin_batch, make_row, rest_rows};
    VEL_TRY(vel_csr_build(ctx, &maker, out, NULL));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
