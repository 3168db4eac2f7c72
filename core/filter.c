#include "core/filter.h"

#include <string.h>

#include "core/least.h"
#include "core/par.h"
#include "core/tallies.h"

enum { TILE_ROWS = 32 };

void vel_filter_keep(const vel_bounds *b, vel_type type, int64_t n, const double *sum, const int64_t *positive,
                     uint8_t *keep) {
    double lo = vel_rounded_to(type, b->min_counts), hi = vel_rounded_to(type, b->max_counts);
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
    int64_t run; /* genes an item */
} shared_job;

#define REAL float
#define NAME(x) x##_f32
#include "core/filter_body.h"

#define REAL double
#define NAME(x) x##_f64
#include "core/filter_body.h"

static vel_err join_genes(vel_ctx *ctx, int64_t item, void *arg) {
    const shared_job *job = arg;
    int64_t first = item * job->run, end = vel_least(first + job->run, job->s->cols);
    if (job->s->indptr) return (job->type == VEL_F32 ? join_rows_f32 : join_rows_f64)(ctx, job, first, end);
    (job->type == VEL_F32 ? join_columns_f32 : join_columns_f64)(job, first, end);
    return VEL_OK;
}

static void add_shared(const shared_job *job, int64_t gene, double s, double u) {
    if (!(s > 0 && u > 0)) return;
    double both = vel_rounded_to(job->type, s + u);
    job->sum[gene] = vel_rounded_to(job->type, job->sum[gene] + both);
    job->positive[gene]++;
}

/* Matrices that differ in type or storage. */
static vel_err tiled_rows(vel_ctx *ctx, const shared_job *job) {
    int64_t n = job->s->rows, cols = job->s->cols;
    double *s, *u;
    VEL_TRY(VEL_ALLOC(ctx, s, TILE_ROWS * cols));
    VEL_TRY(VEL_ALLOC(ctx, u, TILE_ROWS * cols));
    for (int64_t first = 0; first < n; first += TILE_ROWS) {
        int64_t count = vel_least(n - first, TILE_ROWS);
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
    shared_job job = {s, u, sum, positive, s->type == VEL_F64 || u->type == VEL_F64 ? VEL_F64 : VEL_F32, 0};
    bool sparse = s->indptr && u->indptr, columns = !s->indptr && !u->indptr && s->gene_major && u->gene_major;
    *type = job.type;
    if (s->type == u->type && (sparse || columns)) {
        job.run = columns ? VEL_TALLY_GENES : vel_counts_genes_a_run(ctx, s->cols);
        return vel_for(ctx, NULL, (s->cols + job.run - 1) / job.run, join_genes, &job);
    }
    memset(sum, 0, (size_t)s->cols * sizeof *sum);
    memset(positive, 0, (size_t)s->cols * sizeof *positive);
    return tiled_rows(ctx, &job);
}
