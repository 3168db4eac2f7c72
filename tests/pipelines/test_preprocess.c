/* The steps from counts to moments: what they promise beside the numbers of their kernels. */
#include "pipelines/preprocess.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/field.h"
#include "tests/pipelines/heard.h"

enum { CELLS = TOY_CELLS, GENES = TOY_GENES };

static void cells_have_the_median_size_after_normalisation(void **state) {
    heard *h = *state;
    double x[CELLS * GENES];
    assert_int_equal(heard_run(h, "normalize_per_cell"), VEL_OK);
    assert_int_equal(heard_dense(h, "layers/spliced", x), VEL_OK);
    double first = 0;
    for (int i = 0; i < CELLS; i++) {
        double size = 0;
        for (int g = 0; g < GENES; g++) size += x[i * GENES + g];
        if (i == 0) first = size;
        assert_true(fabs(size - first) < 1e-5 * first); /* float32 roundings */
    }
}

static void what_looks_processed_is_left_alone_unless_enforced(void **state) {
    heard *h = *state;
    double before[CELLS * GENES], after[CELLS * GENES];
    assert_int_equal(heard_scale(h, "layers/spliced", 0, 0.37f), VEL_OK);
    assert_int_equal(heard_dense(h, "layers/spliced", before), VEL_OK);
    assert_int_equal(heard_run(h, "normalize_per_cell"), VEL_OK);
    assert_non_null(strstr(h->said, "layers/spliced is left as it is"));
    assert_int_equal(heard_dense(h, "layers/spliced", after), VEL_OK);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(heard_run(h, "normalize_per_cell enforce=true"), VEL_OK);
    assert_int_equal(heard_dense(h, "layers/spliced", after), VEL_OK);
    assert_memory_not_equal(before, after, sizeof before);
}

/* scVelo looks at five cells only; the whole matrix is looked at here, and the difference said. */
static void fractions_after_the_first_cells_are_told(void **state) {
    heard *h = *state;
    assert_int_equal(heard_scale(h, "layers/spliced", 5, 0.37f), VEL_OK);
    assert_int_equal(heard_run(h, "normalize_per_cell"), VEL_OK);
    assert_non_null(strstr(h->said, "the first 5 cells are whole numbers, later ones are not"));
}

static void a_gene_with_nan_is_taken_out_and_named(void **state) {
    heard *h = *state;
    vel_field *f;
    char **names;
    assert_int_equal(vel_edit(&h->ctx, h->ad, "layers/spliced", &f), VEL_OK);
    int64_t e = f->indptr[7];
    ((float *)f->data)[e] = NAN;
    int gene = f->indices[e];
    char first[64];
    snprintf(first, sizeof first, "nan for gene gene%d in cell cell7", gene);
    assert_int_equal(heard_run(h, "filter_genes"), VEL_OK);
    assert_non_null(strstr(h->said, first));
    assert_int_equal(vel_n_vars(h->ad), GENES - 1);
    assert_int_equal(vel_var_names(&h->ctx, h->ad, &names), VEL_OK);
    snprintf(first, sizeof first, "gene%d", gene);
    for (int g = 0; g < GENES - 1; g++) assert_string_not_equal(names[g], first);
}

/* X and the layers dense; a value that is no number in gene 3 of the spliced ones. */
static void make_dense_with_nan(heard *h) {
    static const char *const paths[] = {"X", "layers/spliced", "layers/unspliced"};
    for (int k = 0; k < 3; k++) {
        double x[CELLS * GENES];
        vel_field *f;
        assert_int_equal(heard_dense(h, paths[k], x), VEL_OK);
        assert_int_equal(vel_put_dense(&h->ctx, h->ad, paths[k], VEL_F64, vel_matrix(CELLS, GENES), &f), VEL_OK);
        for (int i = 0; i < CELLS; i++)
            for (int g = 0; g < GENES; g++) ((double *)f->data)[g * CELLS + i] = x[i * GENES + g];
        if (k == 1) ((double *)f->data)[3 * CELLS + 5] = NAN;
    }
}

static double size_of_cell(heard *h, const char *path, int64_t cell) {
    const vel_field *f;
    double size = 0;
    assert_int_equal(vel_get(&h->ctx, h->ad, path, &f), VEL_OK);
    for (int64_t g = 0; g < f->cols; g++) size += ((const double *)f->data)[g * f->rows + cell];
    return size;
}

static void initial_sizes_are_those_of_the_genes_that_stay(void **state) {
    heard *h = *state;
    const vel_field *f;
    make_dense_with_nan(h);
    assert_int_equal(heard_run(h, "filter_genes"), VEL_OK);
    assert_int_equal(vel_n_vars(h->ad), GENES - 1);
    assert_int_equal(vel_get(&h->ctx, h->ad, "obs/initial_size_spliced", &f), VEL_OK);
    for (int i = 0; i < CELLS; i++) assert_true(vel_field_real(f, i) == size_of_cell(h, "layers/spliced", i));
    assert_int_equal(vel_get(&h->ctx, h->ad, "obs/initial_size", &f), VEL_OK);
    for (int i = 0; i < CELLS; i++) assert_true(vel_field_real(f, i) == size_of_cell(h, "X", i));
}

static void cells_are_normalised_by_the_genes_that_stay(void **state) {
    heard *h = *state;
    make_dense_with_nan(h);
    assert_int_equal(heard_run(h, "normalize_per_cell"), VEL_OK);
    assert_int_equal(vel_n_vars(h->ad), GENES - 1);
    for (int i = 1; i < CELLS; i++) {
        assert_true(fabs(size_of_cell(h, "X", i) / size_of_cell(h, "X", 0) - 1) < 1e-12); /* roundings */
        assert_true(fabs(size_of_cell(h, "layers/spliced", i) / size_of_cell(h, "layers/spliced", 0) - 1) < 1e-12);
    }
}

static void normalised_with(heard *h, const char *layers) {
    char recipe[200];
    make_dense_with_nan(h);
    assert_int_equal(heard_run(h, "filter_genes"), VEL_OK);
    snprintf(recipe, sizeof recipe, "normalize_per_cell layers=%s enforce=true use_initial_size=false", layers);
    assert_int_equal(heard_run(h, recipe), VEL_OK);
    for (int i = 1; i < CELLS; i++)
        assert_true(fabs(size_of_cell(h, "layers/spliced", i) / size_of_cell(h, "layers/spliced", 0) - 1) < 1e-12);
}

static void a_layer_that_is_named_twice_has_its_new_sizes_the_second_time(void **state) {
    normalised_with(*state, "[\"spliced\",\"spliced\"]");
}

static void so_has_a_layer_of_two_names(void **state) {
    heard *h = *state;
    assert_int_equal(vel_alias(&h->ctx, h->ad, "mine", "spliced"), VEL_OK);
    normalised_with(h, "[\"spliced\",\"mine\"]");
}

static void an_empty_layer_is_named_when_no_gene_is_left(void **state) {
    heard *h = *state;
    assert_int_equal(heard_scale(h, "layers/unspliced", 0, 0), VEL_OK);
    assert_int_equal(heard_run(h, "filter_genes min_shared_counts=20"), VEL_ENONE);
    assert_non_null(strstr(h->ctx.message, "layers/unspliced is zero everywhere"));
    assert_int_equal(heard_run(h, "moments"), VEL_OK);
    assert_non_null(strstr(h->said, "layers/unspliced is zero everywhere"));
}

static void a_missing_layer_refuses_and_lists_what_is_there(void **state) {
    heard *h = *state;
    assert_int_equal(vel_drop(&h->ctx, h->ad, "layers/unspliced"), VEL_OK);
    assert_int_equal(heard_run(h, "filter_genes min_shared_counts=1"), VEL_EKEY);
    assert_non_null(strstr(h->ctx.message, "layers has: spliced (--spliced and --unspliced name others)"));
    assert_int_equal(vel_drop(&h->ctx, h->ad, "layers/spliced"), VEL_OK);
    h->ctx.message[0] = 0;
    assert_int_equal(heard_run(h, "filter_genes min_shared_counts=1"), VEL_EKEY);
    assert_non_null(strstr(h->ctx.message, "layers has: nothing (velocyto, STARsolo, kb or alevin-fry count them)"));
}

static void a_size_of_no_or_negative_counts_is_refused(void **state) {
    heard *h = *state;
    assert_int_equal(heard_run(h, "normalize_per_cell counts_per_cell_after=0"), VEL_EUSAGE);
    assert_int_equal(heard_run(h, "normalize_per_cell counts_per_cell_after=-10"), VEL_EUSAGE);
    assert_int_equal(heard_run(h, "normalize_per_cell counts_per_cell_after=10"), VEL_OK);
}

static void a_layer_that_is_named_and_not_there_is_told(void **state) {
    heard *h = *state;
    assert_int_equal(heard_run(h, "normalize_per_cell layers=[\"spliced\",\"splicd\"]"), VEL_OK);
    assert_non_null(strstr(h->said, "there is no layers/splicd to normalise"));
}

/* Cell 1 of layer k has k + 2 times the counts of cell 0. */
static void all_means_every_layer_and_a_list_may_be_as_long(void **state) {
    enum { LAYERS = 70 };
    heard *h = *state;
    char path[32], list[16 * LAYERS] = "normalize_per_cell layers=[";
    for (int k = 0; k < LAYERS; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s\"more%d\"", k ? "," : "", k);
    strcat(list, "]");
    for (int twice = 0; twice < 2; twice++) {
        for (int k = 0; k < LAYERS; k++) {
            vel_field *f;
            snprintf(path, sizeof path, "layers/more%d", k);
            assert_int_equal(vel_put_dense(&h->ctx, h->ad, path, VEL_F64, vel_matrix(CELLS, GENES), &f), VEL_OK);
            for (int i = 0; i < CELLS * GENES; i++) ((double *)f->data)[i] = i % CELLS == 1 ? k + 2 : 1;
        }
        assert_int_equal(heard_run(h, twice ? list : "normalize_per_cell layers=all"), VEL_OK);
        for (int k = 0; k < LAYERS; k++) {
            snprintf(path, sizeof path, "layers/more%d", k);
            assert_true(fabs(size_of_cell(h, path, 1) / size_of_cell(h, path, 0) - 1) < 1e-12); /* roundings */
        }
    }
}

static void retained_genes_stay_whatever_their_counts(void **state) {
    heard *h = *state;
    char **names;
    assert_int_equal(heard_run(h, "filter_genes min_counts=1e9 retain_genes=[\"gene3\",\"gene9\"]"), VEL_OK);
    assert_int_equal(vel_n_vars(h->ad), 2);
    assert_int_equal(vel_var_names(&h->ctx, h->ad, &names), VEL_OK);
    assert_string_equal(names[1], "gene9");
}

static void the_number_of_top_genes_is_exact(void **state) {
    heard *h = *state;
    assert_int_equal(heard_run(h, "filter_and_normalize n_top_genes=7"), VEL_OK);
    assert_int_equal(vel_n_vars(h->ad), 7);
    assert_non_null(strstr(h->said, "the 7 most variable of 24 genes are chosen on log1p of X, flavour seurat"));
    assert_false(vel_has(h->ad, "uns/log1p"));
    assert_int_equal(heard_run(h, "filter_and_normalize n_top_genes=50 log=true"), VEL_OK);
    assert_int_equal(vel_n_vars(h->ad), 7);
    assert_true(vel_has(h->ad, "uns/log1p"));
}

static void x_is_not_logarithmised_twice(void **state) {
    heard *h = *state;
    double once[CELLS * GENES], twice[CELLS * GENES];
    assert_int_equal(heard_run(h, "normalize_per_cell | log1p"), VEL_OK);
    assert_int_equal(heard_dense(h, "X", once), VEL_OK);
    assert_int_equal(heard_run(h, "log1p"), VEL_OK);
    assert_non_null(strstr(h->said, "logarithmised already"));
    assert_int_equal(heard_dense(h, "X", twice), VEL_OK);
    assert_memory_equal(once, twice, sizeof once);
}

static void a_file_without_x_gets_it_from_the_spliced_layer(void **state) {
    heard *h = *state;
    assert_int_equal(vel_drop(&h->ctx, h->ad, "X"), VEL_OK);
    assert_int_equal(heard_run(h, "normalize_per_cell | log1p | pca n_comps=5"), VEL_OK);
    assert_non_null(strstr(h->said, "it is made from layers/spliced"));
    assert_true(vel_has(h->ad, "obsm/X_pca"));
}

/* X of float64, alike in every cell but for `more` in the first: what no sum over the cells holds exactly. */
static vel_err components_of_alike(heard *h, bool sparse, double by, double more) {
    vel_field *f;
    double *x;
    if (sparse) {
        assert_int_equal(vel_put_sparse(&h->ctx, h->ad, "X", VEL_F64, vel_matrix(CELLS, GENES), CELLS * GENES, &f),
                         VEL_OK);
        for (int e = 0; e < CELLS * GENES; e++) f->indices[e] = e % GENES;
        for (int i = 0; i <= CELLS; i++) f->indptr[i] = i * GENES;
    } else {
        assert_int_equal(vel_put_dense(&h->ctx, h->ad, "X", VEL_F64, vel_matrix(CELLS, GENES), &f), VEL_OK);
    }
    x = f->data;
    for (int e = 0; e < CELLS * GENES; e++) x[e] = by * log1p(!sparse && f->gene_major ? e / CELLS : e % GENES);
    x[0] += by * more;
    h->ctx.message[0] = 0;
    return heard_run(h, "pca n_comps=5");
}

static void cells_that_are_alike_have_no_components_whatever_rounding_leaves(void **state) {
    heard *h = *state;
    for (int sparse = 0; sparse < 2; sparse++) {
        assert_int_equal(components_of_alike(h, sparse, 1, 0), VEL_ENONE);
        assert_non_null(strstr(h->ctx.message, "all cells are alike"));
        assert_int_equal(components_of_alike(h, sparse, 1e-30, 1e-3), VEL_OK);
        assert_int_equal(components_of_alike(h, sparse, 1e200, 1), VEL_ENONE);
        assert_non_null(strstr(h->ctx.message, "beyond what a double holds"));
    }
}

static void many_more_bins_than_genes_are_refused_with_the_most_that_are_not(void **state) {
    heard *h = *state;
    char recipe[64], most[64];
    snprintf(recipe, sizeof recipe, "highly_variable_genes n_bins=%d", GENES + 1001);
    snprintf(most, sizeof most, "expected at most %d", GENES + 1000);
    assert_int_equal(heard_run(h, recipe), VEL_EUSAGE);
    assert_non_null(strstr(h->ctx.message, most));
}

static void too_many_components_and_neighbours_are_clipped_and_told_once(void **state) {
    heard *h = *state;
    double k;
    uint8_t keep[CELLS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(vel_keep_obs(&h->ctx, h->ad, keep), VEL_OK);
    assert_int_equal(heard_run(h, "normalize_per_cell | log1p | pca n_comps=30 | neighbors n_pcs=30 | moments"),
                     VEL_OK);
    assert_int_equal(vel_entry_of(h->ad, "obsm/X_pca").cols, 9);
    assert_int_equal(vel_get_real(&h->ctx, h->ad, "uns/neighbors/params/n_neighbors", &k), VEL_OK);
    assert_true(k == 6); /* 1 + 10 / 2, as the reference clips */
    char *first = strstr(h->said, "n_neighbors is clipped to 6");
    assert_non_null(first);
    assert_null(strstr(first + 1, "n_neighbors is clipped"));
}

static void duplicate_cells_are_counted_and_named(void **state) {
    heard *h = *state;
    vel_field *x;
    assert_int_equal(vel_put_dense(&h->ctx, h->ad, "obsm/X_pca", VEL_F32, vel_matrix(CELLS, 2), &x), VEL_OK);
    for (int i = 0; i < CELLS; i++) ((float *)x->data)[2 * i] = (float)(i < 21 ? 3 : i);
    assert_int_equal(heard_run(h, "neighbors n_neighbors=15 use_rep=X_pca"), VEL_OK);
    assert_non_null(strstr(h->said, "21 cells are duplicates of others (cell0, cell1, cell2"));
    const vel_field *d;
    assert_int_equal(vel_get(&h->ctx, h->ad, "obsp/distances", &d), VEL_OK);
    for (int i = 0; i < CELLS; i++) assert_int_equal(d->indptr[i + 1] - d->indptr[i], 14);
}

static void a_graph_that_is_there_is_used_as_it_is(void **state) {
    heard *h = *state;
    vel_field *g;
    const vel_field *spliced, *ms;
    assert_int_equal(heard_run(h, "normalize_per_cell"), VEL_OK);
    assert_int_equal(vel_put_sparse(&h->ctx, h->ad, "obsp/connectivities", VEL_F32, vel_matrix(CELLS, CELLS), 0, &g),
                     VEL_OK);
    assert_int_equal(heard_run(h, "moments"), VEL_OK);
    assert_false(vel_has(h->ad, "obsm/X_pca"));
    double x[CELLS * GENES];
    assert_int_equal(vel_get(&h->ctx, h->ad, "layers/spliced", &spliced), VEL_OK);
    assert_int_equal(heard_dense(h, "layers/spliced", x), VEL_OK);
    assert_int_equal(vel_get(&h->ctx, h->ad, "layers/Ms", &ms), VEL_OK);
    for (int i = 0; i < CELLS; i++) /* nobody has neighbours: each cell is its own average */
        for (int j = 0; j < GENES; j++) assert_true(((float *)ms->data)[j * CELLS + i] == (float)x[i * GENES + j]);
}

static void float64_moments_are_the_float32_ones_widened(void **state) {
    heard *h = *state;
    const vel_field *f;
    float narrow[CELLS * GENES];
    assert_int_equal(heard_run(h, "moments"), VEL_OK);
    assert_int_equal(vel_get(&h->ctx, h->ad, "layers/Mu", &f), VEL_OK);
    memcpy(narrow, f->data, sizeof narrow);
    assert_int_equal(heard_run(h, "moments dtype=float64"), VEL_OK);
    assert_int_equal(vel_get(&h->ctx, h->ad, "layers/Mu", &f), VEL_OK);
    assert_int_equal(f->type, VEL_F64);
    for (int e = 0; e < CELLS * GENES; e++) assert_true(((double *)f->data)[e] == (double)narrow[e]);
}

static void components_are_made_anew_if_there_are_too_few(void **state) {
    heard *h = *state;
    assert_int_equal(heard_run(h, "normalize_per_cell | log1p | pca n_comps=3 | neighbors n_pcs=8 use_rep=X_pca"),
                     VEL_OK);
    assert_non_null(strstr(h->said, "is too narrow"));
    assert_int_equal(vel_entry_of(h->ad, "obsm/X_pca").cols, 8);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, heard_setup, heard_teardown)
    const struct CMUnitTest tests[] = {
        TEST(cells_have_the_median_size_after_normalisation),
        TEST(what_looks_processed_is_left_alone_unless_enforced),
        TEST(fractions_after_the_first_cells_are_told),
        TEST(a_gene_with_nan_is_taken_out_and_named),
        TEST(initial_sizes_are_those_of_the_genes_that_stay),
        TEST(cells_are_normalised_by_the_genes_that_stay),
        TEST(a_layer_that_is_named_twice_has_its_new_sizes_the_second_time),
        TEST(so_has_a_layer_of_two_names),
        TEST(an_empty_layer_is_named_when_no_gene_is_left),
        TEST(a_missing_layer_refuses_and_lists_what_is_there),
        TEST(a_size_of_no_or_negative_counts_is_refused),
        TEST(a_layer_that_is_named_and_not_there_is_told),
        TEST(all_means_every_layer_and_a_list_may_be_as_long),
        TEST(retained_genes_stay_whatever_their_counts),
        TEST(the_number_of_top_genes_is_exact),
        TEST(x_is_not_logarithmised_twice),
        TEST(a_file_without_x_gets_it_from_the_spliced_layer),
        TEST(cells_that_are_alike_have_no_components_whatever_rounding_leaves),
        TEST(many_more_bins_than_genes_are_refused_with_the_most_that_are_not),
        TEST(too_many_components_and_neighbours_are_clipped_and_told_once),
        TEST(duplicate_cells_are_counted_and_named),
        TEST(a_graph_that_is_there_is_used_as_it_is),
        TEST(float64_moments_are_the_float32_ones_widened),
        TEST(components_are_made_anew_if_there_are_too_few),
    };
    return cmocka_run_group_tests_name("pipelines/preprocess", tests, NULL, NULL);
}
