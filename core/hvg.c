#include "core/hvg.h"

#include <math.h>
#include <string.h>

#include "core/fmath.h"
#include "core/par.h"
#include "core/stats.h"

enum { GENES_A_RUN = 128, CHUNK = 128 };

/* ---- means and variances of expm1(x) */

typedef struct {
    const vel_counts *m;
    double scale; /* log(base), 1 for natural logarithms */
    double *sum, *square;
} moments_job;

/* y[count] = expm1 of stored values from e on. */
static void expand(const moments_job *job, int64_t e, int64_t count, double *y) {
    vel_type type = job->m->type;
    for (int64_t i = 0; i < count; i++) {
        y[i] = vel_counts_value(job->m, e + i);
        if (job->scale != 1) y[i] = vel_rounded(type, y[i] * job->scale);
    }
    if (type == VEL_F64) {
        vel_expm1_n(count, y, y);
        return;
    }
    float narrow[CHUNK];
    for (int64_t i = 0; i < count; i++) narrow[i] = (float)y[i];
    vel_expm1f_n(count, narrow, narrow);
    for (int64_t i = 0; i < count; i++) y[i] = (double)narrow[i];
}

static inline void add(const moments_job *job, int64_t gene, double y) {
    job->sum[gene] += y;
    job->square[gene] += job->m->by_columns ? y * y : vel_rounded(job->m->type, y * y);
}

/* Stored values [from, to), which belong to genes gene, gene + step, …, or to those of the indices. */
static void add_run(const moments_job *job, int64_t from, int64_t to, int64_t gene, int64_t step) {
    const int32_t *indices = job->m->indices;
    for (int64_t e = from; e < to; e += CHUNK) {
        double y[CHUNK];
        int64_t count = to - e < CHUNK ? to - e : CHUNK;
        expand(job, e, count, y);
        for (int64_t i = 0; i < count; i++) add(job, indices ? indices[e + i] : gene + step * (e - from + i), y[i]);
    }
}

static vel_err add_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const moments_job *job = arg;
    const vel_counts *m = job->m;
    int64_t first = item * GENES_A_RUN, end = first + GENES_A_RUN < m->cols ? first + GENES_A_RUN : m->cols;
    memset(job->sum + first, 0, (size_t)(end - first) * sizeof(double));
    memset(job->square + first, 0, (size_t)(end - first) * sizeof(double));
    if (!m->indptr && m->gene_major) {
        for (int64_t j = first; j < end; j++) add_run(job, j * m->rows, (j + 1) * m->rows, j, 0);
        return VEL_OK;
    }
    for (int64_t i = 0; i < m->rows; i++) {
        int64_t from = i * m->cols + first, to = i * m->cols + end;
        if (m->indptr) vel_counts_range(m, i, first, end, &from, &to);
        add_run(job, from, to, first, 1);
    }
    return VEL_OK;
}

vel_err vel_hvg_moments(vel_ctx *ctx, const vel_counts *m, double log_base, double *mean, double *var) {
    moments_job job = {m, log_base > 0 ? vel_log(log_base) : 1, mean, var};
    VEL_TRY(vel_for(ctx, "highly variable genes", (m->cols + GENES_A_RUN - 1) / GENES_A_RUN, add_genes, &job));
    double n = (double)m->rows;
    for (int64_t g = 0; g < m->cols; g++) {
        mean[g] /= n;
        var[g] = var[g] / n - mean[g] * mean[g];
        if (m->rows > 1) var[g] *= n / (n - 1);
    }
    return VEL_OK;
}

void vel_hvg_dispersion(int64_t n, double *mean, double *var) {
    for (int64_t g = 0; g < n; g++) {
        if (mean[g] == 0) mean[g] = 1e-12;
        double d = var[g] / mean[g];
        var[g] = d == 0 ? NAN : vel_log(d);
        mean[g] = vel_log1p(mean[g]);
    }
}

/* ---- dispersions compared within bins of mean */

/* pandas.cut: n_bins + 1 edges at equal distances, the lowest moved down by 0.1 % of the range. */
static void bin_edges(int64_t n, const double *mean, int n_bins, double *edge) {
    double low = mean[0], high = mean[0];
    for (int64_t g = 1; g < n; g++) {
        low = fmin(low, mean[g]);
        high = fmax(high, mean[g]);
    }
    bool flat = low == high;
    if (flat) {
        double margin = low != 0 ? 0.001 * fabs(low) : 0.001;
        low -= margin;
        high += margin;
    }
    double step = (high - low) / n_bins;
    for (int k = 0; k < n_bins; k++) edge[k] = k * step + low;
    edge[n_bins] = high;
    if (!flat) edge[0] -= (high - low) * 0.001;
}

/* The bin (edge[b], edge[b + 1]] that x lies in. */
static int bin_of(double x, int n_bins, const double *edge) {
    int b = 0;
    while (b < n_bins - 1 && edge[b + 1] < x) b++;
    return b;
}

typedef struct {
    int64_t count;
    double sum, lost;       /* Kahan's, for the average */
    double running, square; /* Welford's, for the deviation */
} bin;

static void put_in_bin(bin *b, double x) {
    b->count++;
    double y = x - b->lost, t = b->sum + y;
    b->lost = t - b->sum - y;
    b->sum = t;
    double old = b->running;
    b->running += (x - old) / (double)b->count;
    b->square += (x - b->running) * (x - old);
}

vel_err vel_hvg_normalize(vel_ctx *ctx, int64_t n, const double *mean, const double *dispersion, int n_bins,
                          double *norm) {
    double *edge;
    bin *bins;
    VEL_TRY(VEL_ALLOC(ctx, edge, n_bins + 1));
    VEL_TRY(VEL_ZALLOC(ctx, bins, n_bins));
    bin_edges(n, mean, n_bins, edge);
    for (int64_t g = 0; g < n; g++)
        if (!isnan(dispersion[g])) put_in_bin(&bins[bin_of(mean[g], n_bins, edge)], dispersion[g]);
    for (int64_t g = 0; g < n; g++) {
        const bin *b = &bins[bin_of(mean[g], n_bins, edge)];
        double avg = b->sum / (double)b->count, dev = sqrt(b->square / (double)(b->count - 1));
        bool alone = b->count < 2; /* then norm is 1 */
        norm[g] = alone ? dispersion[g] / avg : (dispersion[g] - avg) / dev;
    }
    return VEL_OK;
}

/* ---- choice */

void vel_hvg_within(int64_t n, const double *mean, const double *norm, const vel_hvg_limits *limits, uint8_t *chosen) {
    for (int64_t g = 0; g < n; g++) {
        double d = isnan(norm[g]) ? 0 : norm[g];
        chosen[g] =
            limits->min_mean < mean[g] && mean[g] < limits->max_mean && limits->min_disp < d && d < limits->max_disp;
    }
}

vel_err vel_hvg_top(vel_ctx *ctx, int64_t n, const double *norm, int64_t top, uint8_t *chosen) {
    double *sorted;
    VEL_TRY(VEL_ALLOC(ctx, sorted, n));
    int64_t finite = 0;
    for (int64_t g = 0; g < n; g++)
        if (!isnan(norm[g])) sorted[finite++] = norm[g];
    vel_sort_f64(sorted, finite);
    if (top > finite) top = finite;
    double cut = top > 0 ? sorted[finite - top] : INFINITY;
    for (int64_t g = 0; g < n; g++) chosen[g] = norm[g] >= cut;
    return VEL_OK;
}

vel_err vel_hvg_exactly(vel_ctx *ctx, int64_t n, const double *norm, int64_t top, uint8_t *chosen) {
    double *key;
    int64_t *order, *work;
    VEL_TRY(VEL_ALLOC(ctx, key, n));
    VEL_TRY(VEL_ALLOC(ctx, order, n));
    VEL_TRY(VEL_ALLOC(ctx, work, n));
    for (int64_t g = 0; g < n; g++) key[g] = -norm[g];
    vel_argsort_f64(key, n, order, work);
    memset(chosen, 0, (size_t)n);
    for (int64_t r = 0; r < n && r < top; r++) chosen[order[r]] = 1;
    return VEL_OK;
}
