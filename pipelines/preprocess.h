/* preprocess.h - the steps from counts to moments that other steps run as well: their options and bodies. */
#ifndef VEL_PIPELINES_PREPROCESS_H
#define VEL_PIPELINES_PREPROCESS_H

#include "core/adata.h"
#include "core/value.h"

typedef struct {
    vel_value min_counts, max_counts, min_cells, max_cells;
    vel_value min_counts_u, max_counts_u, min_cells_u, max_cells_u;
    vel_value min_shared_counts, min_shared_cells;
    vel_value retain_genes;
} vel_filter_genes_opts;
vel_err vel_filter_genes(vel_ctx *ctx, vel_adata *ad, const vel_filter_genes_opts *o) VEL_CHECKED;

/* chosen[g] |= gene g is named by the option (none, a text or a list). */
vel_err vel_retain_genes(vel_ctx *ctx, vel_adata *ad, const vel_value *names, uint8_t *chosen) VEL_CHECKED;

typedef struct {
    vel_value counts_per_cell_after, counts_per_cell, key_n_counts, max_proportion_per_cell;
    bool use_initial_size;
    vel_value layers, enforce;
} vel_normalize_opts;
vel_err vel_check_normalize(vel_ctx *ctx, const vel_normalize_opts *o) VEL_CHECKED; /* before anything is read */
vel_err vel_normalize_per_cell(vel_ctx *ctx, vel_adata *ad, const vel_normalize_opts *o) VEL_CHECKED;

/* Whether scVelo would take a matrix for raw counts: the first five cells are whole numbers. */
vel_err vel_looks_raw(vel_ctx *ctx, vel_adata *ad, const char *path, bool *raw) VEL_CHECKED;

/* log1p of X, uns/log1p. base 0: natural. X that is logarithmised already is left, which is said. */
vel_err vel_log1p_x(vel_ctx *ctx, vel_adata *ad, double base) VEL_CHECKED;

typedef struct {
    vel_value n_top_genes;
    double min_disp, max_disp, min_mean, max_mean;
    int64_t n_bins;
    const char *flavor;
    bool subset;
} vel_hvg_opts;
vel_err vel_highly_variable_genes(vel_ctx *ctx, vel_adata *ad, const vel_hvg_opts *o) VEL_CHECKED;

typedef struct {
    int64_t n_comps;
    bool use_highly_variable; /* if var/highly_variable is there */
} vel_pca_opts;
/* X_pca, PCs, uns/pca; n_comps is clipped to what the data allow, which is said. */
vel_err vel_pca_of_x(vel_ctx *ctx, vel_adata *ad, const vel_pca_opts *o) VEL_CHECKED;

/* The rows of the `writes` of a step (step.h) that runs this within itself, if the path is not there. */
#define VEL_WRITES_PCA_UNLESS(path)                                                               \
    {.name = "obsm/X_pca",                                                                        \
     .shape = VEL_OBS_ANY,                                                                        \
     .type = VEL_F32,                                                                             \
     .when = "use_rep=none|X_pca",                                                                \
     .optional = true,                                                                            \
     .maker = "pca",                                                                              \
     .of_components = true,                                                                       \
     .unless = (path)},                                                                           \
    {                                                                                             \
        .name = "varm/PCs", .shape = VEL_VAR_ANY, .when = "use_rep=none|X_pca", .optional = true, \
        .of_components = true, .unless = (path)                                                   \
    }

typedef struct {
    int64_t n_neighbors;
    vel_value n_pcs;
    const char *use_rep;
    bool use_highly_variable;
} vel_neighbors_opts;
vel_err vel_make_neighbors(vel_ctx *ctx, vel_adata *ad, const vel_neighbors_opts *o) VEL_CHECKED;

#endif
