#include "pipelines/named.h"

extern const vel_named vel_workflow_mouse_gastrulation_atlas;

const vel_named vel_workflow_mouse_gastrulation_atlas = {
    .name = "mouse_gastrulation_atlas",
    .help = "the mouse gastrulation atlas, to the velocity graph",
    .recipe = VEL_COUNTS_TO_NEIGHBORS " | moments | recover_dynamics | velocity mode=dynamical | velocity_graph",
    .data = "gastrulation.h5ad",
    .source = "https://ndownloader.figshare.com/files/28095525",
    .n_obs = 116312,
    .n_vars = 2000,
    .notes = "scvelo.datasets.gastrulation(); Pijuan-Sala et al. 2019; moments stay float32",
};
