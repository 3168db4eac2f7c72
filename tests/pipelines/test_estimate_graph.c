#include "tests/pipelines/measured.h"

static const char *const recipes[] = {
    "velocity_graph n_recurse_neighbors=3",
    "velocity_graph mode_neighbors=connectivities",
    "velocity_graph mode_neighbors=connectivities n_recurse_neighbors=2",
    "velocity_graph n_neighbors=200",
    "velocity_graph n_neighbors=200 mode_neighbors=connectivities",
    "velocity_graph approx=true",
    "velocity_graph compute_uncertainties=true",
    "moments | velocity mode=stochastic | velocity_graph",
    "neighbors n_neighbors=10 | moments | velocity | velocity_graph",
    "neighbors n_neighbors=30 | moments | velocity | velocity_graph n_recurse_neighbors=3",
};

/* Where the neighbour graph is in the file it tells how far it leads; else the number of neighbours does. */
static void the_estimate_of_a_velocity_graph_is_right_however_far_it_leads(void **state) {
    static const char *const words[][8] = {
        {"simulate", "--n-obs", "4000", "--n-vars", "400", "-o", "0.h5ad", NULL},
        {"neighbors", "0.h5ad", "-o", "1.h5ad", NULL},
        {"moments", "1.h5ad", "-o", "2.h5ad", NULL},
        {"velocity", "2.h5ad", "-o", "3.h5ad", NULL},
    };
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) peak_of(words[i]);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        const char *from = strstr(recipes[i], "moments") ? "1.h5ad" : "3.h5ad";
        check_whole(recipes[i], from, "to.h5ad", NULL);
        if (strstr(recipes[i], "n_neighbors=")) /* a graph that is not in the file: all ways may lead elsewhere */
            peak_within_least(recipes[i], from, NULL);
        else
            check_least(recipes[i], from);
        unlink("to.h5ad");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_estimate_of_a_velocity_graph_is_right_however_far_it_leads, enter_folder,
                                        leave_folder),
    };
    return cmocka_run_group_tests_name("pipelines/estimate_graph", tests, NULL, NULL);
}
