#include "core/count_corr.h"

#include <math.h>

#include "core/least.h"
#include "core/par.h"
#include "core/sum.h"

enum { GENES_A_RUN = 256 };

typedef struct {
    double sum, square, mean; /* of x, rounded to its type */
    double dot, shift;        /* sum of x y, sum of x mean_y */
} gene_sums;

typedef struct {
    const vel_counts *m;
    double *seen; /* genes seen in each cell: y */
    double mean_seen, seen_rest, seen_spread;
    double *corr;
} corr_job;

static void count_seen(const vel_counts *m, double *seen) {
    int64_t n = vel_counts_stored(m), row = 0;
    for (int64_t i = 0; i < m->rows; i++) seen[i] = 0;
    for (int64_t e = 0; e < n; e++) {
        if (m->indptr)
            while (e >= m->indptr[row + 1]) row++;
        int64_t i = m->indptr ? row : m->gene_major ? e % m->rows : e / m->cols;
        seen[i] += vel_counts_value(m, e) > 0;
    }
}

/* In the arithmetic of single precision itself: doubles that are rounded on the way are vectorised wrongly by GCC 12.
 */
static void add_f32(const corr_job *job, gene_sums *g, float x) {
    g->sum = (double)((float)g->sum + x);
    g->square = (double)((float)g->square + x * x);
    g->mean = (double)((float)g->mean + x * (float)(1.0 / (double)job->m->rows));
}

static void add(const corr_job *job, gene_sums *g, double x, double y) {
    if (job->m->type == VEL_F32) {
        add_f32(job, g, (float)x);
    } else {
        g->sum += x;
        g->square += x * x;
        g->mean += x * (1.0 / (double)job->m->rows);
    }
    g->dot += x * y;
    g->shift += x * job->mean_seen;
}

static double spread_f32(float n, float sum, float square, float mean) {
    return (double)((square - 2 * sum * mean) + n * (mean * mean));
}

static double spread_f64(double n, double sum, double square, double mean) {
    return (square - 2 * sum * mean) + n * (mean * mean);
}

static double correlation(const corr_job *job, const gene_sums *g) {
    double n = (double)job->m->rows;
    double above = g->dot - g->shift - g->mean * job->seen_rest;
    double spread = job->m->type == VEL_F32 ? spread_f32((float)n, (float)g->sum, (float)g->square, (float)g->mean)
                                            : spread_f64(n, g->sum, g->square, g->mean);
    return rint(above / sqrt(spread * job->seen_spread) * 1e4) / 1e4;
}

static vel_err correlate(vel_ctx *ctx, int64_t item, void *arg) {
    const corr_job *job = arg;
    const vel_counts *m = job->m;
    int64_t first = item * GENES_A_RUN, end = vel_least(first + GENES_A_RUN, m->cols);
    gene_sums *sums;
    VEL_TRY(VEL_ZALLOC(ctx, sums, end - first));
    for (int64_t i = 0; i < m->rows; i++) {
        int64_t from = 0, to = end - first;
        if (m->indptr) vel_counts_range(m, i, first, end, &from, &to);
        for (int64_t k = from; k < to; k++) {
            int64_t j = m->indptr ? m->indices[k] : first + k;
            int64_t e = m->indptr ? k : m->gene_major ? j * m->rows + i : i * m->cols + j;
            add(job, &sums[j - first], vel_counts_value(m, e), job->seen[i]);
        }
    }
    for (int64_t j = first; j < end; j++) job->corr[j] = correlation(job, &sums[j - first]);
    return VEL_OK;
}

vel_err vel_count_corr(vel_ctx *ctx, const vel_counts *m, double *corr) {
    corr_job job = {.m = m, .corr = corr};
    VEL_TRY(VEL_ALLOC(ctx, job.seen, m->rows));
    count_seen(m, job.seen);
    double n = (double)m->rows, sum = 0, square = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        sum += job.seen[i];
        square += job.seen[i] * job.seen[i];
    }
    job.mean_seen = sum / n;
    double *rest;
    VEL_TRY(VEL_ALLOC(ctx, rest, m->rows));
    for (int64_t i = 0; i < m->rows; i++) rest[i] = job.seen[i] - job.mean_seen;
    job.seen_rest = vel_sum_f64(rest, m->rows);
    job.seen_spread = square - 2 * (sum * job.mean_seen) + n * (job.mean_seen * job.mean_seen);
    return vel_for(ctx, NULL, (m->cols + GENES_A_RUN - 1) / GENES_A_RUN, correlate, &job);
}
