#include "bench/ladder_steps.h"

#include <stddef.h>

/* Every gene, whether or not its steady state fits well: the work is then known from the shape. */
#define FIT "recover_dynamics var_names=all"

const char bench_ladder_fit[] = FIT;

static const char every_pair[] = "exact search: all pairs of cells but those of far leaves are looked at";
static const char with_search[] = "the exact neighbour search in it grows faster than the cells";
static const char every_gene_pair[] = "products of every pair of genes";

const bench_ladder_step bench_ladder_steps[] = {
    {"filter_and_normalize", NULL, "", "filter_and_normalize min_shared_counts=20", BENCH_LADDER_COUNTS, NULL, NULL},
    {"pca", "obsm/X_pca,varm/PCs,uns/pca", "", "pca n_comps=30", BENCH_LADDER_MOMENTS, NULL, every_gene_pair},
    {"neighbors", "obsp/distances,obsp/connectivities,uns/neighbors", "", "neighbors n_pcs=30 n_neighbors=30",
     BENCH_LADDER_MOMENTS, every_pair, NULL},
    {"moments", "layers/Ms,layers/Mu", "", "moments", BENCH_LADDER_MOMENTS, NULL, NULL},
    {"recover_dynamics", NULL, "", FIT, BENCH_LADDER_MOMENTS, NULL, NULL},
    {"velocity_deterministic", NULL, "", "velocity mode=deterministic", BENCH_LADDER_MOMENTS, NULL, NULL},
    {"velocity_stochastic", NULL, "", "velocity mode=stochastic", BENCH_LADDER_MOMENTS, NULL, NULL},
    {"velocity_dynamical", NULL, "", "velocity mode=dynamical", BENCH_LADDER_FITTED, NULL, NULL},
    {"velocity_graph", NULL, "velocity mode=deterministic", "velocity_graph", BENCH_LADDER_MOMENTS, NULL, NULL},
    {"dynamical", NULL, "", "dynamical", BENCH_LADDER_COUNTS, with_search, NULL},
};
const int bench_n_ladder_steps = (int)(sizeof bench_ladder_steps / sizeof bench_ladder_steps[0]);
