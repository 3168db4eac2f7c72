#include "core/centered.h"

#include <string.h>

#include "core/blas.h"
#include "core/par.h"

enum { CELLS_A_RUN = 256, GENES_A_RUN = 16, TILE = 256, STRIPE = 128 };

static double stored(const vel_centered *c, int64_t e) {
    return c->m->type == VEL_F32 ? (double)((const float *)c->value)[e] : ((const double *)c->value)[e];
}

static double dense(const vel_centered *c, int64_t i, int64_t gene) {
    const vel_counts *m = c->m;
    return vel_counts_value(m, m->gene_major ? gene * m->rows + i : i * m->cols + gene);
}

/* Four partial sums, (0 + 1) + (2 + 3): no chain of additions, and the same bits everywhere. */
#define DOTS(real, suffix)                                                                            \
    static double sparse_dot_##suffix(const real *x, const int32_t *at, int64_t n, const double *v) { \
        double a = 0, b = 0, c = 0, d = 0;                                                            \
        int64_t e = 0;                                                                                \
        for (; e + 4 <= n; e += 4) {                                                                  \
            a += (double)x[e] * v[at[e]];                                                             \
            b += (double)x[e + 1] * v[at[e + 1]];                                                     \
            c += (double)x[e + 2] * v[at[e + 2]];                                                     \
            d += (double)x[e + 3] * v[at[e + 3]];                                                     \
        }                                                                                             \
        for (; e < n; e++) a += (double)x[e] * v[at[e]];                                              \
        return (a + b) + (c + d);                                                                     \
    }                                                                                                 \
    static double dense_dot_##suffix(const real *x, int64_t n, const double *v) {                     \
        double a = 0, b = 0, c = 0, d = 0;                                                            \
        int64_t i = 0;                                                                                \
        for (; i + 4 <= n; i += 4) {                                                                  \
            a += (double)x[i] * v[i];                                                                 \
            b += (double)x[i + 1] * v[i + 1];                                                         \
            c += (double)x[i + 2] * v[i + 2];                                                         \
            d += (double)x[i + 3] * v[i + 3];                                                         \
        }                                                                                             \
        for (; i < n; i++) a += (double)x[i] * v[i];                                                  \
        return (a + b) + (c + d);                                                                     \
    }                                                                                                 \
    static void dense_add_##suffix(const real *x, int64_t n, double by, double *y) {                  \
        for (int64_t i = 0; i < n; i++) y[i] += (double)x[i] * by;                                    \
    }
DOTS(float, f32)
DOTS(double, f64)

static double sparse_dot(vel_type type, const void *x, int64_t from, const int32_t *at, int64_t n, const double *v) {
    if (type == VEL_F32) return sparse_dot_f32((const float *)x + from, at + from, n, v);
    return sparse_dot_f64((const double *)x + from, at + from, n, v);
}

/* ---- making: the entries by gene, the means, the variance */

static vel_err by_gene(vel_ctx *ctx, vel_centered *c) {
    const vel_counts *m = c->m;
    int64_t *place, *next, n = vel_counts_stored(m);
    VEL_TRY(VEL_ALLOC(ctx, place, m->cols));
    VEL_TRY(VEL_ALLOC(ctx, next, c->n_genes));
    VEL_TRY(VEL_ZALLOC(ctx, c->column, c->n_genes + 1));
    for (int64_t j = 0; j < m->cols; j++) place[j] = -1;
    for (int64_t g = 0; g < c->n_genes; g++) place[c->genes[g]] = g;
    for (int64_t e = 0; e < n; e++)
        if (place[m->indices[e]] >= 0) c->column[place[m->indices[e]] + 1]++;
    for (int64_t g = 0; g < c->n_genes; g++) c->column[g + 1] += c->column[g];
    memcpy(next, c->column, (size_t)c->n_genes * sizeof *next);
    int64_t kept = c->column[c->n_genes];
    size_t size = vel_type_size(m->type);
    VEL_TRY(VEL_ALLOC(ctx, c->row, kept));
    c->value = vel_arena_alloc(ctx->scratch, (size_t)kept, size);
    if (!c->value) return vel_no_memory(ctx, (size_t)kept, size);
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t e = m->indptr[i]; e < m->indptr[i + 1]; e++) {
            int64_t g = place[m->indices[e]];
            if (g < 0) continue;
            c->row[next[g]] = (int32_t)i;
            memcpy((char *)c->value + (size_t)next[g]++ * size, (const char *)m->values + (size_t)e * size, size);
        }
    return VEL_OK;
}

typedef struct {
    vel_centered *c;
    double *square; /* of each gene, about its mean */
} moments_job;

static vel_err gene_moments(vel_ctx *ctx, int64_t g, void *arg) {
    (void)ctx;
    const moments_job *job = arg;
    vel_centered *c = job->c;
    double n = (double)c->n_obs, sum = 0, square = 0;
    int64_t first = c->m->indptr ? c->column[g] : 0, end = c->m->indptr ? c->column[g + 1] : c->n_obs;
    for (int64_t e = first; e < end; e++) sum += c->m->indptr ? stored(c, e) : dense(c, e, c->genes[g]);
    c->mean[g] = sum / n;
    for (int64_t e = first; e < end; e++) {
        double d = (c->m->indptr ? stored(c, e) : dense(c, e, c->genes[g])) - c->mean[g];
        square += d * d;
    }
    job->square[g] = square + (n - (double)(end - first)) * c->mean[g] * c->mean[g];
    return VEL_OK;
}

vel_err vel_centered_make(vel_ctx *ctx, const vel_counts *m, const int64_t *genes, int64_t n_genes, vel_centered *c) {
    *c = (vel_centered){.m = m, .n_obs = m->rows, .n_genes = n_genes, .genes = genes};
    moments_job job = {c, NULL};
    VEL_TRY(VEL_ALLOC(ctx, c->mean, n_genes));
    VEL_TRY(VEL_ALLOC(ctx, job.square, n_genes));
    if (m->indptr) VEL_TRY(by_gene(ctx, c));
    VEL_TRY(vel_for(ctx, NULL, n_genes, gene_moments, &job));
    double sum = 0;
    for (int64_t g = 0; g < n_genes; g++) sum += job.square[g];
    c->variance = sum / (double)(m->rows - 1);
    return VEL_OK;
}

/* ---- products with vectors */

typedef struct {
    const vel_centered *c;
    const double *x; /* apply, sparse: v over all columns of m, 0 where a gene is not chosen */
    double *y;
    double shift;
} product_job;

static vel_err apply_cells(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const product_job *job = arg;
    const vel_centered *c = job->c;
    const vel_counts *m = c->m;
    int64_t first = item * CELLS_A_RUN, end = first + CELLS_A_RUN < c->n_obs ? first + CELLS_A_RUN : c->n_obs;
    for (int64_t i = first; i < end; i++) job->y[i] = -job->shift;
    if (m->indptr) {
        for (int64_t i = first; i < end; i++)
            job->y[i] +=
                sparse_dot(m->type, m->values, m->indptr[i], m->indices, m->indptr[i + 1] - m->indptr[i], job->x);
        return VEL_OK;
    }
    for (int64_t g = 0; g < c->n_genes; g++) {
        int64_t at = c->genes[g] * m->rows + first;
        if (!m->gene_major)
            for (int64_t i = first; i < end; i++) job->y[i] += dense(c, i, c->genes[g]) * job->x[g];
        else if (m->type == VEL_F32)
            dense_add_f32((const float *)m->values + at, end - first, job->x[g], job->y + first);
        else
            dense_add_f64((const double *)m->values + at, end - first, job->x[g], job->y + first);
    }
    return VEL_OK;
}

vel_err vel_centered_apply(vel_ctx *ctx, const vel_centered *c, const double *v, double *y) {
    product_job job = {.c = c, .x = v, .y = y};
    vel_mark mark = vel_arena_mark(ctx->scratch);
    for (int64_t g = 0; g < c->n_genes; g++) job.shift += c->mean[g] * v[g];
    if (c->m->indptr) {
        double *wide;
        VEL_TRY(VEL_ZALLOC(ctx, wide, c->m->cols));
        for (int64_t g = 0; g < c->n_genes; g++) wide[c->genes[g]] = v[g];
        job.x = wide;
    }
    vel_err e = vel_for(ctx, NULL, (c->n_obs + CELLS_A_RUN - 1) / CELLS_A_RUN, apply_cells, &job);
    vel_arena_release(ctx->scratch, mark);
    return e;
}

/* The product of one gene's values with x. */
static double gene_dot(const vel_centered *c, int64_t g, const double *x) {
    const vel_counts *m = c->m;
    int64_t at = c->genes[g] * m->rows;
    if (m->indptr) return sparse_dot(m->type, c->value, c->column[g], c->row, c->column[g + 1] - c->column[g], x);
    if (m->gene_major && m->type == VEL_F32) return dense_dot_f32((const float *)m->values + at, c->n_obs, x);
    if (m->gene_major) return dense_dot_f64((const double *)m->values + at, c->n_obs, x);
    double sum = 0;
    for (int64_t i = 0; i < c->n_obs; i++) sum += dense(c, i, c->genes[g]) * x[i];
    return sum;
}

static vel_err apply_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const product_job *job = arg;
    const vel_centered *c = job->c;
    int64_t first = item * GENES_A_RUN, end = first + GENES_A_RUN < c->n_genes ? first + GENES_A_RUN : c->n_genes;
    for (int64_t g = first; g < end; g++) job->y[g] = gene_dot(c, g, job->x) - c->mean[g] * job->shift;
    return VEL_OK;
}

vel_err vel_centered_apply_t(vel_ctx *ctx, const vel_centered *c, const double *y, double *v) {
    product_job job = {.c = c, .x = y, .y = v};
    for (int64_t i = 0; i < c->n_obs; i++) job.shift += y[i];
    return vel_for(ctx, NULL, (c->n_genes + GENES_A_RUN - 1) / GENES_A_RUN, apply_genes, &job);
}

/* ---- Gram matrices: sums over tiles of t' t, in stripes of the result */

typedef struct {
    const double *tile; /* depth x n */
    int64_t depth, n;
    double *gram;
} stripe_job;

static vel_err add_stripe(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const stripe_job *job = arg;
    int64_t first = item * STRIPE, rows = job->n - first < STRIPE ? job->n - first : STRIPE;
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
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) gram[j * n + i] = gram[i * n + j];
}

/* Cells [first, first + count) x the chosen genes. */
static void cells_tile(const vel_centered *c, int64_t first, int64_t count, double *wide, double *tile) {
    for (int64_t i = 0; i < count; i++) {
        vel_counts_tile(c->m, first + i, 1, wide);
        for (int64_t g = 0; g < c->n_genes; g++) tile[i * c->n_genes + g] = wide[c->genes[g]] - c->mean[g];
    }
}

vel_err vel_centered_gram_genes(vel_ctx *ctx, const vel_centered *c, double *gram) {
    int64_t n = c->n_genes;
    double *wide, *tile;
    VEL_TRY(VEL_ALLOC(ctx, wide, c->m->cols));
    VEL_TRY(VEL_ALLOC(ctx, tile, TILE * n));
    vel_blas_one_thread();
    memset(gram, 0, (size_t)(n * n) * sizeof *gram);
    for (int64_t first = 0; first < c->n_obs; first += TILE) {
        int64_t count = c->n_obs - first < TILE ? c->n_obs - first : TILE;
        cells_tile(c, first, count, wide, tile);
        VEL_TRY(add_tile(ctx, tile, count, n, gram));
    }
    mirror(n, gram);
    return VEL_OK;
}

/* Genes [first, first + count) x the cells. */
static void genes_tile(const vel_centered *c, int64_t first, int64_t count, double *tile) {
    for (int64_t g = 0; g < count; g++) {
        double *row = tile + g * c->n_obs, mean = c->mean[first + g];
        if (c->m->indptr) {
            for (int64_t i = 0; i < c->n_obs; i++) row[i] = -mean;
            for (int64_t e = c->column[first + g]; e < c->column[first + g + 1]; e++)
                row[c->row[e]] = stored(c, e) - mean;
        } else {
            for (int64_t i = 0; i < c->n_obs; i++) row[i] = dense(c, i, c->genes[first + g]) - mean;
        }
    }
}

vel_err vel_centered_gram_cells(vel_ctx *ctx, const vel_centered *c, double *gram) {
    int64_t n = c->n_obs;
    double *tile;
    VEL_TRY(VEL_ALLOC(ctx, tile, TILE * n));
    vel_blas_one_thread();
    memset(gram, 0, (size_t)(n * n) * sizeof *gram);
    for (int64_t first = 0; first < c->n_genes; first += TILE) {
        int64_t count = c->n_genes - first < TILE ? c->n_genes - first : TILE;
        genes_tile(c, first, count, tile);
        VEL_TRY(add_tile(ctx, tile, count, n, gram));
    }
    mirror(n, gram);
    return VEL_OK;
}
