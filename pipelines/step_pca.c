#include <float.h>
#include <math.h>

#include "core/pca.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef struct {
    vel_value n_comps, use_highly_variable;
} opts;

/* The genes that count: all, or those of var/highly_variable. */
static vel_err choose_genes(vel_ctx *ctx, vel_adata *ad, bool mask, int64_t **genes, int64_t *n_genes) {
    int64_t n = vel_n_vars(ad), k = 0;
    uint8_t *chosen = NULL;
    VEL_TRY(VEL_ALLOC(ctx, *genes, n));
    if (mask) VEL_TRY(vel_get_bools(ctx, ad, "var/highly_variable", n, &chosen));
    for (int64_t g = 0; g < n; g++)
        if (!chosen || chosen[g]) (*genes)[k++] = g;
    *n_genes = k;
    return VEL_OK;
}

static vel_err put_vector(vel_ctx *ctx, vel_adata *ad, const char *path, vel_type type, const double *x, int64_t n,
                          double by) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, type, vel_vector(n), &f));
    for (int64_t i = 0; i < n; i++) {
        if (type == VEL_F32)
            ((float *)f->data)[i] = (float)(x[i] / by);
        else
            ((double *)f->data)[i] = x[i] / by;
    }
    return VEL_OK;
}

/* Loadings of the chosen genes; the rows of the others are 0. */
static vel_err put_loadings(vel_ctx *ctx, vel_adata *ad, const vel_centered *c, int64_t k, vel_type type,
                            const double *loadings) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, "varm/PCs", type, vel_matrix(vel_n_vars(ad), k), &f));
    for (int64_t g = 0; g < c->n_genes; g++)
        for (int64_t j = 0; j < k; j++) {
            double v = loadings[g * k + j];
            if (type == VEL_F32)
                ((float *)f->data)[c->genes[g] * k + j] = (float)v;
            else
                ((double *)f->data)[c->genes[g] * k + j] = v;
        }
    return VEL_OK;
}

static vel_err record(vel_ctx *ctx, vel_adata *ad, bool mask) {
    VEL_TRY(vel_put_bool(ctx, ad, "uns/pca/params/zero_center", true));
    VEL_TRY(vel_put_bool(ctx, ad, "uns/pca/params/use_highly_variable", mask));
    if (mask) return vel_put_text(ctx, ad, "uns/pca/params/mask_var", "highly_variable");
    return vel_drop(ctx, ad, "uns/pca/params/mask_var");
}

/* A value that is not finite leaves its gene without a mean. A mean may be lost by overflow alone. */
static vel_err check_finite(vel_ctx *ctx, vel_adata *ad, const vel_counts *m, const vel_centered *c) {
    bool all = c->n_genes == m->cols;
    for (int64_t g = 0; g < c->n_genes && all; g++) all = isfinite(c->mean[g]);
    if (!all) return vel_check_finite(ctx, ad, "X", m);
    vel_note_free_of(ad, "X", 1u << VEL_NOT_FINITE);
    return VEL_OK;
}

/* Of cells that are alike rounding leaves something: the mean is off by as much as its sum may be, or of a sparse
 * matrix squares do not quite cancel. */
static bool all_alike(const vel_centered *c) {
    double mean = DBL_EPSILON * (double)c->n_obs, rounding = c->m->indptr ? 16 * DBL_EPSILON : mean * mean, squares = 0;
    for (int64_t g = 0; g < c->n_genes; g++) squares += c->mean[g] * c->mean[g];
    return !(c->variance > rounding * squares);
}

static vel_err compute(vel_ctx *ctx, vel_adata *ad, const vel_centered *c, int64_t k, bool mask) {
    double *loadings, *variance;
    vel_field *x_pca;
    VEL_TRY(VEL_ALLOC(ctx, loadings, c->n_genes * k));
    VEL_TRY(VEL_ALLOC(ctx, variance, k));
    vel_type type = c->m->type;
    VEL_TRY(vel_put_dense(ctx, ad, "obsm/X_pca", VEL_F32, vel_matrix(c->n_obs, k), &x_pca));
    VEL_TRY(vel_pca(ctx, c, k, &(vel_mat){x_pca->data, VEL_F32, c->n_obs, k, k, 1}, loadings, variance));
    VEL_TRY(put_loadings(ctx, ad, c, k, mask ? VEL_F64 : type, loadings));
    VEL_TRY(put_vector(ctx, ad, "uns/pca/variance", type, variance, k, 1));
    VEL_TRY(put_vector(ctx, ad, "uns/pca/variance_ratio", type, variance, k, c->variance));
    return record(ctx, ad, mask);
}

vel_err vel_pca_of_x(vel_ctx *ctx, vel_adata *ad, const vel_pca_opts *o) {
    vel_counts m;
    vel_centered c;
    int64_t *genes, n_genes;
    bool mask = o->use_highly_variable && vel_has(ad, "var/highly_variable");
    VEL_TRY(vel_check_not_empty(ctx, ad));
    VEL_TRY(vel_need_x(ctx, ad, &m));
    VEL_TRY(choose_genes(ctx, ad, mask, &genes, &n_genes));
    int64_t most = (n_genes < m.rows ? n_genes : m.rows) - 1, k = o->n_comps < most ? o->n_comps : most;
    if (k < 1)
        return vel_fail(ctx, VEL_ENONE, "no principal components of %lld cells and %lld genes", (long long)m.rows,
                        (long long)n_genes);
    if (k < o->n_comps)
        vel_say(ctx, VEL_WARN, "pca: %lld components instead of %lld, for %lld cells and %lld genes", (long long)k,
                (long long)o->n_comps, (long long)m.rows, (long long)n_genes);
    VEL_TRY(vel_centered_make(ctx, &m, genes, n_genes, &c));
    VEL_TRY(check_finite(ctx, ad, &m, &c));
    if (!isfinite(c.variance))
        return vel_fail(ctx, VEL_ENONE, "no principal components: squares of X are beyond what a double holds");
    if (all_alike(&c)) return vel_fail(ctx, VEL_ENONE, "no principal components: all cells are alike in X");
    return compute(ctx, ad, &c, k, mask);
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *arg) {
    const opts *o = arg;
    if (vel_is_true(&o->use_highly_variable) && !vel_has(ad, "var/highly_variable"))
        return vel_fail(ctx, VEL_EKEY, "pca use_highly_variable=true needs var/highly_variable, which is not there");
    vel_pca_opts chosen = {(int64_t)vel_number_or(&o->n_comps, 50), !vel_is_false(&o->use_highly_variable)};
    return vel_pca_of_x(ctx, ad, &chosen);
}

static const vel_opt rows[] = {
    VEL_OPT(opts, n_comps, VEL_OCOUNT, "none", "at least 1", "components; none: 50, or as many as there can be"),
    VEL_OPT(opts, use_highly_variable, VEL_OSWITCH, "none", NULL,
            "only the genes of var/highly_variable; none: if it is there"),
    {0},
};

static const vel_key reads[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .optional = true, .unless = "X"},
    {.name = "var/highly_variable", .shape = VEL_VAR, .optional = true},
    {0},
};

static const vel_key writes[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true, .unless = "X"},
    {.name = "obsm/X_pca", .shape = VEL_OBS_ANY, .type = VEL_F32, .of_components = true},
    {.name = "varm/PCs", .shape = VEL_VAR_ANY, .of_components = true},
    {.name = "uns/pca", .shape = VEL_UNS},
    {0},
};

const vel_step vel_step_pca = {
    .name = "pca",
    .help = "principal components of X",
    .example = "vel pca chosen.h5ad -o pca.h5ad --n-comps 30",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.components = true},
    .run = run,
};
