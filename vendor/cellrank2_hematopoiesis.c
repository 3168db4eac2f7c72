#include "pipelines/named.h"

extern const vel_named vel_workflow_cellrank2_hematopoiesis;

const vel_named vel_workflow_cellrank2_hematopoiesis = {
    .name = "cellrank2_hematopoiesis",
    .help = "fates of human bone marrow: velocity and connectivity kernels, GPCCA, fate probabilities",
    .recipe = VEL_COUNTS_TO_NEIGHBORS
    " | moments dtype=float64 | recover_dynamics | velocity mode=dynamical | velocity_graph"
    " | velocity_kernel | connectivity_kernel | combine_kernels velocity=0.8 connectivity=0.2"
    " | gpcca n_states=5 | predict_terminal_states | fate_probabilities",
    .data = "bone_marrow.h5ad",
    .source = "https://figshare.com/ndownloader/files/35826944",
    .n_obs = 24000,
    .n_vars = 2000,
    .notes =
        "cellrank.datasets.bone_marrow(), which holds 5,780 cells; 24,000 is the published figure; Setty et al. 2019",
};
