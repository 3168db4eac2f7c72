#include "core/hvg.h"

#include <math.h>
#include <string.h>

#include "core/fmath.h"
#include "core/least.h"
#include "core/par.h"
#include "core/stats.h"

enum { GENES_AT_ONCE = 4, CHUNK = 128 };

/* ---- means and variances of expm1(x) */

typedef struct {
    const vel_counts *m;
    double scale; /* log(base), 1 for natural logarithms */
    int64_t run;  /* genes an item */
    double *sum, *square;
} moments_job;

/* Of one gene over the cells so far: of values, and of squares. One vector, so that both go on together. */
typedef double sums __attribute__((vector_size(16)));

static void put(const moments_job *job, int64_t gene, sums of) {
    job->sum[gene] = of[0];
    job->square[gene] = of[1];
}

/* of + {y, y^2} of the values at y, 16 bytes of them, one after the other; squares are rounded to the type. */
static inline sums with_next_f64(sums of, const double *y) {
    typedef double pair __attribute__((vector_size(16)));
    pair v, squares;
    memcpy(&v, y, sizeof v);
    squares = v * v;
    of += __builtin_shufflevector(v, squares, 0, 2);
    return of + __builtin_shufflevector(v, squares, 1, 3);
}

static inline sums with_next_f32(sums of, const float *y) {
    typedef float quad __attribute__((vector_size(16)));
    quad v, squares;
    memcpy(&v, y, sizeof v);
    squares = v * v;
    of += __builtin_convertvector(__builtin_shufflevector(v, squares, 0, 4), sums);
    of += __builtin_convertvector(__builtin_shufflevector(v, squares, 1, 5), sums);
    of += __builtin_convertvector(__builtin_shufflevector(v, squares, 2, 6), sums);
    return of + __builtin_convertvector(__builtin_shufflevector(v, squares, 3, 7), sums);
}

#define REAL float
#define EXPM1_N vel_expm1f_n
#define NAME(x) x##_f32
#include "core/hvg_body.h"

#define REAL double
#define EXPM1_N vel_expm1_n
#define NAME(x) x##_f64
#include "core/hvg_body.h"

static vel_err add_columns(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const moments_job *job = arg;
    int64_t first = item * job->run, left = job->m->cols - first, count = vel_least(left, job->run);
    (job->m->type == VEL_F32 ? add_columns_f32 : add_columns_f64)(job, first, count);
    return VEL_OK;
}

static vel_err add_rows(vel_ctx *ctx, int64_t item, void *arg) {
    const moments_job *job = arg;
    const vel_counts *m = job->m;
    int64_t first = item * job->run, end = vel_least(first + job->run, m->cols);
    sums *of;
    VEL_TRY(VEL_ZALLOC(ctx, of, end - first));
    for (int64_t i = 0; i < m->rows; i++) {
        int64_t from = i * m->cols + first, to = i * m->cols + end;
        if (m->indptr) vel_counts_range(m, i, first, end, &from, &to);
        (m->type == VEL_F32 ? add_run_f32 : add_run_f64)(job, from, to, first, of);
    }
    for (int64_t g = first; g < end; g++) put(job, g, of[g - first]);
    return VEL_OK;
}

vel_err vel_hvg_moments(vel_ctx *ctx, const vel_counts *m, double log_base, double *mean, double *var) {
    bool columns = !m->indptr && m->gene_major;
    int64_t run = columns ? GENES_AT_ONCE : vel_counts_genes_a_run(ctx, m->cols);
    moments_job job = {m, log_base > 0 ? vel_log(log_base) : 1, run, mean, var};
    VEL_TRY(vel_for(ctx, "highly variable genes", (m->cols + run - 1) / run, columns ? add_columns : add_rows, &job));
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
        if (mean[g] == 0) mean[g] = 1e-12; /* scanpy's, lest it divide by 0 */
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
