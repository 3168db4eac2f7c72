#include "core/normalize.h"

#include <math.h>
#include <string.h>

#include "core/flaws.h"
#include "core/fmath.h"
#include "core/least.h"
#include "core/par.h"
#include "core/ratios.h"
#include "core/stats.h"

enum { ROWS_A_RUN = 256, GENES_A_RUN = 4, VALUES_A_RUN = 1 << 11 };

static double size_of(vel_sizes c, int64_t i) { return vel_real_at(c.type, c.values, i); }

static void set_size(vel_sizes c, int64_t i, double x) {
    if (c.type == VEL_F32)
        ((float *)c.values)[i] = (float)x;
    else
        ((double *)c.values)[i] = x;
}

void vel_normalize_factors(int64_t n, vel_sizes c, double target, double *work) {
    double m = target;
    if (!(target > 0))
        m = c.type == VEL_F32 ? (double)vel_median_f32(c.values, n, (float *)work) : vel_median_f64(c.values, n, work);
    m = vel_rounded_to(c.type, m);
    if (m == 0) m = 1;
    for (int64_t i = 0; i < n; i++) {
        double f = vel_rounded_to(c.type, size_of(c, i) / m);
        set_size(c, i, f == 0 ? 1 : f);
    }
}

/* ---- scaling */

typedef struct {
    const vel_counts *m;
    vel_sizes factors;
    const void *each; /* of matrices stored by genes: in their type, or in double */
    const vel_ratios *ratios;
    void *out;
} scale_job;

#define REAL float
#define NAME(x) x##_f32
#include "core/normalize_body.h"

#define REAL double
#define NAME(x) x##_f64
#include "core/normalize_body.h"

static vel_err scale_rows(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const scale_job *job = arg;
    int64_t first = item * ROWS_A_RUN, end = vel_least(first + ROWS_A_RUN, job->m->rows);
    for (int64_t i = first; i < end; i++) job->m->type == VEL_F32 ? scale_row_f32(job, i) : scale_row_f64(job, i);
    return VEL_OK;
}

static vel_err scale_genes(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const scale_job *job = arg;
    int64_t first = item * GENES_A_RUN, end = vel_least(first + GENES_A_RUN, job->m->cols);
    job->m->type == VEL_F32 ? scale_columns_f32(job, first, end) : scale_columns_f64(job, first, end);
    return VEL_OK;
}

/* Factors as doubles, unless they are already in the type of the matrix. */
static vel_err factors_of_each(vel_ctx *ctx, const vel_counts *m, vel_sizes factors, const void **each) {
    *each = factors.values;
    if (factors.type == m->type) return VEL_OK;
    double *wide;
    VEL_TRY(VEL_ALLOC(ctx, wide, m->rows));
    for (int64_t i = 0; i < m->rows; i++) wide[i] = size_of(factors, i);
    *each = wide;
    return VEL_OK;
}

vel_err vel_normalize_rows(vel_ctx *ctx, const vel_counts *m, vel_sizes factors, void *out) {
    scale_job job = {m, factors, NULL, vel_ratios_at(vel_cpu_level()), out};
    if (m->indptr || !m->gene_major)
        return vel_for(ctx, NULL, (m->rows + ROWS_A_RUN - 1) / ROWS_A_RUN, scale_rows, &job);
    VEL_TRY(factors_of_each(ctx, m, factors, &job.each));
    return vel_for(ctx, NULL, (m->cols + GENES_A_RUN - 1) / GENES_A_RUN, scale_genes, &job);
}

/* ---- genes that dominate a cell */

static void mark_dominant(const vel_counts *m, const double *limit, uint8_t *keep) {
    int64_t n = vel_counts_stored(m), row = 0;
    for (int64_t e = 0; e < n; e++) {
        if (m->indptr)
            while (e >= m->indptr[row + 1]) row++;
        int64_t i = m->indptr ? row : m->gene_major ? e % m->rows : e / m->cols;
        int64_t j = m->indptr ? m->indices[e] : m->gene_major ? e / m->rows : e % m->cols;
        if (!(vel_counts_value(m, e) <= limit[i])) keep[j] = 0;
    }
}

vel_err vel_normalize_modest(vel_ctx *ctx, const vel_counts *m, vel_sizes c, double p, uint8_t *keep) {
    double *limit;
    VEL_TRY(VEL_ALLOC(ctx, limit, m->rows));
    for (int64_t i = 0; i < m->rows; i++) limit[i] = vel_rounded_to(c.type, size_of(c, i) * vel_rounded_to(c.type, p));
    memset(keep, 1, (size_t)m->cols);
    mark_dominant(m, limit, keep);
    return VEL_OK;
}

/* ---- log1p */

typedef struct {
    vel_type type;
    int64_t n;
    void *x;
    double base;
    uint8_t *odd; /* of each run: something in it is not finite now */
} log_job;

static vel_err log_run(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const log_job *job = arg;
    int64_t first = item * VALUES_A_RUN, n = vel_least(job->n - first, VALUES_A_RUN);
    double unit = job->base > 0 ? vel_log(job->base) : 1;
    if (job->type == VEL_F32) {
        float *x = (float *)job->x + first;
        vel_log1pf_n(n, x, x);
        for (int64_t e = 0; e < n && unit != 1; e++) x[e] = (float)((double)x[e] / unit);
        job->odd[item] = !vel_all_finite(job->type, x, n);
    } else {
        double *x = (double *)job->x + first;
        vel_log1p_n(n, x, x);
        for (int64_t e = 0; e < n && unit != 1; e++) x[e] /= unit;
        job->odd[item] = !vel_all_finite(job->type, x, n);
    }
    return VEL_OK;
}

vel_err vel_normalize_log1p(vel_ctx *ctx, vel_type type, int64_t n, void *x, double base, bool *finite) {
    int64_t runs = (n + VALUES_A_RUN - 1) / VALUES_A_RUN;
    log_job job = {type, n, x, base, NULL};
    VEL_TRY(VEL_ZALLOC(ctx, job.odd, runs));
    VEL_TRY(vel_for(ctx, NULL, runs, log_run, &job));
    *finite = runs == 0 || !memchr(job.odd, 1, (size_t)runs);
    return VEL_OK;
}
