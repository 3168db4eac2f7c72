#include <math.h>

#include "core/hvg.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef vel_hvg_opts opts;

/* Bins beyond the number of genes: they are of no use, and so many more are a slip. */
enum { SPARE_BINS = 1000 };

static vel_err choose(vel_ctx *ctx, const opts *o, int64_t n, const double *mean, const double *norm, uint8_t *chosen) {
    if (!vel_is_none(&o->n_top_genes)) return vel_hvg_top(ctx, n, norm, o->n_top_genes.integer, chosen);
    vel_hvg_limits limits = {o->min_mean, o->max_mean, o->min_disp, o->max_disp};
    vel_hvg_within(n, mean, norm, &limits, chosen);
    return VEL_OK;
}

static vel_err put_norm(vel_ctx *ctx, vel_adata *ad, const double *norm, int64_t n) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, "var/dispersions_norm", VEL_F32, vel_vector(n), &f));
    for (int64_t g = 0; g < n; g++) ((float *)f->data)[g] = (float)norm[g];
    return VEL_OK;
}

static vel_err base_of_log(vel_ctx *ctx, vel_adata *ad, double *base) {
    *base = 0;
    if (!vel_has(ad, "uns/log1p"))
        vel_say(ctx, VEL_WARN, "highly_variable_genes: uns/log1p is not there; X is taken to be logarithmised");
    return vel_entry_of(ad, "uns/log1p/base").kind == VEL_DENSE ? vel_get_real(ctx, ad, "uns/log1p/base", base)
                                                                : VEL_OK;
}

static vel_err subset(vel_ctx *ctx, vel_adata *ad, int64_t n, const uint8_t *chosen) {
    int64_t kept = 0;
    for (int64_t g = 0; g < n; g++) kept += chosen[g];
    if (kept == 0) return vel_fail(ctx, VEL_ENONE, "none of the %lld genes is highly variable", (long long)n);
    return vel_keep_vars(ctx, ad, chosen);
}

vel_err vel_highly_variable_genes(vel_ctx *ctx, vel_adata *ad, const vel_hvg_opts *o) {
    int64_t n = vel_n_vars(ad);
    vel_counts m;
    double *mean, *dispersion, *norm, base;
    uint8_t *chosen;
    VEL_TRY(vel_check_not_empty(ctx, ad));
    if (o->n_bins > n + SPARE_BINS)
        return vel_fail(ctx, VEL_EUSAGE, "option n_bins: %lld bins for %lld genes, expected at most %lld",
                        (long long)o->n_bins, (long long)n, (long long)n + SPARE_BINS);
    VEL_TRY(vel_need_x(ctx, ad, &m));
    VEL_TRY(vel_check_finite(ctx, ad, "X", &m));
    VEL_TRY(base_of_log(ctx, ad, &base));
    VEL_TRY(VEL_ALLOC(ctx, mean, n));
    VEL_TRY(VEL_ALLOC(ctx, dispersion, n));
    VEL_TRY(VEL_ALLOC(ctx, norm, n));
    VEL_TRY(VEL_ALLOC(ctx, chosen, n));
    VEL_TRY(vel_hvg_moments(ctx, &m, base, mean, dispersion));
    vel_hvg_dispersion(n, mean, dispersion);
    VEL_TRY(vel_hvg_normalize(ctx, n, mean, dispersion, (int)o->n_bins, norm));
    VEL_TRY(choose(ctx, o, n, mean, norm, chosen));
    VEL_TRY(vel_put_bools(ctx, ad, "var/highly_variable", chosen, n));
    VEL_TRY(vel_put_reals(ctx, ad, "var/means", mean, n));
    VEL_TRY(vel_put_reals(ctx, ad, "var/dispersions", dispersion, n));
    VEL_TRY(put_norm(ctx, ad, norm, n));
    VEL_TRY(vel_put_text(ctx, ad, "uns/hvg/flavor", o->flavor));
    return o->subset ? subset(ctx, ad, n, chosen) : VEL_OK;
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *o) { return vel_highly_variable_genes(ctx, ad, o); }

static const vel_opt rows[] = {
    VEL_OPT(opts, n_top_genes, VEL_OCOUNT, "none", "at least 1", "how many genes; none: those within the limits"),
    VEL_OPT(opts, min_disp, VEL_OREAL, "0.5", NULL, "normalised dispersion must be above"),
    VEL_OPT(opts, max_disp, VEL_OREAL, "inf", NULL, "and below"),
    VEL_OPT(opts, min_mean, VEL_OREAL, "0.0125", NULL, "mean must be above"),
    VEL_OPT(opts, max_mean, VEL_OREAL, "3", NULL, "and below"),
    VEL_OPT(opts, n_bins, VEL_OINT, "20", "at least 1", "bins of mean in which dispersions are compared"),
    VEL_OPT(opts, flavor, VEL_OTEXT, "seurat", "seurat", "how dispersions are compared"),
    VEL_OPT(opts, subset, VEL_OBOOL, "false", NULL, "keep only these genes"),
    {0},
};

static const vel_key reads[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .optional = true, .unless = "X"},
    {.name = "uns/log1p", .shape = VEL_UNS, .optional = true},
    {0},
};

static const vel_key writes[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "var/highly_variable", .shape = VEL_VAR, .type = VEL_BOOL},
    {.name = "var/means", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/dispersions", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/dispersions_norm", .shape = VEL_VAR, .type = VEL_F32},
    {.name = "uns/hvg", .shape = VEL_UNS},
    {0},
};

const vel_step vel_step_highly_variable_genes = {
    .name = "highly_variable_genes",
    .help = "genes that vary more than others of like mean (flavour seurat, on logarithmised X)",
    .example = "vel highly_variable_genes logged.h5ad -o chosen.h5ad --n-top-genes 2000 --subset true",
    .inputs = 1,
    .once = true,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.cell = 8},
    .run = run,
};
