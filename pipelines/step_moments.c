#include <string.h>

#include "core/field.h"
#include "core/moments.h"
#include "pipelines/graph.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef struct {
    vel_value n_neighbors, n_pcs;
    const char *mode, *method, *use_rep;
    bool use_highly_variable;
    const char *dtype;
} opts;

enum { DEFAULT_NEIGHBORS = 30, GENES_A_THREAD = 16 /* that are averaged at once (core/moments.h) */ };

/* scVelo normalises what looks raw before it takes moments. */
static vel_err need_normalized(vel_ctx *ctx, vel_adata *ad) {
    static const vel_normalize_opts defaults = {.key_n_counts = {.kind = VEL_VTEXT, .text = "n_counts"},
                                                .use_initial_size = true};
    bool s_raw, u_raw;
    VEL_TRY(vel_looks_raw(ctx, ad, "layers/spliced", &s_raw));
    vel_adata_rest(ad);
    VEL_TRY(vel_looks_raw(ctx, ad, "layers/unspliced", &u_raw));
    vel_adata_rest(ad);
    if (!s_raw && !u_raw) return VEL_OK;
    vel_say(ctx, VEL_INFO, "moments: the layers look raw: normalize_per_cell is run first");
    VEL_TRY(vel_normalize_per_cell(ctx, ad, &defaults));
    vel_adata_rest(ad);
    return VEL_OK;
}

static vel_err say_graph(vel_ctx *ctx, vel_adata *ad, const char *mode) {
    const vel_field *g;
    const char *path;
    VEL_TRY(vel_graph_path(ctx, ad, mode, &path));
    VEL_TRY(vel_get(ctx, ad, path, &g));
    int64_t fewest = INT64_MAX, most = 0;
    for (int64_t i = 0; g->kind == VEL_SPARSE && i < g->rows; i++) {
        int64_t k = g->indptr[i + 1] - g->indptr[i];
        if (k < fewest) fewest = k;
        if (k > most) most = k;
    }
    if (most)
        vel_say(ctx, VEL_INFO, "moments averages over %s, which is there: %lld to %lld neighbours a cell", path,
                (long long)fewest, (long long)most);
    return VEL_OK;
}

/* A graph that is there is used as it is, whoever made it. */
static vel_err need_graph(vel_ctx *ctx, vel_adata *ad, const opts *o, int64_t k) {
    if (vel_has_graph(ad)) {
        return say_graph(ctx, ad, o->mode);
    }
    vel_neighbors_opts n = {k > 0 ? k : DEFAULT_NEIGHBORS, o->n_pcs, o->use_rep, o->use_highly_variable};
    vel_say(ctx, VEL_INFO,
            "moments needs a neighbour graph, which is not there: neighbors is run first, n_neighbors=%lld",
            (long long)n.n_neighbors);
    vel_adata_rest(ad);
    VEL_TRY(vel_make_neighbors(ctx, ad, &n));
    vel_adata_rest(ad);
    return VEL_OK;
}

static vel_err say_if_zero(vel_ctx *ctx, vel_adata *ad, const char *path) {
    vel_counts m;
    VEL_TRY(vel_get_counts(ctx, ad, path, &m));
    for (int64_t e = 0, n = vel_counts_stored(&m); e < n; e++)
        if (vel_counts_value(&m, e) != 0) return VEL_OK;
    vel_say(ctx, VEL_WARN, "%s is zero everywhere: no velocity can come of it", path);
    return VEL_OK;
}

static vel_err average_layer(vel_ctx *ctx, vel_adata *ad, const vel_around *around, const char *layer, const char *to,
                             vel_type type) {
    vel_field *f;
    vel_blocks *it;
    VEL_TRY(vel_put_dense(ctx, ad, to, type, vel_matrix(vel_n_obs(ad), vel_n_vars(ad)), &f));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    const vel_block_field fields[] = {{layer, VEL_NOTYPE, false}, {to, type, true}};
    VEL_TRY(vel_blocks_open(ctx, ad, fields, 2, (int64_t)GENES_A_THREAD * ctx->threads, &it));
    vel_blocks_lay_into(it, 0, 1);
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) break;
        VEL_TRY(vel_moments_first(ctx, around, &it->in[0], &it->out[1]));
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *arg) {
    const opts *o = arg;
    double k = vel_number_or(&o->n_neighbors, 0);
    vel_around around;
    VEL_TRY(vel_check_not_empty(ctx, ad));
    VEL_TRY(say_if_zero(ctx, ad, "layers/spliced"));
    VEL_TRY(say_if_zero(ctx, ad, "layers/unspliced"));
    vel_adata_rest(ad);
    VEL_TRY(need_normalized(ctx, ad));
    VEL_TRY(need_graph(ctx, ad, o, (int64_t)k));
    VEL_TRY(vel_read_around(ctx, ad, o->mode, (int64_t)k, &around));
    vel_type type = strcmp(o->dtype, "float64") ? VEL_F32 : VEL_F64;
    VEL_TRY(average_layer(ctx, ad, &around, "layers/spliced", "layers/Ms", type));
    return average_layer(ctx, ad, &around, "layers/unspliced", "layers/Mu", type);
}

static const vel_opt rows[] = {
    VEL_OPT(opts, n_neighbors, VEL_OCOUNT, "30", "at least 0",
            "neighbours to average over, at most those of the graph; none: all"),
    VEL_OPT(opts, n_pcs, VEL_OCOUNT, "none", "at least 0", "if there is no graph yet: components to make it in"),
    VEL_OPT(opts, mode, VEL_OTEXT, "connectivities", "connectivities|distances", "which graph"),
    VEL_OPT(opts, method, VEL_OTEXT, "umap", "umap", "if there is no graph yet: how to make it"),
    VEL_OPT(opts, use_rep, VEL_OTEXT, "none", NULL, "if there is no graph yet: the matrix of obsm to make it in"),
    VEL_OPT(opts, use_highly_variable, VEL_OBOOL, "true", NULL, "if there is no graph yet: genes for pca"),
    VEL_OPT(opts, dtype, VEL_OTEXT, "float32", "float32|float64", "type of Ms and Mu: float64 is a cast afterwards"),
    {0},
};

static const vel_key reads[] = {
    {.name = "layers/spliced", .shape = VEL_OBS_VAR},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR},
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true, .unless = "uns/neighbors"},
    {.name = "obsp/connectivities", .shape = VEL_OBS_OBS, .optional = true},
    {.name = "obsp/distances", .shape = VEL_OBS_OBS, .optional = true, .unless = "obsp/connectivities"},
    {.name = "uns/neighbors", .shape = VEL_UNS, .optional = true},
    {.name = "obsm/X_pca", .shape = VEL_OBS_ANY, .optional = true, .unless = "uns/neighbors"},
    {.name = "obsm/{use_rep}", .shape = VEL_OBS_ANY, .optional = true, .unless = "uns/neighbors"},
    {0},
};

static const vel_key writes[] = {
    {.name = "layers/Ms", .shape = VEL_OBS_VAR, .type = VEL_F32, .wide = "dtype=float64"},
    {.name = "layers/Mu", .shape = VEL_OBS_VAR, .type = VEL_F32, .wide = "dtype=float64"},
    {.name = "X", .shape = VEL_OBS_VAR, .type = VEL_F32, .optional = true, .if_raw = true},
    {.name = "layers/spliced",
     .shape = VEL_OBS_VAR,
     .type = VEL_F32,
     .optional = true,
     .maker = "normalize_per_cell",
     .if_raw = true},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR, .type = VEL_F32, .optional = true, .if_raw = true},
    {.name = "obsp/distances", .shape = VEL_OBS_OBS, .type = VEL_F64, .optional = true, .unless = "uns/neighbors"},
    {.name = "obsp/connectivities",
     .shape = VEL_OBS_TIES,
     .type = VEL_F32,
     .optional = true,
     .maker = "neighbors",
     .unless = "uns/neighbors"},
    {.name = "uns/neighbors", .shape = VEL_UNS, .optional = true},
    VEL_WRITES_PCA_UNLESS("uns/neighbors"),
    {.name = "uns/pca", .shape = VEL_UNS, .optional = true},
    {0},
};

const vel_step vel_step_moments = {
    .name = "moments",
    .help = "abundances averaged over each cell's neighbours: Ms and Mu",
    .example = "vel moments neighbors.h5ad -o moments.h5ad",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.cell = 12,
             .lanes = GENES_A_THREAD,
             .cell_neighbor = 6,
             .genes_thread = GENES_A_THREAD,
             .rests_within = true,
             .through = VEL_IN_TURN},
    .run = run,
};
