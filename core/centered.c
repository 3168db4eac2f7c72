#include "core/centered.h"

#include <string.h>

#include "core/least.h"
#include "core/par.h"

enum { CELLS_A_RUN = 256, GENES_A_RUN = 16, MOST_PARTS = 32 };

static double dense(const vel_centered *c, int64_t i, int64_t gene) {
    const vel_counts *m = c->m;
    return vel_counts_value(m, m->gene_major ? gene * m->rows + i : i * m->cols + gene);
}

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

#define REAL float
#define NAME(x) x##_f32
#include "core/centered_body.h"

#define REAL double
#define NAME(x) x##_f64
#include "core/centered_body.h"

/* Row i of a sparse m times v, a vector over its columns. */
static double row_dot(const vel_counts *m, int64_t i, const double *v) {
    int64_t e = m->indptr[i], n = m->indptr[i + 1] - e;
    if (m->type == VEL_F32) return sparse_dot_f32((const float *)m->values + e, m->indices + e, n, v);
    return sparse_dot_f64((const double *)m->values + e, m->indices + e, n, v);
}

/* y += row i of a sparse m times by. */
static void row_add(const vel_counts *m, int64_t i, double by, double *y) {
    int64_t e = m->indptr[i], n = m->indptr[i + 1] - e;
    if (m->type == VEL_F32)
        sparse_add_f32((const float *)m->values + e, m->indices + e, n, by, y);
    else
        sparse_add_f64((const double *)m->values + e, m->indices + e, n, by, y);
}

/* ---- sums over the cells of a sparse m: each part of the cells has a vector of its own */

typedef void (*row_body)(const vel_centered *c, int64_t i, double *part, void *arg);

typedef struct {
    const vel_centered *c;
    row_body body;
    void *arg;
} rows_job;

static vel_err run_part(vel_ctx *ctx, int64_t p, void *arg) {
    (void)ctx;
    const rows_job *job = arg;
    const vel_centered *c = job->c;
    double *part = c->parts + p * c->m->cols;
    int64_t first = p * c->n_obs / c->n_parts, end = (p + 1) * c->n_obs / c->n_parts;
    memset(part, 0, (size_t)c->m->cols * sizeof *part);
    for (int64_t i = first; i < end; i++) job->body(c, i, part, job->arg);
    return VEL_OK;
}

/* total[n_genes] = the sum of what the rows add to their parts, for the chosen genes. */
static vel_err sum_rows(vel_ctx *ctx, const vel_centered *c, row_body body, void *arg, double *total) {
    rows_job job = {c, body, arg};
    VEL_TRY(vel_for(ctx, NULL, c->n_parts, run_part, &job));
    for (int64_t g = 0; g < c->n_genes; g++) {
        total[g] = 0;
        for (int64_t p = 0; p < c->n_parts; p++) total[g] += c->parts[p * c->m->cols + c->genes[g]];
    }
    return VEL_OK;
}

static void spread(const vel_centered *c, const double *v) {
    for (int64_t g = 0; g < c->n_genes; g++) c->wide[c->genes[g]] = v[g];
}

/* ---- making: the means and the variance */

static void add_row(const vel_centered *c, int64_t i, double *part, void *arg) {
    (void)arg;
    row_add(c->m, i, 1, part);
}

/* (x - mean)^2 of the values that are stored. */
static void add_squares(const vel_centered *c, int64_t i, double *part, void *arg) {
    (void)arg;
    for (int64_t e = c->m->indptr[i]; e < c->m->indptr[i + 1]; e++) {
        int32_t j = c->m->indices[e];
        double d = vel_counts_value(c->m, e) - c->wide[j];
        part[j] += d * d;
    }
}

static void add_ones(const vel_centered *c, int64_t i, double *part, void *arg) {
    (void)arg;
    for (int64_t e = c->m->indptr[i]; e < c->m->indptr[i + 1]; e++) part[c->m->indices[e]]++;
}

/* Zeros that are not stored are counted, and nothing is taken off again: where a mean is far above the spread, a
 * difference of squares would be rounding. */
static vel_err sparse_moments(vel_ctx *ctx, vel_centered *c, double *square) {
    double n = (double)c->n_obs, *stored = c->wide;
    VEL_TRY(sum_rows(ctx, c, add_row, NULL, c->mean));
    for (int64_t g = 0; g < c->n_genes; g++) c->mean[g] /= n;
    spread(c, c->mean);
    VEL_TRY(sum_rows(ctx, c, add_squares, NULL, square));
    VEL_TRY(sum_rows(ctx, c, add_ones, NULL, stored));
    for (int64_t g = 0; g < c->n_genes; g++)
        if (stored[g] < n) square[g] += (n - stored[g]) * (c->mean[g] * c->mean[g]);
    memset(c->wide, 0, (size_t)c->m->cols * sizeof *c->wide);
    return VEL_OK;
}

/* Gene g of a dense m: from where on, and how far the next cell is. */
static int64_t column_of(const vel_centered *c, int64_t g, int64_t *step) {
    *step = c->m->gene_major ? 1 : c->m->cols;
    return c->m->gene_major ? c->genes[g] * c->m->rows : c->genes[g];
}

/* A run of cells is short, and the next genes' are far away: as much as a whole run is fetched ahead. */
void vel_centered_column(const vel_centered *c, int64_t g, int64_t first, int64_t count, double *y) {
    int64_t step, at = column_of(c, g, &step) + first * step;
    if (step != 1) {
        for (int64_t i = 0; i < count; i++) y[i] = vel_counts_value(c->m, at + i * step) - c->mean[g];
        return;
    }
    int64_t ahead = g + (CELLS_A_RUN + count - 1) / count;
    int64_t next = column_of(c, ahead < c->n_genes ? ahead : g, &step) + first;
    if (c->m->type == VEL_F32)
        dense_less_f32((const float *)c->m->values + at, (const float *)c->m->values + next, count, c->mean[g], y);
    else
        dense_less_f64((const double *)c->m->values + at, (const double *)c->m->values + next, count, c->mean[g], y);
}

typedef struct {
    vel_centered *c;
    double *square;
} moments_job;

static vel_err dense_moments(vel_ctx *ctx, int64_t g, void *arg) {
    const moments_job *job = arg;
    const vel_centered *c = job->c;
    int64_t step, at = column_of(c, g, &step), n = c->n_obs;
    double y[CELLS_A_RUN];
    (void)ctx;
    c->mean[g] = (c->m->type == VEL_F32 ? dense_sum_f32((const float *)c->m->values + at, n, step)
                                        : dense_sum_f64((const double *)c->m->values + at, n, step)) /
                 (double)n;
    job->square[g] = 0;
    for (int64_t first = 0; first < n; first += CELLS_A_RUN) {
        int64_t count = vel_least(CELLS_A_RUN, n - first);
        vel_centered_column(c, g, first, count, y);
        job->square[g] += dense_dot_f64(y, count, y);
    }
    return VEL_OK;
}

vel_err vel_centered_make(vel_ctx *ctx, const vel_counts *m, const int64_t *genes, int64_t n_genes, vel_centered *c) {
    int64_t n_parts = (m->rows + CELLS_A_RUN - 1) / CELLS_A_RUN;
    *c = (vel_centered){.m = m, .n_obs = m->rows, .n_genes = n_genes, .genes = genes};
    c->n_parts = vel_least(n_parts, MOST_PARTS);
    moments_job job = {c, NULL};
    VEL_TRY(VEL_ALLOC(ctx, c->mean, n_genes));
    VEL_TRY(VEL_ALLOC(ctx, job.square, n_genes));
    if (m->indptr) {
        VEL_TRY(VEL_ZALLOC(ctx, c->wide, m->cols));
        VEL_TRY(VEL_ALLOC(ctx, c->parts, c->n_parts * m->cols));
        VEL_TRY(sparse_moments(ctx, c, job.square));
    } else {
        VEL_TRY(vel_for(ctx, NULL, n_genes, dense_moments, &job));
    }
    double sum = 0;
    for (int64_t g = 0; g < n_genes; g++) sum += job.square[g];
    c->variance = sum / (double)(m->rows - 1);
    return VEL_OK;
}

/* ---- products with vectors */

typedef struct {
    const vel_centered *c;
    const double *x;
    double *y;
    double shift; /* mean . v, or the sum of y */
} product_job;

static vel_err apply_cells(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const product_job *job = arg;
    const vel_centered *c = job->c;
    const vel_counts *m = c->m;
    int64_t first = item * CELLS_A_RUN, end = vel_least(first + CELLS_A_RUN, c->n_obs);
    for (int64_t i = first; i < end; i++) job->y[i] = (m->indptr ? row_dot(m, i, c->wide) : 0) - job->shift;
    for (int64_t g = 0; g < c->n_genes && !m->indptr; g++) {
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

static double mean_dot(const vel_centered *c, const double *v) {
    double sum = 0;
    for (int64_t g = 0; g < c->n_genes; g++) sum += c->mean[g] * v[g];
    return sum;
}

vel_err vel_centered_apply(vel_ctx *ctx, const vel_centered *c, const double *v, double *y) {
    product_job job = {c, v, y, mean_dot(c, v)};
    if (c->m->indptr) spread(c, v);
    return vel_for(ctx, NULL, (c->n_obs + CELLS_A_RUN - 1) / CELLS_A_RUN, apply_cells, &job);
}

static vel_err apply_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const product_job *job = arg;
    const vel_centered *c = job->c;
    const vel_counts *m = c->m;
    int64_t first = item * GENES_A_RUN, end = vel_least(first + GENES_A_RUN, c->n_genes);
    for (int64_t g = first; g < end; g++) {
        int64_t at = c->genes[g] * m->rows;
        double sum = 0;
        if (m->gene_major && m->type == VEL_F32)
            sum = dense_dot_f32((const float *)m->values + at, c->n_obs, job->x);
        else if (m->gene_major)
            sum = dense_dot_f64((const double *)m->values + at, c->n_obs, job->x);
        else
            for (int64_t i = 0; i < c->n_obs; i++) sum += dense(c, i, c->genes[g]) * job->x[i];
        job->y[g] = sum - c->mean[g] * job->shift;
    }
    return VEL_OK;
}

static void add_weighted(const vel_centered *c, int64_t i, double *part, void *arg) {
    const product_job *job = arg;
    row_add(c->m, i, job->x[i], part);
}

static void take_means_off(const vel_centered *c, const double *y, double *v) {
    double sum = 0;
    for (int64_t i = 0; i < c->n_obs; i++) sum += y[i];
    for (int64_t g = 0; g < c->n_genes; g++) v[g] -= c->mean[g] * sum;
}

vel_err vel_centered_apply_t(vel_ctx *ctx, const vel_centered *c, const double *y, double *v) {
    product_job job = {.c = c, .x = y, .y = v};
    if (!c->m->indptr) {
        for (int64_t i = 0; i < c->n_obs; i++) job.shift += y[i];
        return vel_for(ctx, NULL, (c->n_genes + GENES_A_RUN - 1) / GENES_A_RUN, apply_genes, &job);
    }
    VEL_TRY(sum_rows(ctx, c, add_weighted, &job, v));
    take_means_off(c, y, v);
    return VEL_OK;
}

static void dot_and_add(const vel_centered *c, int64_t i, double *part, void *arg) {
    const product_job *job = arg;
    job->y[i] = row_dot(c->m, i, c->wide) - job->shift;
    row_add(c->m, i, job->y[i], part);
}

vel_err vel_centered_apply_gram(vel_ctx *ctx, const vel_centered *c, const double *v, double *y, double *w) {
    if (!c->m->indptr) {
        VEL_TRY(vel_centered_apply(ctx, c, v, y));
        return vel_centered_apply_t(ctx, c, y, w);
    }
    product_job job = {c, v, y, mean_dot(c, v)};
    spread(c, v);
    VEL_TRY(sum_rows(ctx, c, dot_and_add, &job, w));
    take_means_off(c, y, w);
    return VEL_OK;
}
