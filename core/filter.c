#include "core/filter.h"

#include <string.h>

#include "core/par.h"

enum { GENES_A_RUN = 512, TILE_ROWS = 32 };

void vel_filter_keep(const vel_bounds *b, vel_type type, int64_t n, const double *sum, const int64_t *positive,
                     uint8_t *keep) {
    double lo = vel_rounded(type, b->min_counts), hi = vel_rounded(type, b->max_counts);
    for (int64_t g = 0; g < n; g++) {
        bool counts = lo <= sum[g] && sum[g] <= hi;
        bool cells = b->min_cells <= (double)positive[g] && (double)positive[g] <= b->max_cells;
        keep[g] &= counts && cells;
    }
}

typedef struct {
    const vel_counts *s, *u;
    double *sum;
    int64_t *positive;
    vel_type type;
} shared_job;

static inline void add_shared(const shared_job *job, int64_t gene, double s, double u) {
    if (!(s > 0 && u > 0)) return;
    double both = vel_rounded(job->type, s + u);
    job->sum[gene] = vel_rounded(job->type, job->sum[gene] + both);
    job->positive[gene]++;
}

static vel_err merge_rows(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const shared_job *job = arg;
    const vel_counts *s = job->s, *u = job->u;
    int64_t first = item * GENES_A_RUN, end = first + GENES_A_RUN < s->cols ? first + GENES_A_RUN : s->cols;
    for (int64_t i = 0; i < s->rows; i++) {
        int64_t a, a_end, b, b_end;
        vel_counts_range(s, i, first, end, &a, &a_end);
        vel_counts_range(u, i, first, end, &b, &b_end);
        while (a < a_end && b < b_end) {
            int32_t p = s->indices[a], q = u->indices[b];
            if (p == q) add_shared(job, p, vel_counts_value(s, a), vel_counts_value(u, b));
            a += p <= q;
            b += q <= p;
        }
    }
    return VEL_OK;
}

/* One gene of two matrices stored by genes. */
static vel_err merge_genes(vel_ctx *ctx, int64_t gene, void *arg) {
    (void)ctx;
    const shared_job *job = arg;
    const vel_counts *s = job->s, *u = job->u;
    double sum = 0;
    int64_t positive = 0, at = gene * s->rows;
    for (int64_t e = at; e < at + s->rows; e++) {
        double x = vel_counts_value(s, e), y = vel_counts_value(u, e);
        bool both = (x > 0) & (y > 0);
        sum = vel_rounded(job->type, sum + (both ? vel_rounded(job->type, x + y) : 0));
        positive += both;
    }
    job->sum[gene] = sum;
    job->positive[gene] = positive;
    return VEL_OK;
}

static vel_err tiled_rows(vel_ctx *ctx, const shared_job *job) {
    int64_t n = job->s->rows, cols = job->s->cols;
    double *s, *u;
    VEL_TRY(VEL_ALLOC(ctx, s, TILE_ROWS * cols));
    VEL_TRY(VEL_ALLOC(ctx, u, TILE_ROWS * cols));
    for (int64_t first = 0; first < n; first += TILE_ROWS) {
        int64_t count = n - first < TILE_ROWS ? n - first : TILE_ROWS;
        vel_counts_tile(job->s, first, count, s);
        vel_counts_tile(job->u, first, count, u);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < cols; j++) add_shared(job, j, s[i * cols + j], u[i * cols + j]);
        VEL_TRY(vel_poll(ctx));
    }
    return VEL_OK;
}

vel_err vel_filter_shared(vel_ctx *ctx, const vel_counts *s, const vel_counts *u, double *sum, int64_t *positive,
                          vel_type *type) {
    shared_job job = {s, u, sum, positive, s->type == VEL_F64 || u->type == VEL_F64 ? VEL_F64 : VEL_F32};
    *type = job.type;
    memset(sum, 0, (size_t)s->cols * sizeof *sum);
    memset(positive, 0, (size_t)s->cols * sizeof *positive);
    if (s->indptr && u->indptr) return vel_for(ctx, NULL, (s->cols + GENES_A_RUN - 1) / GENES_A_RUN, merge_rows, &job);
    if (!s->indptr && !u->indptr && s->gene_major && u->gene_major)
        return vel_for(ctx, NULL, s->cols, merge_genes, &job);
    return tiled_rows(ctx, &job);
}
