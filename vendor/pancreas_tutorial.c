#include "pipelines/named.h"

extern const vel_named vel_workflow_pancreas_tutorial;

const vel_named vel_workflow_pancreas_tutorial = {
    .name = "pancreas_tutorial",
    .help = "scVelo's tutorial of pancreatic endocrinogenesis, day 15.5",
    .recipe = VEL_COUNTS_TO_NEIGHBORS
    " | moments dtype=float64 | recover_dynamics | velocity mode=dynamical | velocity_graph | latent_time",
    .data = "endocrinogenesis_day15.h5ad",
    .source = "https://github.com/theislab/scvelo_notebooks/raw/master/data/Pancreas/endocrinogenesis_day15.h5ad",
    .n_obs = 3696,
    .n_vars = 2000,
    .notes = "scvelo.datasets.pancreas(); Bastidas-Ponce et al. 2019",
};
