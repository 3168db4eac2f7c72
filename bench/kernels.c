#include "bench/kernels.h"

#include <math.h>

#include "bench/kernel_counts.h"
#include "bench/kernel_fit.h"
#include "core/cosine.h"
#include "core/knn.h"
#include "core/moments.h"
#include "core/steady_state.h"

/* n cells, g genes, h genes of the wide matrix, k neighbours and K with them filled up to whole blocks of eight, d
 * dimensions, p points of the curve and P pieces of it in whole fours, m pairs of cells, z stored entries. The comment
 * of a row says where its formulas come from. */
#define KERNEL_ROWS(X)                                                                                                 \
    /* core/moments.c, for each 16 genes: 64 bytes a cell are read and written when they are interleaved, read with an \
     * index of 4 for each neighbour; the sum is read, written and spread; 2 operations a neighbour and gene. */       \
    X(moments_f32, "moments over neighbours", BENCH_APART_F32, .bytes = g / 16 * n * (68 * k + 320), .set = 64 * n,    \
      .flops = 2 * n * k * g, .gathers = g / 16 * n * k, .jumps = 64 * n)                                              \
    /* core/knn_avx512.c: 2 operations a pair and dimension. A panel of 16 points is loaded for eight queries, their   \
     * coordinates for each panel: 64 + 32 bytes for 128 pairs and a dimension. 16 panels, 64 queries are at hand. */  \
    X(knn, "nearest neighbours, exact", BENCH_FUSED_F32, .bytes = 0.75 * n * n * d, .set = 1280 * d,                   \
      .flops = 2 * n * n * d)                                                                                          \
    /* core/gram.c: the lower half in stripes of 128, 2 operations an entry and cell. Tiles of 256 cells are read (4), \
     * written and read again (8 each); half the matrix is read and written for each tile. */                          \
    X(gram, "components: the Gram matrix", BENCH_FUSED_F64, .bytes = 20 * n * h + n / 256 * 8 * h * (h + 128),         \
      .set = 256 * 8 * h + 4 * h * h, .flops = n * h * (h + 128))                                                      \
    /* core/decide_lanes.h, two genes: of each, two rows of doubles are read and turned into 8 bytes a cell, and 16    \
     * for the sums, 16 for those of steady states, 4 + 1 for terms and state; 16 bytes, a number of 2 and 4           \
     * additions a neighbour, and 4 for a row. Cells follow the graph (core/segments.h): loads fall among the          \
     * neighbours of a few cells. */                                                                                   \
    X(decide, "fit: which state a cell is in, two genes", BENCH_APART_F32,                                             \
      .bytes = n * (2 * (16 + 8 + 37) + 4 + 18 * K), .set = n * (16 + 2 * K), .flops = 4 * n * K, .gathers = n * K,    \
      .jumps = 16 * 8 * K)                                                                                             \
    /* core/passes_lanes.h, decays, exp of both, states: 8 + 16, 2 x 16, 16 + 16 bytes; 2 + 11 operations. */          \
    X(kinetics, "fit: states at given times", BENCH_APART_F64, .bytes = 88 * n, .set = 24 * n, .flops = 13 * n,        \
      .exps = 2 * n)                                                                                                   \
    /* core/passes_lanes.h, since, misfits and the sum: 8 + 24, 40 + 16, 8 bytes; 6 + 20 + 1 operations, 4 divisions.  \
     * The exp between them are in kinetics. */                                                                        \
    X(loss_passes, "fit: the loss, without its exp", BENCH_APART_F64, .bytes = 96 * n, .set = 56 * n, .flops = 27 * n, \
      .divides = 4 * n)                                                                                                \
    /* core/project_lanes.h, at the least: the boxes of all pieces (32 bytes, 8 written, 11 operations) and the 32     \
     * points of one (16 bytes, 5 operations). */                                                                      \
    X(projection, "fit: the nearest point of a curve", BENCH_APART_F64, .bytes = n * (24 + 40 * P + 16 * 32),          \
      .set = 16 * p + 40 * P, .flops = n * (11 * P + 5 * 32))                                                          \
    /* core/cosine_body.h: a candidate's row is read. A difference, the sum for its mean, the mean taken off, 2        \
     * operations for the product, 2 for the square. The tile in between stays in L1. */                               \
    X(cosines, "velocity graph: correlations", BENCH_APART_F32, .bytes = 4 * m * g, .set = 4 * n * g,                  \
      .flops = 7 * m * g)                                                                                              \
    /* core/steady_state_body.h, extremes_body.h: the maxima (8 bytes), z (8 + 4), the percentile (4 + 4 at the        \
     * least), the selection (4 + 1), R2 (4 + 4 + 8). A sum, the squares about the mean and those about the line each  \
     * wait for the addition before. Two divisions of singles are one of doubles. */                                   \
    X(steady_state, "steady-state line of a gene", BENCH_APART_F32, .bytes = 49 * n, .set = 17 * n, .flops = 12 * n,   \
      .chain = 3 * n, .divides = n)                                                                                    \
    /* core/normalize.c, sparse: a value is read, multiplied and written. */                                           \
    X(normalize, "cells brought to one size", BENCH_APART_F32, .bytes = 8 * z + 12 * n, .set = 8 * z, .flops = z)

#define WORK(name, what, arithmetic, ...)                                                                       \
    static bench_work work_##name(const bench_shape *s) {                                                       \
        const double n = (double)s->cells, g = (double)s->genes, h = (double)s->wide, k = (double)s->neighbors, \
                     K = 8 * ceil(k / 8), d = (double)s->dims, p = (double)s->points, P = 4 * ceil(p / 128),    \
                     m = (double)(s->queries * s->candidates), z = n * floor(h / 4);                            \
        (void)n, (void)g, (void)h, (void)k, (void)K, (void)d, (void)p, (void)P, (void)m, (void)z;               \
        return (bench_work){__VA_ARGS__};                                                                       \
    }
KERNEL_ROWS(WORK)
#undef WORK

/* ---- one call of each that is not elsewhere */

static vel_err bench_run_moments_f32(vel_ctx *ctx, bench_kernel_data *d) {
    const bench_shape *s = &d->shape;
    const vel_cmat x = {d->wide, VEL_F32, s->cells, s->genes, 1, s->cells};
    const vel_mat y = {d->out, VEL_F32, s->cells, s->genes, 1, s->cells};
    return vel_moments_first(ctx, &d->around, &x, &y);
}

static vel_err bench_run_knn(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_cmat x = {d->points, VEL_F32, d->shape.cells, d->shape.dims, d->shape.dims, 1};
    return vel_knn(ctx, &x, d->shape.neighbors, d->near, d->far);
}

static vel_err bench_run_cosines(vel_ctx *ctx, bench_kernel_data *d) {
    const bench_shape *s = &d->shape;
    const vel_cosine_body body = vel_cosine_body_for(vel_cpu_level());
    const vel_cosine_space space = {.x = d->expression, .n_genes = s->genes, .stride = vel_cosine_stride(s->genes)};
    (void)ctx;
    for (int64_t q = 0; q < s->queries; q++) {
        const int32_t *cells = d->candidates + q * s->candidates;
        const vel_cosine_query query = {
            .cell = cells[s->candidates / 2], .v = d->velocity, .norm = 1, .cells = cells, .m = s->candidates};
        body(&space, &query, d->cosine_work, d->cosines);
    }
    return VEL_OK;
}

static vel_err bench_run_steady_state(vel_ctx *ctx, bench_kernel_data *d) {
    const vel_steady_opts opts = vel_steady_defaults();
    const vel_gene_data gene = {d->shape.cells, VEL_F32, d->wide, d->wide + d->shape.cells};
    vel_steady fit;
    (void)ctx;
    vel_steady_fit(&opts, 1, &gene, d->steady_work, &fit);
    return VEL_OK;
}

#define ROW(name, what, arithmetic, ...) {#name, what, arithmetic, work_##name, #__VA_ARGS__, bench_run_##name},
const bench_kernel bench_kernels[] = {KERNEL_ROWS(ROW)};
#undef ROW
const int bench_n_kernels = (int)(sizeof bench_kernels / sizeof bench_kernels[0]);
