#include "core/connectivity.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/fmath.h"
#include "core/par.h"

enum { ROWS_A_RUN = 128, ITERATIONS = 64 };
static const double tolerance = 1e-5, least_scale = 1e-3; /* umap: SMOOTH_K_TOLERANCE, MIN_K_DIST_SCALE */

/* ---- sigma and rho */

typedef struct {
    const vel_neighbors *nb;
    double target; /* log2 k */
    float mean;    /* of all distances */
    float *sigma, *rho;
} scales_job;

/* A single-precision sum in order, divided in double. numba leaves a row's mean there, in its parallel loop, and rounds
 * that of all distances, outside of it, to single precision. */
static double mean_of(const double *d, int64_t n) {
    float sum = 0;
    for (int64_t e = 0; e < n; e++) sum += (float)d[e];
    return (double)sum / (double)n;
}

static float first_positive(const double *d, int64_t k) {
    for (int64_t r = 0; r < k; r++)
        if ((float)d[r] > 0) return (float)d[r];
    return 0;
}

/* The sum of strengths at scale mid; gap[n] holds distances beyond rho. */
static double membership(const double *gap, int64_t n, double mid, double *work) {
    for (int64_t r = 0; r < n; r++) work[r] = -(gap[r] / mid);
    vel_exp_n(n, work, work);
    double sum = 0;
    for (int64_t r = 0; r < n; r++) sum += gap[r] > 0 ? work[r] : 1.0;
    return sum;
}

static double bisect(const double *gap, int64_t n, double target, double *work) {
    double low = 0, high = FLT_MAX, mid = 1;
    for (int i = 0; i < ITERATIONS; i++) {
        double sum = membership(gap, n, mid, work);
        if (fabs(sum - target) < tolerance) break;
        if (sum > target) {
            high = mid;
            mid = (low + high) / 2;
        } else {
            low = mid;
            mid = high >= FLT_MAX ? 2 * mid : (low + high) / 2;
        }
    }
    return mid;
}

static vel_err scale_rows(vel_ctx *ctx, int64_t item, void *arg) {
    const scales_job *job = arg;
    int64_t n = job->nb->n, k = job->nb->k;
    int64_t first = item * ROWS_A_RUN, end = first + ROWS_A_RUN < n ? first + ROWS_A_RUN : n;
    double *gap, *work;
    VEL_TRY(VEL_ALLOC(ctx, gap, k));
    VEL_TRY(VEL_ALLOC(ctx, work, k));
    for (int64_t i = first; i < end; i++) {
        const double *d = job->nb->distances + i * k;
        float rho = first_positive(d, k);
        for (int64_t r = 1; r < k; r++) gap[r - 1] = (double)((float)d[r] - rho);
        float sigma = (float)bisect(gap, k - 1, job->target, work);
        double floor = least_scale * (rho > 0 ? mean_of(d, k) : (double)job->mean);
        if ((double)sigma < floor) sigma = (float)floor;
        job->sigma[i] = sigma;
        job->rho[i] = rho;
    }
    return VEL_OK;
}

vel_err vel_connectivity_scales(vel_ctx *ctx, const vel_neighbors *nb, float *sigma, float *rho) {
    scales_job job = {nb, log2((double)nb->k), (float)mean_of(nb->distances, nb->n * nb->k), sigma, rho};
    return vel_for(ctx, "connectivities", (nb->n + ROWS_A_RUN - 1) / ROWS_A_RUN, scale_rows, &job);
}

/* ---- the graphs */

typedef struct {
    int32_t column;
    double value;
} entry;

/* Insertion sort: rows are short and nearly never sorted. */
static void sort_by_column(entry *row, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        entry x = row[i];
        int64_t j = i;
        for (; j > 0 && row[j - 1].column > x.column; j--) row[j] = row[j - 1];
        row[j] = x;
    }
}

typedef struct {
    int64_t *indptr;
    int32_t *indices;
    void *values;
} parts;

static vel_err make_parts(vel_ctx *ctx, int64_t n, int64_t stored, size_t value_size, parts *p) {
    VEL_TRY(VEL_ALLOC(ctx, p->indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, p->indices, stored));
    p->values = vel_arena_alloc(ctx->scratch, (size_t)stored, value_size);
    p->indptr[0] = 0;
    return p->values ? VEL_OK : vel_no_memory(ctx, (size_t)stored, value_size);
}

vel_err vel_neighbors_distances(vel_ctx *ctx, const vel_neighbors *nb, vel_csr *graph) {
    parts p;
    entry *row;
    VEL_TRY(make_parts(ctx, nb->n, nb->n * nb->k, sizeof(double), &p));
    VEL_TRY(VEL_ALLOC(ctx, row, nb->k));
    int64_t at = 0;
    for (int64_t i = 0; i < nb->n; i++) {
        int64_t count = 0;
        for (int64_t e = i * nb->k; e < (i + 1) * nb->k; e++)
            if (nb->indices[e] != i) row[count++] = (entry){nb->indices[e], nb->distances[e]};
        sort_by_column(row, count);
        for (int64_t r = 0; r < count; r++, at++) {
            p.indices[at] = row[r].column;
            ((double *)p.values)[at] = row[r].value;
        }
        p.indptr[i + 1] = at;
    }
    *graph = (vel_csr){nb->n, nb->n, p.indptr, p.indices, p.values, VEL_F64};
    return VEL_OK;
}

static float strength(float d, float sigma, float rho) {
    float beyond = d - rho;
    return beyond <= 0 || sigma == 0 ? 1 : vel_expf(-(beyond / sigma));
}

/* A: directed strengths, columns ascending, without the points themselves and without zeros. */
static vel_err directed(vel_ctx *ctx, const vel_neighbors *nb, parts *a) {
    float *sigma, *rho;
    entry *row;
    VEL_TRY(VEL_ALLOC(ctx, sigma, nb->n));
    VEL_TRY(VEL_ALLOC(ctx, rho, nb->n));
    VEL_TRY(VEL_ALLOC(ctx, row, nb->k));
    VEL_TRY(vel_connectivity_scales(ctx, nb, sigma, rho));
    VEL_TRY(make_parts(ctx, nb->n, nb->n * nb->k, sizeof(float), a));
    int64_t at = 0;
    for (int64_t i = 0; i < nb->n; i++) {
        int64_t count = 0;
        for (int64_t e = i * nb->k; e < (i + 1) * nb->k; e++) {
            if (nb->indices[e] == i) continue;
            float s = strength((float)nb->distances[e], sigma[i], rho[i]);
            if (s != 0) row[count++] = (entry){nb->indices[e], s};
        }
        sort_by_column(row, count);
        for (int64_t r = 0; r < count; r++, at++) {
            a->indices[at] = row[r].column;
            ((float *)a->values)[at] = (float)row[r].value;
        }
        a->indptr[i + 1] = at;
    }
    return VEL_OK;
}

/* t = a'. Rows of t come out with ascending columns. */
static vel_err transpose(vel_ctx *ctx, int64_t n, const parts *a, parts *t) {
    int64_t *next;
    VEL_TRY(VEL_ZALLOC(ctx, next, n + 1));
    VEL_TRY(make_parts(ctx, n, a->indptr[n], sizeof(float), t));
    for (int64_t e = 0; e < a->indptr[n]; e++) next[a->indices[e] + 1]++;
    for (int64_t i = 0; i < n; i++) next[i + 1] += next[i];
    memcpy(t->indptr, next, (size_t)(n + 1) * sizeof *next);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = a->indptr[i]; e < a->indptr[i + 1]; e++) {
            int64_t to = next[a->indices[e]]++;
            t->indices[to] = (int32_t)i;
            ((float *)t->values)[to] = ((const float *)a->values)[e];
        }
    return VEL_OK;
}

/* Row i of a + t - a o t; returns the place after it. */
static int64_t unite_row(const parts *a, const parts *t, int64_t i, int64_t at, const parts *c) {
    const float *av = a->values, *tv = t->values;
    int64_t p = a->indptr[i], p_end = a->indptr[i + 1], q = t->indptr[i], q_end = t->indptr[i + 1];
    while (p < p_end || q < q_end) {
        int32_t x = p < p_end ? a->indices[p] : INT32_MAX, y = q < q_end ? t->indices[q] : INT32_MAX;
        int32_t column = x < y ? x : y;
        float forth = x == column ? av[p++] : 0, back = y == column ? tv[q++] : 0;
        float both = forth * back, value = (forth + back) - both;
        if (value == 0) continue;
        c->indices[at] = column;
        ((float *)c->values)[at++] = value;
    }
    return at;
}

vel_err vel_connectivity(vel_ctx *ctx, const vel_neighbors *nb, vel_csr *graph) {
    parts a, t, c;
    VEL_TRY(directed(ctx, nb, &a));
    VEL_TRY(transpose(ctx, nb->n, &a, &t));
    VEL_TRY(make_parts(ctx, nb->n, 2 * a.indptr[nb->n], sizeof(float), &c));
    for (int64_t i = 0; i < nb->n; i++) c.indptr[i + 1] = unite_row(&a, &t, i, c.indptr[i], &c);
    *graph = (vel_csr){nb->n, nb->n, c.indptr, c.indices, c.values, VEL_F32};
    return VEL_OK;
}
