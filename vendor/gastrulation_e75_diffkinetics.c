#include "pipelines/named.h"

extern const vel_named vel_workflow_gastrulation_e75_diffkinetics;

const vel_named vel_workflow_gastrulation_e75_diffkinetics = {
    .name = "gastrulation_e75_diffkinetics",
    .help = "mouse gastrulation at E7.5, with the test for differential kinetics",
    .recipe = VEL_COUNTS_TO_NEIGHBORS
    " | moments dtype=float64 | recover_dynamics | velocity mode=dynamical | velocity_graph"
    " | differential_kinetic_test groupby=clusters | recover_dynamics var_names=fit_diff_kinetics"
    " | velocity mode=dynamical diff_kinetics=true",
    .data = "gastrulation_e75.h5ad",
    .source = "https://ndownloader.figshare.com/files/30439878",
    .n_obs = 21167,
    .n_vars = 2000,
    .notes =
        "scvelo.datasets.gastrulation_e75(); obs/clusters is obs/celltype where it is absent: --groupby celltype; "
        "Pijuan-Sala et al. 2019",
};
