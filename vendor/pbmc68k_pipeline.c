#include "pipelines/named.h"

extern const vel_named vel_workflow_pbmc68k_pipeline;

const vel_named vel_workflow_pbmc68k_pipeline = {
    .name = "pbmc68k_pipeline",
    .help = "68,000 blood cells, as the pancreas tutorial treats them",
    .recipe = VEL_COUNTS_TO_NEIGHBORS
    " | moments dtype=float64 | recover_dynamics | velocity mode=dynamical | velocity_graph | latent_time",
    .data = "pbmc68k.h5ad",
    .source = "https://ndownloader.figshare.com/files/27686886",
    .n_obs = 68579,
    .n_vars = 2000,
    .notes = "scvelo.datasets.pbmc68k(); Zheng et al. 2017",
};
