#include "core/count_corr.h"

#include <math.h>

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

static void add(const corr_job *job, gene_sums *g, double x, double y) {
    vel_type t = job->m->type;
    g->sum = vel_rounded(t, g->sum + x);
    g->square = vel_rounded(t, g->square + vel_rounded(t, x * x));
    g->mean = vel_rounded(t, g->mean + vel_rounded(t, x * vel_rounded(t, 1.0 / (double)job->m->rows)));
    g->dot += x * y;
    g->shift += x * job->mean_seen;
}

static double correlation(const corr_job *job, const gene_sums *g) {
    vel_type t = job->m->type;
    double n = (double)job->m->rows;
    double above = g->dot - g->shift - g->mean * job->seen_rest;
    double spread = vel_rounded(t, g->square - vel_rounded(t, 2 * g->sum * g->mean));
    spread = vel_rounded(t, spread + vel_rounded(t, vel_rounded(t, n) * vel_rounded(t, g->mean * g->mean)));
    return rint(above / sqrt(spread * job->seen_spread) * 1e4) / 1e4;
}

static vel_err correlate(vel_ctx *ctx, int64_t item, void *arg) {
    const corr_job *job = arg;
    const vel_counts *m = job->m;
    int64_t first = item * GENES_A_RUN, end = first + GENES_A_RUN < m->cols ? first + GENES_A_RUN : m->cols;
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
