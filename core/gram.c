#include "core/gram.h"

#include <string.h>

#include "core/blas.h"
#include "core/par.h"

enum { TILE = 256, STRIPE = 128, GENES_A_RUN = 64, CELLS_A_RUN = 64, ROWS_A_RUN = 32 };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- sums over tiles of t' t, in stripes of the lower half */

typedef struct {
    const double *tile; /* depth x n */
    int64_t depth, n;
    double *gram;
} stripe_job;

static vel_err add_stripe(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const stripe_job *job = arg;
    int64_t first = item * STRIPE, rows = least(job->n - first, STRIPE);
    vel_product p = {rows,   first + rows, job->depth, job->tile + first, job->tile, job->gram + first * job->n,
                     job->n, job->n,       job->n};
    vel_blas_add_product(&p);
    return VEL_OK;
}

static vel_err add_tile(vel_ctx *ctx, const double *tile, int64_t depth, int64_t n, double *gram) {
    stripe_job job = {tile, depth, n, gram};
    return vel_for(ctx, NULL, (n + STRIPE - 1) / STRIPE, add_stripe, &job);
}

static void mirror(int64_t n, double *gram) {
    enum { SIDE = 32 }; /* squares that stay in the cache while they are turned */
    for (int64_t top = 0; top < n; top += SIDE)
        for (int64_t left = 0; left <= top; left += SIDE)
            for (int64_t i = top; i < least(top + SIDE, n); i++)
                for (int64_t j = left; j < least(left + SIDE, i); j++) gram[j * n + i] = gram[i * n + j];
}

/* ---- tiles of cells, by genes */

typedef struct {
    const vel_centered *c;
    int64_t first, count; /* cells, or genes, of the tile */
    int64_t *place;       /* tiles of genes: the row of the tile of each column among them, else -1 */
    double *tile;
} tile_job;

/* A run of genes of a dense matrix. */
static vel_err fill_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const tile_job *job = arg;
    const vel_centered *c = job->c;
    int64_t n = c->n_genes, from = item * GENES_A_RUN, end = least(from + GENES_A_RUN, n);
    int64_t by_gene = c->m->gene_major ? c->m->rows : 1, by_cell = c->m->gene_major ? 1 : c->m->cols;
    for (int64_t i = 0; i < job->count; i++)
        for (int64_t g = from; g < end; g++)
            job->tile[i * n + g] =
                vel_counts_value(c->m, c->genes[g] * by_gene + (job->first + i) * by_cell) - c->mean[g];
    return VEL_OK;
}

/* A run of cells of a sparse matrix. */
static vel_err fill_cells(vel_ctx *ctx, int64_t item, void *arg) {
    const tile_job *job = arg;
    const vel_centered *c = job->c;
    int64_t n = c->n_genes, from = item * CELLS_A_RUN, end = least(from + CELLS_A_RUN, job->count);
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
    int64_t n = c->n_genes;
    tile_job job = {.c = c};
    VEL_TRY(VEL_ALLOC(ctx, job.tile, TILE * n));
    vel_blas_one_thread();
    memset(gram, 0, (size_t)(n * n) * sizeof *gram);
    for (job.first = 0; job.first < c->n_obs; job.first += TILE) {
        job.count = least(c->n_obs - job.first, TILE);
        VEL_TRY(cells_tile(ctx, &job));
        VEL_TRY(add_tile(ctx, job.tile, job.count, n, gram));
        VEL_TRY(vel_poll(ctx));
    }
    mirror(n, gram);
    return VEL_OK;
}

/* ---- tiles of genes, by cells */

static void fill_dense_gene(const tile_job *job, int64_t g) {
    const vel_centered *c = job->c;
    int64_t gene = c->genes[job->first + g];
    int64_t start = c->m->gene_major ? gene * c->m->rows : gene, by_cell = c->m->gene_major ? 1 : c->m->cols;
    for (int64_t i = 0; i < c->n_obs; i++)
        job->tile[g * c->n_obs + i] = vel_counts_value(c->m, start + i * by_cell) - c->mean[job->first + g];
}

/* A run of cells of a sparse matrix. */
static vel_err fill_sparse_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const tile_job *job = arg;
    const vel_centered *c = job->c;
    int64_t n = c->n_obs, low = c->genes[job->first], high = c->genes[job->first + job->count - 1];
    for (int64_t i = item * CELLS_A_RUN; i < least((item + 1) * CELLS_A_RUN, n); i++) {
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
        for (int64_t g = 0; g < job->count; g++) fill_dense_gene(job, g);
        return VEL_OK;
    }
    for (int64_t j = genes[0]; j <= genes[job->count - 1]; j++) job->place[j] = -1;
    for (int64_t g = 0; g < job->count; g++) job->place[genes[g]] = g;
    return vel_for(ctx, NULL, (job->c->n_obs + CELLS_A_RUN - 1) / CELLS_A_RUN, fill_sparse_genes, job);
}

vel_err vel_gram_cells(vel_ctx *ctx, const vel_centered *c, double *gram) {
    int64_t n = c->n_obs;
    tile_job job = {.c = c};
    VEL_TRY(VEL_ALLOC(ctx, job.place, c->m->cols));
    VEL_TRY(VEL_ALLOC(ctx, job.tile, TILE * n));
    vel_blas_one_thread();
    memset(gram, 0, (size_t)(n * n) * sizeof *gram);
    for (job.first = 0; job.first < c->n_genes; job.first += TILE) {
        job.count = least(c->n_genes - job.first, TILE);
        VEL_TRY(genes_tile(ctx, &job));
        VEL_TRY(add_tile(ctx, job.tile, job.count, n, gram));
        VEL_TRY(vel_poll(ctx));
    }
    mirror(n, gram);
    return VEL_OK;
}

/* ---- products */

typedef double lanes __attribute__((vector_size(64), may_alias, aligned(8)));

/* In eight partial sums: no chain of additions, and the same bits everywhere. */
static double dot(int64_t n, const double *a, const double *x) {
    lanes sum = {0};
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) sum += *(const lanes *)(const void *)(a + i) * *(const lanes *)(const void *)(x + i);
    for (int64_t l = 0; i < n; i++, l++) sum[l] += a[i] * x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

typedef struct {
    int64_t n;
    const double *gram, *x;
    double *y;
} apply_job;

static vel_err apply_rows(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const apply_job *job = arg;
    for (int64_t i = item * ROWS_A_RUN; i < least((item + 1) * ROWS_A_RUN, job->n); i++)
        job->y[i] = dot(job->n, job->gram + i * job->n, job->x);
    return VEL_OK;
}

vel_err vel_gram_apply(vel_ctx *ctx, int64_t n, const double *gram, const double *x, double *y) {
    apply_job job = {n, gram, x, y};
    return vel_for(ctx, NULL, (n + ROWS_A_RUN - 1) / ROWS_A_RUN, apply_rows, &job);
}
