#include "bench/kernel_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernel_counts.h"
#include "bench/kernel_fit.h"
#include "core/cosine.h"
#include "core/fmath.h"
#include "core/rng.h"
#include "core/steady_state.h"

const bench_shape bench_shape_default = {.cells = 10000,
                                         .genes = 96,
                                         .wide = 512,
                                         .neighbors = 31,
                                         .dims = 30,
                                         .points = 500,
                                         .queries = 256,
                                         .candidates = 480};

/* Cells in the order of the trajectory: at[rank] is a cell. */
static vel_err shuffle(vel_ctx *ctx, vel_rng *r, int64_t n, int32_t **at) {
    VEL_TRY(VEL_ALLOC(ctx, *at, n));
    for (int64_t i = 0; i < n; i++) (*at)[i] = (int32_t)i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t k = vel_rng_upto(r, (uint32_t)i);
        const int32_t keep = (*at)[i];
        (*at)[i] = (*at)[k];
        (*at)[k] = keep;
    }
    return VEL_OK;
}

static int ascending(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* `count` ranks around one, the rank itself among them, shifted to stay inside. */
static int64_t first_rank(int64_t rank, int64_t count, int64_t n) {
    const int64_t first = rank - count / 2;
    return first < 0 ? 0 : first + count > n ? n - count : first;
}

static vel_err make_graph(vel_ctx *ctx, const int32_t *at, bench_kernel_data *d) {
    const int64_t n = d->shape.cells, k = d->shape.neighbors;
    int64_t *indptr;
    int32_t *indices;
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, n * k));
    for (int64_t i = 0; i <= n; i++) indptr[i] = i * k;
    for (int64_t rank = 0; rank < n; rank++) {
        int32_t *row = indices + at[rank] * k;
        memcpy(row, at + first_rank(rank, k, n), (size_t)k * sizeof *row);
        qsort(row, (size_t)k, sizeof *row, ascending);
    }
    const vel_csr graph = {.rows = n, .cols = n, .indptr = indptr, .indices = indices};
    VEL_TRY(vel_around_make(ctx, &graph, &d->around));
    return vel_segments_make(ctx, &graph, &d->segments);
}

static vel_err make_candidates(vel_ctx *ctx, const int32_t *at, bench_kernel_data *d) {
    const bench_shape *s = &d->shape;
    VEL_TRY(VEL_ALLOC(ctx, d->candidates, s->queries * s->candidates));
    for (int64_t q = 0; q < s->queries; q++) {
        const int64_t rank = q * s->cells / s->queries;
        memcpy(d->candidates + q * s->candidates, at + first_rank(rank, s->candidates, s->cells),
               (size_t)s->candidates * sizeof *at);
    }
    return VEL_OK;
}

/* Gene g of the cell at time t (0 .. 1): a bump somewhere along the trajectory, with noise. */
static float abundance(vel_rng *r, int64_t g, int64_t n_genes, double t) {
    const double off = t - (double)g / (double)n_genes;
    return (float)(3 * vel_exp(-8 * off * off) + 0.2 * vel_rng_uniform(r));
}

static vel_err make_matrices(vel_ctx *ctx, vel_rng *r, bench_kernel_data *d) {
    const int64_t n = d->shape.cells, h = d->shape.wide, stride = vel_cosine_stride(d->shape.genes);
    VEL_TRY(VEL_ALLOC(ctx, d->wide, n * h));
    VEL_TRY(VEL_ALLOC(ctx, d->out, n * d->shape.genes));
    VEL_TRY(VEL_ZALLOC(ctx, d->expression, n * stride));
    VEL_TRY(VEL_ALLOC(ctx, d->velocity, stride));
    for (int64_t g = 0; g < h; g++)
        for (int64_t c = 0; c < n; c++) d->wide[g * n + c] = abundance(r, g, h, d->t[c]);
    for (int64_t c = 0; c < n; c++)
        for (int64_t g = 0; g < d->shape.genes; g++) d->expression[c * stride + g] = d->wide[g * n + c];
    for (int64_t g = 0; g < stride; g++) d->velocity[g] = (float)(vel_rng_uniform(r) - 0.5);
    VEL_TRY(VEL_ALLOC(ctx, d->points, n * d->shape.dims));
    /* in so many dimensions none is far from any other: the search can leave out no pair */
    for (int64_t i = 0; i < n * d->shape.dims; i++) d->points[i] = (float)vel_rng_uniform(r);
    return VEL_OK;
}

/* One gene as the fit sees it, its cells in the order of the segments: times, abundances, and four rows of distances
 * each of which is least somewhere. */
static vel_err make_gene(vel_ctx *ctx, vel_rng *r, bench_kernel_data *d) {
    const int64_t n = d->shape.cells, m = d->shape.points;
    double **const vectors[] = {&d->u, &d->s, &d->a, &d->b, &d->c, &d->row[0], &d->row[1], &d->row[2], &d->row[3]};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) VEL_TRY(VEL_ZALLOC(ctx, *vectors[i], n));
    double **const curves[] = {&d->curve_t, &d->curve_u, &d->curve_s};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) VEL_TRY(VEL_ALLOC(ctx, *curves[i], m));
    VEL_TRY(VEL_ALLOC(ctx, d->times, n));
    for (int64_t c = 0; c < n; c++) {
        d->times[c] = d->t[d->segments.order[c]];
        d->u[c] = 1 - vel_exp(-3 * d->times[c]) + 0.05 * vel_rng_uniform(r);
        d->s[c] = 1 - vel_exp(-2 * d->times[c]) + 0.05 * vel_rng_uniform(r);
        for (int k = 0; k < 4; k++) {
            const double off = d->times[c] - (k + 0.5) / 4;
            d->row[k][c] = off * off + 0.01 * vel_rng_uniform(r);
        }
    }
    for (int64_t k = 0; k < m; k++) {
        d->curve_t[k] = (double)k / (double)m;
        d->curve_u[k] = 1 - vel_exp(-3 * d->curve_t[k]);
        d->curve_s[k] = 1 - vel_exp(-2 * d->curve_t[k]);
    }
    return VEL_OK;
}

static vel_err make_room(vel_ctx *ctx, bench_kernel_data *d) {
    const bench_shape *s = &d->shape;
    const vel_cosine_space space = {.x = d->expression, .n_genes = s->genes, .stride = vel_cosine_stride(s->genes)};
    uint8_t *steady;
    VEL_TRY(VEL_ALLOC(ctx, d->near, s->cells * s->neighbors));
    VEL_TRY(VEL_ALLOC(ctx, d->far, s->cells * s->neighbors));
    VEL_TRY(VEL_ALLOC(ctx, d->cosine_work, (int64_t)vel_cosine_work(&space)));
    VEL_TRY(VEL_ALLOC(ctx, d->cosines, s->candidates));
    VEL_TRY(bench_make_screens(ctx, d));
    VEL_TRY(VEL_ALLOC(ctx, d->state, s->cells));
    VEL_TRY(VEL_ALLOC(ctx, steady, (int64_t)vel_steady_work(s->cells)));
    d->steady_work = steady;
    return VEL_OK;
}

vel_err bench_kernel_data_make(vel_ctx *ctx, const bench_shape *shape, bench_kernel_data *d) {
    vel_rng r;
    int32_t *at;
    *d = (bench_kernel_data){.shape = *shape};
    vel_rng_seed_numpy(&r, 0);
    VEL_TRY(shuffle(ctx, &r, shape->cells, &at));
    VEL_TRY(VEL_ALLOC(ctx, d->t, shape->cells));
    for (int64_t rank = 0; rank < shape->cells; rank++) d->t[at[rank]] = (double)rank / (double)shape->cells;
    VEL_TRY(make_graph(ctx, at, d));
    VEL_TRY(make_candidates(ctx, at, d));
    VEL_TRY(make_matrices(ctx, &r, d));
    VEL_TRY(bench_counts_data_make(ctx, &r, d));
    VEL_TRY(make_gene(ctx, &r, d));
    return make_room(ctx, d);
}
