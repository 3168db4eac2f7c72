#include "tests/pipelines/measured.h"

#include "io/h5ad.h"

/* What a step takes follows the genes that it chooses; how many these are is told from some cells of the file. */
enum { CELLS = 4000, GENES = 800, KIND = 10 };

static uint64_t seed = 1;

static float uniform(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(seed >> 40) * 0x1p-24f;
}

/* Files are made by a child, lest the memory of this process count as that of the program. */
static void need(bool is_so) {
    if (!is_so) _exit(1);
}

/* Of `lines` of ten genes unspliced moments follow the spliced ones. Counts are the same numbers. */
static void write_moments(int lines) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad;
    vel_field *f[4];
    static const char *const paths[] = {"layers/Ms", "layers/Mu", "layers/spliced", "layers/unspliced"};
    need(!vel_adata_new(&ctx, CELLS, GENES, &ad));
    for (int k = 0; k < 4; k++) need(!vel_put_dense(&ctx, ad, paths[k], VEL_F32, vel_matrix(CELLS, GENES), &f[k]));
    for (int64_t g = 0; g < GENES; g++)
        for (int64_t c = 0; c < CELLS; c++) {
            float s = uniform(), u = uniform();
            if (g % KIND < lines) u = 0.3f * s + 0.05f * u;
            for (int k = 0; k < 4; k++) ((float *)f[k]->data)[g * CELLS + c] = k % 2 ? u : s;
        }
    vel_field *x;
    need(!vel_put_dense(&ctx, ad, "obsm/X_pca", VEL_F32, vel_matrix(CELLS, 2), &x));
    for (int64_t i = 0; i < 2 * CELLS; i++) ((float *)x->data)[i] = uniform();
    need(!vel_h5ad_write(&ctx, ad, "made.h5ad"));
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
}

static void make_moments(int lines) {
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        write_moments(lines);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    peak_of(
        (const char *const[]){"neighbors", "made.h5ad", "-o", "moments.h5ad", "--use-rep", "X_pca", "--quiet", NULL});
}

/* Returns what was foretold. */
static double check(const char *recipe, const char *from) {
    check_whole(recipe, from, "to.h5ad", NULL);
    double foretold = in_events("\"peak_bytes\":");
    peak_within_least(recipe, from, NULL);
    return foretold;
}

static void the_estimate_follows_the_velocity_genes_of_the_file(void **state) {
    static const char *const recipes[] = {
        "velocity fit_offset=true min_r2=0.1",          "velocity filter_genes=true", "velocity mode=deterministic",
        "velocity mode=deterministic | velocity_graph", "velocity | velocity_graph",
    };
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    double foretold[2];
    for (int k = 0; k < 2; k++) {
        make_moments(k ? 9 : 1);
        foretold[k] = check("velocity", "moments.h5ad");
        for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) check(recipes[i], "moments.h5ad");
    }
    assert_true(foretold[1] - foretold[0] > 0.75 * 2 * CELLS * GENES * sizeof(float)); /* of two layers of counts */
}

/* Of no more than a hundred genes there is nothing to reduce: the graph is made as without. */
static void principal_components_of_few_velocity_genes_are_not_counted(void **state) {
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    for (int lines = 1; lines <= 4; lines += 3) { /* 80 genes, 320 */
        make_moments(lines);
        peak_of((const char *const[]){"velocity", "moments.h5ad", "-o", "velocity.h5ad", "--quiet", NULL});
        double reduced = check("velocity_graph approx=true", "velocity.h5ad"),
               whole = check("velocity_graph", "velocity.h5ad");
        assert_true((reduced == whole) == (lines == 1));
    }
}

static void moments_in_double_precision_count_as_they_are(void **state) {
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    make_moments(5);
    check("moments dtype=float64", "moments.h5ad");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_estimate_follows_the_velocity_genes_of_the_file, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(principal_components_of_few_velocity_genes_are_not_counted, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(moments_in_double_precision_count_as_they_are, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests_name("pipelines/estimate_genes", tests, NULL, NULL);
}
