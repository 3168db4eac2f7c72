#include "pipelines/graph_components.h"

#include "core/least.h"
#include "core/par.h"
#include "core/pca.h"
#include "pipelines/layers.h"

/* scvelo 0.3.4. */
enum { COMPONENTS = 30, CELLS_AT_ONCE = 64 };

typedef struct {
    const vel_graph_source *source; /* in genes */
    int64_t n, k, stride;           /* cells, components, of v */
    double *loadings, *mean;
    float *v;
} projection;

static vel_err find_mean(vel_ctx *ctx, int64_t gene, void *arg) {
    (void)ctx;
    const projection *p = arg;
    double sum = 0;
    for (int64_t c = 0; c < p->n; c++) sum += vel_cmat_at(&p->source->velocity, c, p->source->genes[gene]);
    p->mean[gene] = sum / (double)p->n;
    return VEL_OK;
}

static void project_cell(const projection *p, int64_t cell, double *v) {
    int64_t n_genes = p->source->space.n_genes;
    double sum = 0;
    for (int64_t k = 0; k < p->k; k++) v[k] = 0;
    for (int64_t g = 0; g < n_genes; g++) {
        double x = vel_cmat_at(&p->source->velocity, cell, p->source->genes[g]), d = x - p->mean[g];
        sum += x;
        for (int64_t k = 0; k < p->k; k++) v[k] += d * p->loadings[g * p->k + k];
    }
    for (int64_t k = 0; k < p->k; k++) p->v[cell * p->stride + k] = sum != 0 ? (float)v[k] : 0;
}

static vel_err project_cells(vel_ctx *ctx, int64_t tile, void *arg) {
    (void)ctx;
    const projection *p = arg;
    double v[COMPONENTS];
    int64_t end = (tile + 1) * CELLS_AT_ONCE < p->n ? (tile + 1) * CELLS_AT_ONCE : p->n;
    for (int64_t c = tile * CELLS_AT_ONCE; c < end; c++) project_cell(p, c, v);
    return VEL_OK;
}

vel_err vel_graph_reduce(vel_ctx *ctx, vel_adata *ad, const char *expression, vel_graph_source *source) {
    int64_t n = vel_n_obs(ad), n_genes = source->space.n_genes, *genes;
    projection p = {.source = source, .n = n, .k = vel_least(COMPONENTS, vel_least(n, n_genes) - 1)};
    if (p.k < 1) return vel_fail(ctx, VEL_ESHAPE, "velocity_graph: approx=true needs at least two cells");
    vel_counts m;
    vel_centered c;
    double *variance;
    float *x;
    p.stride = vel_cosine_stride(p.k);
    VEL_TRY(VEL_ALLOC(ctx, p.loadings, n_genes * p.k));
    VEL_TRY(VEL_ALLOC(ctx, variance, p.k));
    VEL_TRY(VEL_ALLOC(ctx, p.mean, n_genes));
    VEL_TRY(VEL_ALLOC(ctx, genes, p.k));
    VEL_TRY(VEL_ZALLOC(ctx, x, n * p.stride));
    VEL_TRY(VEL_ALLOC(ctx, p.v, n * p.stride));
    vel_adata_rest(ad); /* velocities that were looked at */
    VEL_TRY(vel_get_counts(ctx, ad, expression, &m));
    VEL_TRY(vel_centered_make(ctx, &m, source->genes, n_genes, &c));
    VEL_TRY(vel_pca(ctx, &c, p.k, &(vel_mat){x, VEL_F32, n, p.k, p.stride, 1}, p.loadings, variance));
    vel_adata_rest(ad);
    VEL_TRY(vel_for(ctx, NULL, n_genes, find_mean, &p));
    VEL_TRY(vel_for(ctx, NULL, (n + CELLS_AT_ONCE - 1) / CELLS_AT_ONCE, project_cells, &p));
    vel_adata_rest(ad);
    for (int64_t k = 0; k < p.k; k++) genes[k] = k;
    source->space.x = x;
    source->space.n_genes = p.k;
    source->space.stride = p.stride;
    source->velocity = (vel_cmat){p.v, VEL_F32, n, p.k, p.stride, 1};
    source->genes = genes;
    return VEL_OK;
}
