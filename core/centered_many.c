#include "core/centered_many.h"

#include <string.h>

#include "core/least.h"
#include "core/par.h"
#include "core/tile_product.h"
#include "core/weighted.h"

typedef struct {
    const vel_centered_many *many;
    int64_t first, count;       /* cells */
    double *y;                  /* count x k */
    vel_weighted_add *add;      /* sparse m */
    vel_tile_product *multiply; /* dense m */
} many_job;

enum { AT_ONCE = VEL_WEIGHTED_ROWS, CELLS_AT_ONCE = 64, GENES_AT_ONCE = 32 };

static int at_once(int64_t left) { return left < AT_ONCE ? (int)left : AT_ONCE; }

static void add_sparse_row(const many_job *job, int64_t i, double *y) {
    const vel_counts *m = job->many->c->m;
    int64_t k = job->many->k;
    for (int64_t e = m->indptr[i], end = m->indptr[i + 1]; e < end; e += AT_ONCE) {
        const double *v[AT_ONCE];
        double x[AT_ONCE];
        int some = at_once(end - e);
        for (int r = 0; r < some; r++) {
            x[r] = vel_counts_value(m, e + r);
            v[r] = job->many->v + m->indices[e + r] * k;
        }
        job->add(some, x, v, k, y);
    }
}

/* Rows first .. first + count - 1 of a dense m. Not by OpenBLAS, whose code for it would be a good part of what the
 * scores of few genes take. */
static vel_err dense_rows(vel_ctx *ctx, const many_job *job, int64_t first, int64_t count, double *y) {
    const vel_centered *c = job->many->c;
    int64_t k = job->many->k;
    double *tile, *turned; /* genes x cells; k x cells */
    VEL_TRY(VEL_ALLOC(ctx, tile, GENES_AT_ONCE * count));
    VEL_TRY(VEL_ZALLOC(ctx, turned, k * count));
    for (int64_t g = 0; g < c->n_genes; g += GENES_AT_ONCE) {
        int64_t genes = vel_least(c->n_genes - g, GENES_AT_ONCE);
        for (int64_t r = 0; r < genes; r++) vel_centered_column(c, g + r, first, count, tile + r * count);
        job->multiply(&(vel_tile){genes, count, k, tile, job->many->v + g * k, turned});
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < k; j++) y[i * k + j] = turned[j * count + i];
    return VEL_OK;
}

static vel_err apply_many(vel_ctx *ctx, int64_t item, void *arg) {
    const many_job *job = arg;
    const vel_centered_many *many = job->many;
    int64_t from = item * CELLS_AT_ONCE, left = job->count - from, some = vel_least(left, CELLS_AT_ONCE);
    int64_t first = job->first + from, k = many->k;
    double *y = job->y + from * k;
    if (!many->c->m->indptr) return dense_rows(ctx, job, first, some, y);
    for (int64_t i = 0; i < some; i++) {
        for (int64_t j = 0; j < k; j++) y[i * k + j] = -many->shift[j];
        add_sparse_row(job, first + i, y + i * k);
    }
    return VEL_OK;
}

vel_err vel_centered_many_make(vel_ctx *ctx, const vel_centered *c, int64_t k, const double *v,
                               vel_centered_many *many) {
    double *shift, *wide = NULL;
    VEL_TRY(VEL_ZALLOC(ctx, shift, k));
    for (int64_t g = 0; g < c->n_genes; g++)
        for (int64_t j = 0; j < k; j++) shift[j] += c->mean[g] * v[g * k + j];
    if (c->m->indptr) {
        VEL_TRY(VEL_ZALLOC(ctx, wide, c->m->cols * k));
        for (int64_t g = 0; g < c->n_genes; g++) memcpy(wide + c->genes[g] * k, v + g * k, (size_t)k * sizeof *v);
    }
    *many = (vel_centered_many){c, k, wide ? wide : v, shift};
    return VEL_OK;
}

vel_err vel_centered_many_apply(vel_ctx *ctx, const vel_centered_many *many, int64_t first, int64_t count, double *y) {
    vel_cpu level = vel_cpu_level();
    many_job job = {many, first, count, y, vel_weighted_add_at(level), vel_tile_product_at(level)};
    return vel_for(ctx, NULL, (count + CELLS_AT_ONCE - 1) / CELLS_AT_ONCE, apply_many, &job);
}
