#include "core/gram.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/gram_rows.h"
#include "core/least.h"
#include "core/par.h"

enum { SMALL = 256, STRIPE = 128, GENES_A_RUN = 64, CELLS_A_RUN = 64 };

/* Cells or genes of a tile. What OpenBLAS packs of it is memory beside a small matrix, time beside a large one. */
static int64_t depth_of(int64_t n) { return n <= SMALL ? 64 : 128; }

/* Pages of the upper half stay untouched, and take no memory. */
static void clear_half(int64_t n, double *gram) {
    for (int64_t i = 0; i < n; i++) memset(gram + i * n, 0, (size_t)(i + 1) * sizeof *gram);
}

/* ---- sums over tiles of t' t or t t', in stripes of the lower half */

typedef struct {
    const double *tile; /* depth x n; across: n x depth */
    int64_t depth, n;
    double *gram;
    bool across;
} stripe_job;

static vel_err add_stripe(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const stripe_job *job = arg;
    int64_t first = item * STRIPE, rows = vel_least(job->n - first, STRIPE), stride = job->across ? job->depth : job->n;
    const double *a = job->tile + first * (job->across ? stride : 1);
    double *c = job->gram + first * job->n;
    vel_product left = {rows, first, job->depth, a, job->tile, c, stride, stride, job->n, job->across};
    vel_product diagonal = {rows, rows, job->depth, a, a, c + first, stride, stride, job->n, job->across};
    if (first) vel_blas_add_product(&left);
    vel_blas_add_square(&diagonal);
    return VEL_OK;
}

static vel_err add_tile(vel_ctx *ctx, stripe_job *job) {
    return vel_for(ctx, NULL, (job->n + STRIPE - 1) / STRIPE, add_stripe, job);
}

/* ---- tiles of cells, by genes */

typedef struct {
    const vel_centered *c;
    int64_t first, count; /* cells, or genes, of the tile */
    int64_t *place;       /* tiles of genes: the row of the tile of each column among them, else -1 */
    double *tile;
} tile_job;

/* A run of genes of a dense matrix: n_genes x count. */
static vel_err fill_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const tile_job *job = arg;
    for (int64_t g = item * GENES_A_RUN; g < vel_least((item + 1) * GENES_A_RUN, job->c->n_genes); g++)
        vel_centered_column(job->c, g, job->first, job->count, job->tile + g * job->count);
    return VEL_OK;
}

/* A run of cells of a sparse matrix: count x n_genes. */
static vel_err fill_cells(vel_ctx *ctx, int64_t item, void *arg) {
    const tile_job *job = arg;
    const vel_centered *c = job->c;
    int64_t n = c->n_genes, from = item * CELLS_A_RUN, end = vel_least(from + CELLS_A_RUN, job->count);
    double *row;
    VEL_TRY(VEL_ALLOC(ctx, row, c->m->cols));
    for (int64_t i = from; i < end; i++) {
        vel_counts_tile(c->m, job->first + i, 1, row);
        for (int64_t g = 0; g < n; g++) job->tile[i * n + g] = row[c->genes[g]] - c->mean[g];
    }
    return VEL_OK;
}

static vel_err cells_tile(vel_ctx *ctx, tile_job *job) {
    if (job->c->m->indptr) return vel_for(ctx, NULL, (job->count + CELLS_A_RUN - 1) / CELLS_A_RUN, fill_cells, job);
    return vel_for(ctx, NULL, (job->c->n_genes + GENES_A_RUN - 1) / GENES_A_RUN, fill_genes, job);
}

vel_err vel_gram_genes(vel_ctx *ctx, const vel_centered *c, double *gram) {
    int64_t n = c->n_genes, depth = depth_of(n);
    tile_job job = {.c = c};
    VEL_TRY(VEL_ALLOC(ctx, job.tile, depth * n));
    vel_blas_one_thread();
    clear_half(n, gram);
    for (job.first = 0; job.first < c->n_obs; job.first += depth) {
        job.count = vel_least(c->n_obs - job.first, depth);
        VEL_TRY(cells_tile(ctx, &job));
        VEL_TRY(add_tile(ctx, &(stripe_job){job.tile, job.count, n, gram, !c->m->indptr}));
        VEL_TRY(vel_poll(ctx));
    }
    return VEL_OK;
}

/* ---- tiles of genes, by cells */

/* A run of cells of a sparse matrix. */
static vel_err fill_sparse_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const tile_job *job = arg;
    const vel_centered *c = job->c;
    int64_t n = c->n_obs, low = c->genes[job->first], high = c->genes[job->first + job->count - 1];
    for (int64_t i = item * CELLS_A_RUN; i < vel_least((item + 1) * CELLS_A_RUN, n); i++) {
        int64_t from, to;
        for (int64_t g = 0; g < job->count; g++) job->tile[g * n + i] = -c->mean[job->first + g];
        vel_counts_range(c->m, i, low, high + 1, &from, &to);
        for (int64_t e = from; e < to; e++) {
            int64_t g = job->place[c->m->indices[e]];
            if (g >= 0) job->tile[g * n + i] += vel_counts_value(c->m, e);
        }
    }
    return VEL_OK;
}

static vel_err genes_tile(vel_ctx *ctx, tile_job *job) {
    const int64_t *genes = job->c->genes + job->first;
    if (!job->c->m->indptr) {
        for (int64_t g = 0; g < job->count; g++)
            vel_centered_column(job->c, job->first + g, 0, job->c->n_obs, job->tile + g * job->c->n_obs);
        return VEL_OK;
    }
    for (int64_t j = genes[0]; j <= genes[job->count - 1]; j++) job->place[j] = -1;
    for (int64_t g = 0; g < job->count; g++) job->place[genes[g]] = g;
    return vel_for(ctx, NULL, (job->c->n_obs + CELLS_A_RUN - 1) / CELLS_A_RUN, fill_sparse_genes, job);
}

vel_err vel_gram_cells(vel_ctx *ctx, const vel_centered *c, double *gram) {
    int64_t n = c->n_obs, depth = depth_of(n);
    tile_job job = {.c = c};
    VEL_TRY(VEL_ALLOC(ctx, job.place, c->m->cols));
    VEL_TRY(VEL_ALLOC(ctx, job.tile, depth * n));
    vel_blas_one_thread();
    clear_half(n, gram);
    for (job.first = 0; job.first < c->n_genes; job.first += depth) {
        job.count = vel_least(c->n_genes - job.first, depth);
        VEL_TRY(genes_tile(ctx, &job));
        VEL_TRY(add_tile(ctx, &(stripe_job){job.tile, job.count, n, gram, false}));
        VEL_TRY(vel_poll(ctx));
    }
    return VEL_OK;
}

/* ---- products: of the lower half, each element for its row and for its column */

enum { PARTS = 8, ROWS = VEL_GRAM_ROWS };

typedef struct {
    int64_t n;
    const double *gram, *x;
    double *parts; /* PARTS x n: what runs of rows add to y, kept apart so that the bits do not depend on threads */
    vel_gram_rows *rows;
} apply_job;

/* Row i from column `from` on to the diagonal. */
static void apply_end(const apply_job *job, int64_t i, int64_t from, double *y) {
    const double *a = job->gram + i * job->n, *x = job->x;
    for (int64_t j = from; j < i; j++) {
        y[i] += a[j] * x[j];
        y[j] += a[j] * x[i];
    }
    y[i] += a[i] * x[i];
}

/* Parts of equal area: the rows from sqrt(p / PARTS) n on. */
static int64_t part_begin(int64_t n, int64_t p) {
    return p == PARTS ? n : (int64_t)(sqrt((double)p / PARTS) * (double)n) / ROWS * ROWS;
}

static vel_err apply_part(vel_ctx *ctx, int64_t p, void *arg) {
    (void)ctx;
    const apply_job *job = arg;
    double *y = job->parts + p * job->n;
    int64_t end = part_begin(job->n, p + 1);
    memset(y, 0, (size_t)job->n * sizeof *y);
    for (int64_t first = part_begin(job->n, p); first < end; first += ROWS) {
        bool full = first + ROWS <= job->n;
        const double *a = job->gram + first * job->n, *next = first + 2 * ROWS <= job->n ? a + ROWS * job->n : a;
        if (full) job->rows(&(vel_gram_block){first, job->n, a, job->x, job->x + first, next}, y, y + first);
        for (int64_t i = first; i < vel_least(first + ROWS, end); i++) apply_end(job, i, full ? first : 0, y);
    }
    return VEL_OK;
}

vel_err vel_gram_apply(vel_ctx *ctx, int64_t n, const double *gram, const double *x, double *y) {
    apply_job job = {.n = n, .gram = gram, .x = x, .rows = vel_gram_rows_at(vel_cpu_level())};
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, job.parts, PARTS * n));
    VEL_TRY(vel_for(ctx, NULL, PARTS, apply_part, &job));
    for (int64_t i = 0; i < n; i++) {
        y[i] = 0;
        for (int p = 0; p < PARTS; p++) y[i] += job.parts[p * n + i];
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
