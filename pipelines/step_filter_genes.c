#include <math.h>
#include <string.h>

#include "core/filter.h"
#include "pipelines/layers.h"
#include "pipelines/mark_genes.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef vel_filter_genes_opts opts;

typedef struct {
    const char *what;          /* the layer, or "shared" */
    const vel_value *bound[4]; /* min_counts, max_counts, min_cells, max_cells; NULL: none */
} stage;

static bool is_given(const vel_value *v) { return v && !vel_is_none(v); }

static vel_bounds bounds_of(const stage *s) {
    static const vel_value none = {.kind = VEL_VNONE};
    double x[4];
    for (int i = 0; i < 4; i++) x[i] = vel_number_or(s->bound[i] ? s->bound[i] : &none, i % 2 ? INFINITY : -INFINITY);
    return (vel_bounds){.min_counts = x[0], .max_counts = x[1], .min_cells = x[2], .max_cells = x[3]};
}

vel_err vel_retain_genes(vel_ctx *ctx, vel_adata *ad, const vel_value *names, uint8_t *chosen) {
    if (vel_is_none(names)) return VEL_OK;
    if (names->kind != VEL_VLIST && !names->text)
        return vel_fail(ctx, VEL_EUSAGE, "option retain_genes takes a gene, a list of genes, or none");
    return vel_mark_genes(ctx, ad, "retain_genes", names, true, chosen);
}

static vel_err sums_of(vel_ctx *ctx, vel_adata *ad, const char *what, double *sum, int64_t *positive, vel_type *type) {
    vel_counts s, u;
    if (strcmp(what, "shared") != 0) {
        VEL_TRY(vel_get_counts(ctx, ad, strcmp(what, "spliced") ? "layers/unspliced" : "layers/spliced", &s));
        *type = s.type;
        return vel_counts_gene_sums(ctx, &s, sum, positive);
    }
    VEL_TRY(vel_get_counts(ctx, ad, "layers/spliced", &s));
    VEL_TRY(vel_get_counts(ctx, ad, "layers/unspliced", &u));
    return vel_filter_shared(ctx, &s, &u, sum, positive, type);
}

static bool all_zero(vel_ctx *ctx, vel_adata *ad, const char *path) {
    vel_counts m;
    if (vel_get_counts(ctx, ad, path, &m)) return false;
    for (int64_t e = 0, n = vel_counts_stored(&m); e < n; e++)
        if (vel_counts_value(&m, e) != 0) return false;
    return true;
}

static vel_err none_left(vel_ctx *ctx, vel_adata *ad, const char *what) {
    const char *why = "";
    if (!strcmp(what, "shared") && all_zero(ctx, ad, "layers/unspliced"))
        why = ": layers/unspliced is zero everywhere";
    else if (!strcmp(what, "shared") && all_zero(ctx, ad, "layers/spliced"))
        why = ": layers/spliced is zero everywhere";
    return vel_fail(ctx, VEL_ENONE, "no gene of %s is left: none of %lld is within the limits of %s counts%s",
                    vel_adata_name(ad), (long long)vel_n_vars(ad), what, why);
}

static vel_err run_stage(vel_ctx *ctx, vel_adata *ad, const opts *o, const stage *s) {
    int64_t n = vel_n_vars(ad), kept = 0, *positive;
    double *sum;
    uint8_t *keep;
    vel_type type;
    vel_bounds bounds;
    if (!is_given(s->bound[0]) && !is_given(s->bound[1]) && !is_given(s->bound[2]) && !is_given(s->bound[3]))
        return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, sum, n));
    VEL_TRY(VEL_ALLOC(ctx, positive, n));
    VEL_TRY(VEL_ALLOC(ctx, keep, n));
    bounds = bounds_of(s);
    VEL_TRY(sums_of(ctx, ad, s->what, sum, positive, &type));
    vel_adata_rest(ad);
    memset(keep, 1, (size_t)n);
    vel_filter_keep(&bounds, type, n, sum, positive, keep);
    VEL_TRY(vel_retain_genes(ctx, ad, &o->retain_genes, keep));
    for (int64_t g = 0; g < n; g++) kept += keep[g];
    if (kept == 0) return none_left(ctx, ad, s->what);
    if (kept < n)
        vel_say(ctx, VEL_INFO, "filter_genes: %lld of %lld genes are left out for their %s counts",
                (long long)(n - kept), (long long)n, s->what);
    return vel_keep_vars(ctx, ad, keep);
}

vel_err vel_filter_genes(vel_ctx *ctx, vel_adata *ad, const vel_filter_genes_opts *o) {
    const stage spliced = {"spliced", {&o->min_counts, &o->max_counts, &o->min_cells, &o->max_cells}};
    const stage unspliced = {"unspliced", {&o->min_counts_u, &o->max_counts_u, &o->min_cells_u, &o->max_cells_u}};
    const stage shared = {"shared", {&o->min_shared_counts, NULL, &o->min_shared_cells, NULL}};
    VEL_TRY(vel_check_not_empty(ctx, ad));
    VEL_TRY(vel_set_sound_sizes(ctx, ad));
    if (vel_has(ad, "layers/spliced")) VEL_TRY(run_stage(ctx, ad, o, &spliced));
    if (vel_has(ad, "layers/unspliced")) VEL_TRY(run_stage(ctx, ad, o, &unspliced));
    return run_stage(ctx, ad, o, &shared);
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *o) { return vel_filter_genes(ctx, ad, o); }

#define BOUND(name, help) VEL_OPT(opts, name, VEL_ONUMBER, "none", "at least 0", help)
#define MOST(name, help) VEL_OPT(opts, name, VEL_ONUMBER, "none", "0 to inf", help)
static const vel_opt rows[] = {
    BOUND(min_counts, "least spliced counts of a gene over all cells"),
    MOST(max_counts, "most spliced counts"),
    BOUND(min_cells, "least cells with spliced counts of a gene"),
    MOST(max_cells, "most cells with spliced counts"),
    BOUND(min_counts_u, "least unspliced counts"),
    MOST(max_counts_u, "most unspliced counts"),
    BOUND(min_cells_u, "least cells with unspliced counts"),
    MOST(max_cells_u, "most cells with unspliced counts"),
    BOUND(min_shared_counts, "least counts, spliced and unspliced, in cells that have both"),
    BOUND(min_shared_cells, "least cells that have both"),
    VEL_OPT(opts, retain_genes, VEL_OANY, "none", NULL, "a gene or a list of genes that stay in any case"),
    {0},
};

static const vel_key reads[] = {
    {.name = "layers/spliced", .shape = VEL_OBS_VAR},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR},
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {0},
};

static const vel_key writes[] = {
    {.name = "obs/initial_size", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size_spliced", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size_unspliced", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {0},
};

static const vel_work works[] = {
    {.when = "min_shared_counts=none,min_shared_cells=none", .cell = 40, .at_once = 1, .x_alone = true},
    {.cell = 40, .at_once = 2, .x_alone = true}};

const vel_step vel_step_filter_genes = {
    .name = "filter_genes",
    .help = "keep genes with enough counts, or seen in enough cells",
    .example = "vel filter_genes counts.h5ad -o filtered.h5ad --min-shared-counts 20",
    .inputs = 1,
    .leaves_out = true,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .works = works,
    .run = run,
};
