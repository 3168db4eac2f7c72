#include "core/counts.h"

#include <string.h>

#include "core/least.h"
#include "core/par.h"
#include "core/sum.h"

enum { TILE_ROWS = 32, GENES_AT_ONCE = 4 };

int64_t vel_counts_stored(const vel_counts *m) { return m->indptr ? m->indptr[m->rows] : m->rows * m->cols; }

static int64_t lower_bound(const int32_t *x, int64_t from, int64_t to, int64_t key) {
    while (from < to) {
        int64_t mid = from + (to - from) / 2;
        if (x[mid] < key)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

void vel_counts_range(const vel_counts *m, int64_t i, int64_t first, int64_t end, int64_t *from, int64_t *to) {
    int64_t a = m->indptr[i], b = m->indptr[i + 1];
    *from = first > 0 ? lower_bound(m->indices, a, b, first) : a;
    *to = end < m->cols ? lower_bound(m->indices, *from, b, end) : b;
}

int64_t vel_counts_genes_a_run(const vel_ctx *ctx, int64_t n_genes) {
    enum { LEAST = 64, MOST = 4096 };
    int64_t share = (n_genes + ctx->threads - 1) / ctx->threads;
    return share < LEAST ? LEAST : share > MOST ? MOST : share;
}

static void sparse_tile(const vel_counts *m, int64_t first, int64_t count, double *tile) {
    memset(tile, 0, (size_t)(count * m->cols) * sizeof *tile);
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = m->indptr[first + i]; e < m->indptr[first + i + 1]; e++)
            tile[i * m->cols + m->indices[e]] = vel_counts_value(m, e);
}

void vel_counts_tile(const vel_counts *m, int64_t first, int64_t count, double *tile) {
    if (m->indptr) {
        sparse_tile(m, first, count, tile);
        return;
    }
    for (int64_t j = 0; j < m->cols; j++)
        for (int64_t i = 0; i < count; i++)
            tile[i * m->cols + j] =
                vel_counts_value(m, m->gene_major ? j * m->rows + first + i : (first + i) * m->cols + j);
}

/* ---- sizes */

typedef struct {
    const vel_counts *m;
    const uint8_t *keep; /* NULL: all genes */
    void *sizes;
    int64_t run;  /* rows an item, where they lie across */
    uint8_t *raw; /* of each item then: whether its values were seen to be raw counts */
} sizes_job;

/* Long runs, which memory gives faster, but enough of them for every thread. */
static int64_t rows_a_run(const vel_ctx *ctx, int64_t rows) {
    enum { LEAST = 256, RUNS_A_THREAD = 4 };
    int64_t run = (rows / (RUNS_A_THREAD * ctx->threads) + LEAST - 1) / LEAST * LEAST;
    return run < LEAST ? LEAST : vel_least(run, VEL_SUM_ROWS);
}

/* The sum of x[n], as the reference adds up a row. */
static void store_sum(const vel_counts *m, double *x, int64_t n, int64_t row, void *sizes) {
    if (m->type == VEL_F64) {
        ((double *)sizes)[row] = m->indptr ? vel_sum_row_f64(x, n) : vel_sum_f64(x, n);
        return;
    }
    float *narrow = (float *)x; /* in place: element j is read before 4 j is written over */
    for (int64_t j = 0; j < n; j++) {
        float v = (float)x[j];
        memcpy(narrow + j, &v, sizeof v);
    }
    ((float *)sizes)[row] = m->indptr ? vel_sum_row_f32(narrow, n) : vel_sum_f32(narrow, n);
}

static void store_size(const sizes_job *job, int64_t i, double size) {
    if (job->m->type == VEL_F32)
        ((float *)job->sizes)[i] = (float)size;
    else
        ((double *)job->sizes)[i] = size;
}

/* SciPy multiplies a matrix stored by columns with ones. */
static double from_left(const vel_counts *m, int64_t i, const uint8_t *keep) {
    double sum = 0;
    for (int64_t e = m->indptr[i]; e < m->indptr[i + 1]; e++)
        if (!keep || keep[m->indices[e]]) sum = vel_rounded_to(m->type, sum + vel_counts_value(m, e));
    return sum;
}

static void whole_sparse_row(const sizes_job *job, int64_t i) {
    const vel_counts *m = job->m;
    int64_t a = m->indptr[i], n = m->indptr[i + 1] - a;
    if (m->type == VEL_F32)
        ((float *)job->sizes)[i] = vel_sum_row_f32((const float *)m->values + a, n);
    else
        ((double *)job->sizes)[i] = vel_sum_row_f64((const double *)m->values + a, n);
}

static void kept_sparse_row(const sizes_job *job, int64_t i, double *work) {
    const vel_counts *m = job->m;
    int64_t n = 0;
    for (int64_t e = m->indptr[i]; e < m->indptr[i + 1]; e++)
        if (job->keep[m->indices[e]]) work[n++] = vel_counts_value(m, e);
    store_sum(m, work, n, i, job->sizes);
}

/* Rows of a matrix stored by genes. */
static vel_err rows_across(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const sizes_job *job = arg;
    const vel_counts *m = job->m;
    int64_t first = item * job->run, left = m->rows - first, rows = vel_least(left, job->run);
    if (m->type == VEL_F64)
        job->raw[item] =
            vel_sum_across_f64((const double *)m->values + first, m->cols, m->rows, rows, (double *)job->sizes + first);
    else
        job->raw[item] =
            vel_sum_across_f32((const float *)m->values + first, m->cols, m->rows, rows, (float *)job->sizes + first);
    return VEL_OK;
}

static vel_err dense_rows(vel_ctx *ctx, const sizes_job *job, int64_t first, int64_t count) {
    const vel_counts *m = job->m;
    double *tile;
    VEL_TRY(VEL_ALLOC(ctx, tile, count * m->cols));
    vel_counts_tile(m, first, count, tile);
    for (int64_t i = 0; i < count; i++) {
        double *row = tile + i * m->cols;
        int64_t n = 0;
        for (int64_t j = 0; j < m->cols; j++)
            if (!job->keep || job->keep[j]) row[n++] = row[j];
        store_sum(m, row, n, first + i, job->sizes);
    }
    return VEL_OK;
}

static vel_err size_rows(vel_ctx *ctx, int64_t item, void *arg) {
    const sizes_job *job = arg;
    int64_t first = item * TILE_ROWS, left = job->m->rows - first, count = vel_least(left, TILE_ROWS);
    if (!job->m->indptr) return dense_rows(ctx, job, first, count);
    double *work = NULL;
    if (job->keep) VEL_TRY(VEL_ALLOC(ctx, work, job->m->cols));
    for (int64_t i = first; i < first + count; i++)
        if (job->m->by_columns)
            store_size(job, i, from_left(job->m, i, job->keep));
        else if (job->keep)
            kept_sparse_row(job, i, work);
        else
            whole_sparse_row(job, i);
    return VEL_OK;
}

vel_err vel_counts_sizes_of(vel_ctx *ctx, const vel_counts *m, const uint8_t *keep, void *sizes) {
    sizes_job job = {m, keep, sizes, 0, NULL};
    return vel_for(ctx, NULL, (m->rows + TILE_ROWS - 1) / TILE_ROWS, size_rows, &job);
}

vel_err vel_counts_survey(vel_ctx *ctx, const vel_counts *m, void *sizes, bool *raw) {
    sizes_job job = {m, NULL, sizes, rows_a_run(ctx, m->rows), NULL};
    *raw = false;
    if (m->indptr || !m->gene_major) return vel_counts_sizes_of(ctx, m, NULL, sizes);
    int64_t runs = (m->rows + job.run - 1) / job.run;
    VEL_TRY(VEL_ALLOC(ctx, job.raw, runs));
    VEL_TRY(vel_for(ctx, NULL, runs, rows_across, &job));
    *raw = !memchr(job.raw, 0, (size_t)runs);
    return VEL_OK;
}

vel_err vel_counts_sizes(vel_ctx *ctx, const vel_counts *m, void *sizes) {
    bool raw;
    return vel_counts_survey(ctx, m, sizes, &raw);
}

/* ---- genes */

typedef struct {
    const vel_counts *m;
    int64_t run; /* genes an item */
    double *sum;
    int64_t *positive;
} genes_job;

#define REAL float
#define NAME(x) x##_f32
#include "core/counts_body.h"

#define REAL double
#define NAME(x) x##_f64
#include "core/counts_body.h"

static vel_err sum_genes(vel_ctx *ctx, int64_t item, void *arg) {
    const genes_job *job = arg;
    const vel_counts *m = job->m;
    int64_t first = item * job->run, end = vel_least(first + job->run, m->cols);
    if (m->indptr || !m->gene_major) return (m->type == VEL_F32 ? sum_rows_f32 : sum_rows_f64)(ctx, job, first, end);
    (m->type == VEL_F32 ? sum_columns_f32 : sum_columns_f64)(job, first, end);
    return VEL_OK;
}

vel_err vel_counts_gene_sums(vel_ctx *ctx, const vel_counts *m, double *sum, int64_t *positive) {
    bool columns = !m->indptr && m->gene_major;
    genes_job job = {m, columns ? GENES_AT_ONCE : vel_counts_genes_a_run(ctx, m->cols), sum, positive};
    return vel_for(ctx, NULL, (m->cols + job.run - 1) / job.run, sum_genes, &job);
}
