#include "core/connectivity.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/fmath.h"
#include "core/least.h"
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
    int64_t first = item * ROWS_A_RUN, end = vel_least(first + ROWS_A_RUN, n);
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

vel_err vel_neighbors_distances(vel_ctx *ctx, const vel_neighbors *nb, const vel_distances_room *room) {
    entry *row;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, row, nb->k));
    int64_t at = 0;
    room->indptr[0] = 0;
    for (int64_t i = 0; i < nb->n; i++) {
        int64_t count = 0;
        for (int64_t e = i * nb->k; e < (i + 1) * nb->k; e++)
            if (nb->indices[e] != i) row[count++] = (entry){nb->indices[e], nb->distances[e]};
        sort_by_column(row, count);
        for (int64_t r = 0; r < count; r++, at++) {
            room->indices[at] = row[r].column;
            room->values[at] = row[r].value;
        }
        room->indptr[i + 1] = at;
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static float strength(float d, float sigma, float rho) {
    float beyond = d - rho;
    return beyond <= 0 || sigma == 0 ? 1 : vel_expf(-(beyond / sigma));
}

/* A_ie: how strongly entry e of row i of the distances ties. */
static float tie(const vel_ties *t, int64_t i, int64_t e) {
    return strength((float)((const double *)t->distances->values)[e], t->sigma[i], t->rho[i]);
}

/* The entry of row i with that column, which is there. */
static int64_t entry_of(const vel_csr *g, int64_t i, int32_t column) {
    int64_t low = g->indptr[i], high = g->indptr[i + 1] - 1;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (g->indices[mid] < column)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Who has point i among its neighbours, ascending: the pattern of A'. */
static vel_err turn(vel_ctx *ctx, const vel_csr *g, int64_t **indptr, int32_t **indices) {
    int64_t n = g->rows, *next;
    VEL_TRY(VEL_ZALLOC(ctx, next, n + 2));
    VEL_TRY(VEL_ALLOC(ctx, *indices, g->indptr[n]));
    for (int64_t e = 0; e < g->indptr[n]; e++) next[g->indices[e] + 2]++;
    for (int64_t i = 0; i < n; i++) next[i + 2] += next[i + 1];
    for (int64_t i = 0; i < n; i++) /* next[j + 1]: where row j goes on; its end when all is done */
        for (int64_t e = g->indptr[i]; e < g->indptr[i + 1]; e++) (*indices)[next[g->indices[e] + 1]++] = (int32_t)i;
    *indptr = next;
    return VEL_OK;
}

vel_err vel_ties_make(vel_ctx *ctx, const vel_csr *distances, const float *sigma, const float *rho, vel_ties *ties) {
    int64_t *indptr;
    int32_t *indices;
    VEL_TRY(turn(ctx, distances, &indptr, &indices));
    *ties = (vel_ties){distances, sigma, rho, indptr, indices};
    return VEL_OK;
}

/* The columns of row i in either direction. */
static int64_t count_row(const vel_ties *t, int64_t i) {
    const vel_csr *g = t->distances;
    int64_t p = g->indptr[i], p_end = g->indptr[i + 1], q = t->indptr[i], q_end = t->indptr[i + 1], count = 0;
    for (; p < p_end && q < q_end; count++) {
        int32_t x = g->indices[p], y = t->indices[q];
        p += x <= y;
        q += y <= x;
    }
    return count + (p_end - p) + (q_end - q);
}

void vel_ties_count(const vel_ties *ties, int64_t *indptr) {
    indptr[0] = 0;
    for (int64_t i = 0; i < ties->distances->rows; i++) indptr[i + 1] = indptr[i] + count_row(ties, i);
}

typedef struct {
    const vel_ties *ties;
    const vel_csr_room *room;
} union_job;

/* A row of A + A' - A o A', zeros among its values. */
static void unite_row(const vel_ties *t, int64_t i, const vel_csr_room *room) {
    const vel_csr *g = t->distances;
    int64_t p = g->indptr[i], p_end = g->indptr[i + 1], q = t->indptr[i], q_end = t->indptr[i + 1];
    for (int64_t at = room->indptr[i]; p < p_end || q < q_end; at++) {
        int32_t x = p < p_end ? g->indices[p] : INT32_MAX, y = q < q_end ? t->indices[q] : INT32_MAX;
        int32_t column = x < y ? x : y;
        float forth = 0, back = 0;
        if (x == column) forth = tie(t, i, p++);
        if (y == column) back = tie(t, y, entry_of(g, y, (int32_t)i)), q++;
        float both = forth * back;
        room->indices[at] = column;
        room->values[at] = (forth + back) - both;
    }
}

static vel_err unite_rows(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const union_job *job = arg;
    int64_t n = job->ties->distances->rows, first = item * ROWS_A_RUN;
    for (int64_t i = first; i < n && i < first + ROWS_A_RUN; i++) unite_row(job->ties, i, job->room);
    return VEL_OK;
}

static void drop_zeros(int64_t n, const vel_csr_room *room) {
    int64_t to = 0, begin = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t end = room->indptr[i + 1];
        for (int64_t e = begin; e < end; e++) {
            if (room->values[e] == 0) continue;
            room->indices[to] = room->indices[e];
            room->values[to++] = room->values[e];
        }
        room->indptr[i + 1] = to;
        begin = end;
    }
}

vel_err vel_ties_unite(vel_ctx *ctx, const vel_ties *ties, const vel_csr_room *room) {
    union_job job = {ties, room};
    int64_t n = ties->distances->rows;
    VEL_TRY(vel_for(ctx, NULL, (n + ROWS_A_RUN - 1) / ROWS_A_RUN, unite_rows, &job));
    drop_zeros(n, room);
    return VEL_OK;
}

vel_err vel_connectivity(vel_ctx *ctx, const vel_neighbors *nb, vel_csr *graph) {
    vel_distances_room d;
    vel_csr_room c;
    vel_ties ties;
    float *sigma, *rho;
    int64_t n = nb->n;
    VEL_TRY(VEL_ALLOC(ctx, sigma, n));
    VEL_TRY(VEL_ALLOC(ctx, rho, n));
    VEL_TRY(vel_connectivity_scales(ctx, nb, sigma, rho));
    VEL_TRY(VEL_ALLOC(ctx, d.indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, d.indices, n * nb->k));
    VEL_TRY(VEL_ALLOC(ctx, d.values, n * nb->k));
    VEL_TRY(vel_neighbors_distances(ctx, nb, &d));
    vel_csr distances = {n, n, d.indptr, d.indices, d.values, VEL_F64};
    VEL_TRY(vel_ties_make(ctx, &distances, sigma, rho, &ties));
    VEL_TRY(VEL_ALLOC(ctx, c.indptr, n + 1));
    vel_ties_count(&ties, c.indptr);
    VEL_TRY(VEL_ALLOC(ctx, c.indices, c.indptr[n]));
    VEL_TRY(VEL_ALLOC(ctx, c.values, c.indptr[n]));
    VEL_TRY(vel_ties_unite(ctx, &ties, &c));
    *graph = (vel_csr){n, n, c.indptr, c.indices, c.values, VEL_F32};
    return VEL_OK;
}
