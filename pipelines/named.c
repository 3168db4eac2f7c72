#include "pipelines/named.h"

#include <stddef.h>

#include "core/near.h"

static const vel_named preprocess = {
    .name = "preprocess",
    .help = "from counts to moments",
    .recipe = VEL_COUNTS_TO_NEIGHBORS " | moments",
};
static const vel_named deterministic = {
    .name = "deterministic",
    .help = "from counts to the graph of steady-state velocities",
    .recipe = "preprocess | velocity mode=deterministic | velocity_graph",
};
static const vel_named stochastic = {
    .name = "stochastic",
    .help = "from counts to the graph of stochastic velocities",
    .recipe = "preprocess | velocity mode=stochastic | velocity_graph",
};
static const vel_named dynamical = {
    .name = "dynamical",
    .help = "from counts to the graph of velocities of fitted dynamics",
    .recipe = "preprocess | recover_dynamics | velocity mode=dynamical | velocity_graph",
};
static const vel_named stochastic_full = {
    .name = "stochastic_full",
    .help = "stochastic, then pseudotime, embedding and confidence",
    .recipe = "stochastic | velocity_pseudotime | velocity_embedding | velocity_confidence",
};
static const vel_named dynamical_full = {
    .name = "dynamical_full",
    .help = "dynamical, then latent time, embedding and confidence",
    .recipe = "dynamical | latent_time | velocity_embedding | velocity_confidence",
};

#define WORKFLOW(name) extern const vel_named vel_workflow_##name;
#include "vendor/workflows.def"
#undef WORKFLOW

const vel_named *const vel_named_rows[] = {
    &preprocess, &deterministic, &stochastic, &dynamical, &stochastic_full, &dynamical_full,
#define WORKFLOW(name) &vel_workflow_##name,
#include "vendor/workflows.def"
#undef WORKFLOW
};
const int vel_n_named = (int)(sizeof vel_named_rows / sizeof *vel_named_rows);

const vel_named *vel_named_find(const char *name) {
    for (int i = 0; i < vel_n_named; i++)
        if (vel_same_name(vel_named_rows[i]->name, name)) return vel_named_rows[i];
    return NULL;
}
