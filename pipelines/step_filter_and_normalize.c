#include <string.h>

#include "core/hvg.h"
#include "core/normalize.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef struct {
    vel_filter_genes_opts filter; /* the maxima stay none */
    vel_normalize_opts normalize;
    vel_value layers_normalize;
    vel_value n_top_genes;
    const char *flavor;
    bool log;
} opts;

/* The matrix that genes are chosen on: X, logarithmised in a copy unless it is already. */
static vel_err logged_x(vel_ctx *ctx, vel_adata *ad, vel_counts *m) {
    vel_flawed fraction;
    bool finite;
    VEL_TRY(vel_need_x(ctx, ad, m));
    VEL_TRY(vel_find_flaw(ctx, ad, "X", m, VEL_NOT_WHOLE, &fraction));
    if (vel_has(ad, "uns/log1p") && fraction.row >= 0) return VEL_OK;
    int64_t n = vel_counts_stored(m);
    size_t size = vel_type_size(m->type);
    void *copy = vel_arena_alloc(ctx->scratch, (size_t)n, size);
    if (!copy) return vel_no_memory(ctx, (size_t)n, size);
    memcpy(copy, m->values, (size_t)n * size);
    m->values = copy;
    return vel_normalize_log1p(ctx, m->type, n, copy, 0, &finite);
}

static vel_err keep_top(vel_ctx *ctx, vel_adata *ad, const opts *o) {
    int64_t n = vel_n_vars(ad);
    double top = vel_number_or(&o->n_top_genes, 0), *mean, *dispersion, *norm;
    uint8_t *chosen;
    vel_counts m;
    VEL_TRY(logged_x(ctx, ad, &m));
    VEL_TRY(VEL_ALLOC(ctx, mean, n));
    VEL_TRY(VEL_ALLOC(ctx, dispersion, n));
    VEL_TRY(VEL_ALLOC(ctx, norm, n));
    VEL_TRY(VEL_ALLOC(ctx, chosen, n));
    VEL_TRY(vel_hvg_moments(ctx, &m, 0, mean, dispersion));
    vel_hvg_dispersion(n, mean, dispersion);
    VEL_TRY(vel_hvg_normalize(ctx, n, mean, dispersion, 20, norm));
    VEL_TRY(vel_hvg_exactly(ctx, n, norm, (int64_t)top, chosen));
    VEL_TRY(vel_retain_genes(ctx, ad, &o->filter.retain_genes, chosen));
    vel_say(ctx, VEL_INFO,
            "filter_and_normalize: the %lld most variable of %lld genes are chosen on log1p of X, flavour %s",
            (long long)((double)n < top ? n : (int64_t)top), (long long)n, o->flavor);
    return vel_keep_vars(ctx, ad, chosen);
}

static vel_err check(vel_ctx *ctx, const void *arg) {
    return vel_check_normalize(ctx, &((const opts *)arg)->normalize);
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *arg) {
    const opts *o = arg;
    vel_normalize_opts normalize = o->normalize;
    normalize.layers = o->layers_normalize;
    if (!vel_is_none(&normalize.layers) && vel_is_none(&normalize.enforce))
        normalize.enforce = (vel_value){.kind = VEL_VBOOL, .boolean = true};
    VEL_TRY(vel_filter_genes(ctx, ad, &o->filter));
    VEL_TRY(vel_normalize_per_cell(ctx, ad, &normalize));
    if (!vel_is_none(&o->n_top_genes)) VEL_TRY(keep_top(ctx, ad, o));
    return o->log ? vel_log1p_x(ctx, ad, 0) : VEL_OK;
}

#define ROW(member, name, kind, def, range, help) \
    { #name, kind, offsetof(opts, member.name), def, range, help }
#define BOUND(name, help) ROW(filter, name, VEL_ONUMBER, "none", "at least 0", help)
static const vel_opt rows[] = {
    BOUND(min_counts, "least spliced counts of a gene over all cells"),
    BOUND(min_counts_u, "least unspliced counts"),
    BOUND(min_cells, "least cells with spliced counts of a gene"),
    BOUND(min_cells_u, "least cells with unspliced counts"),
    BOUND(min_shared_counts, "least counts, spliced and unspliced, in cells that have both"),
    BOUND(min_shared_cells, "least cells that have both"),
    ROW(filter, retain_genes, VEL_OANY, "none", NULL, "a gene or a list of genes that stay in any case"),
    ROW(normalize, counts_per_cell_after, VEL_ONUMBER, "none", "above 0",
        "size of every cell afterwards; none: the median"),
    ROW(normalize, counts_per_cell, VEL_OANY, "none", NULL, "column of obs with the sizes to divide by"),
    ROW(normalize, key_n_counts, VEL_OANY, "n_counts", NULL, "column of obs for the sizes of X afterwards"),
    ROW(normalize, max_proportion_per_cell, VEL_ONUMBER, "none", "0 to 1",
        "leave genes out of the sizes that take more than this share of a cell"),
    ROW(normalize, use_initial_size, VEL_OBOOL, "true", NULL, "divide by the sizes before genes were filtered"),
    ROW(normalize, enforce, VEL_OSWITCH, "none", NULL, "true: normalise what looks processed, too"),
    VEL_OPT(opts, layers_normalize, VEL_OANY, "none", NULL,
            "layers to normalise in any case; none: those that look raw"),
    VEL_OPT(opts, n_top_genes, VEL_OCOUNT, "none", "at least 1",
            "keep this many genes, the most variable ones; none: all"),
    VEL_OPT(opts, flavor, VEL_OTEXT, "seurat", "seurat", "how the most variable genes are found"),
    VEL_OPT(opts, log, VEL_OBOOL, "false", NULL, "log1p of X at the end"),
    {0},
};

static const vel_key reads[] = {
    {.name = "layers/spliced", .shape = VEL_OBS_VAR},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR},
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "obs/initial_size", .shape = VEL_OBS, .optional = true},
    {.name = "obs/initial_size_spliced", .shape = VEL_OBS, .optional = true},
    {.name = "obs/initial_size_unspliced", .shape = VEL_OBS, .optional = true},
    {.name = "obs/{counts_per_cell}", .shape = VEL_OBS, .optional = true},
    {.name = "uns/log1p", .shape = VEL_UNS, .optional = true},
    {0},
};

static const vel_key writes[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .type = VEL_F32},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .type = VEL_F32},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR, .type = VEL_F32},
    {.name = "obs/{key_n_counts}", .shape = VEL_OBS, .type = VEL_F32},
    {.name = "obs/initial_size", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size_spliced", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "obs/initial_size_unspliced", .shape = VEL_OBS, .type = VEL_F32, .optional = true},
    {.name = "var/gene_count_corr", .shape = VEL_VAR, .type = VEL_F64, .optional = true},
    {.name = "uns/log1p", .shape = VEL_UNS, .when = "log=true"},
    {0},
};

static const vel_work works[] = {{.when = "min_shared_counts=none,min_shared_cells=none",
                                  .cell = 40,
                                  .logged_unless = "n_top_genes=none",
                                  .at_once = 1,
                                  .x_alone = true},
                                 {.cell = 40, .logged_unless = "n_top_genes=none", .at_once = 2, .x_alone = true}};

const vel_step vel_step_filter_and_normalize = {
    .name = "filter_and_normalize",
    .help = "filter_genes and normalize_per_cell, and on demand the most variable genes and log1p, in one line",
    .example = "vel filter_and_normalize counts.h5ad -o ready.h5ad --min-shared-counts 20 --n-top-genes 2000",
    .inputs = 1,
    .once = true,
    .leaves_out = true,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .works = works,
    .check = check,
    .run = run,
};
