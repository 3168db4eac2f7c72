#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "io/h5ad.h"
#include "io/packing.h"
#include "pipelines/estimate.h"
#include "tests/pipelines/measured.h"
#include "tests/random.h"

enum { CELLS = 20000, GENES = 500, ENTRIES = 2000000 };
static const int64_t block = (int64_t)CELLS * GENES;

typedef struct {
    int64_t n_top_genes, n_neighbors, var_names;
    bool subset;
} options;
typedef struct {
    vel_value n_comps, n_recurse_neighbors;
} component_options;
static const vel_opt rows[] = {
    VEL_OPT(options, n_top_genes, VEL_OINT, "1000000", NULL, ""),
    VEL_OPT(options, n_neighbors, VEL_OINT, "30", NULL, ""),
    VEL_OPT(options, subset, VEL_OBOOL, "false", NULL, ""),
    {0},
};
static const vel_key reads[] = {{.name = "X"}, {.name = "layers/counts"}, {0}};
static const vel_key writes[] = {{.name = "layers/Ms", .shape = VEL_OBS_VAR, .type = VEL_F32},
                                 {.name = "obs/size", .shape = VEL_OBS, .type = VEL_F64},
                                 {0}};
static const vel_key reads_again[] = {{.name = "layers/Ms"}, {.name = "X"}, {0}};
static const vel_key writes_again[] = {{.name = "layers/V", .shape = VEL_OBS_VAR, .type = VEL_F64}, {0}};
static const vel_step first = {
    .name = "first", .inputs = 1, .reads = reads, .writes = writes, .opts = rows, .opts_size = sizeof(options)};
static const vel_step second = {.name = "second",
                                .inputs = 1,
                                .reads = reads_again,
                                .writes = writes_again,
                                .opts = rows,
                                .opts_size = sizeof(options)};

static const vel_key writes_graph[] = {{.name = "obsp/graph", .shape = VEL_OBS_OBS, .type = VEL_F64}, {0}};
static const vel_key writes_another[] = {{.name = "obsp/another", .shape = VEL_OBS_OBS, .type = VEL_F64}, {0}};
static const vel_key reads_graph[] = {{.name = "X"}, {.name = "obsp/graph"}, {0}};
static const vel_step graph = {.name = "graph",
                               .inputs = 1,
                               .reads = reads,
                               .writes = writes_graph,
                               .opts = rows,
                               .opts_size = sizeof(options),
                               .work = {.through = VEL_BY_GENES}};
static const vel_step user = {.name = "user",
                              .inputs = 1,
                              .reads = reads_graph,
                              .writes = writes_another,
                              .opts = rows,
                              .opts_size = sizeof(options),
                              .work = {.copy = 1, .copy_when = "subset=true", .through = VEL_BY_GENES}};
static const vel_step other = {.name = "other",
                               .inputs = 1,
                               .reads = reads,
                               .writes = writes_another,
                               .opts = rows,
                               .opts_size = sizeof(options),
                               .work = {.through = VEL_BY_GENES}};
static const vel_opt rows_by_name[] = {
    VEL_OPT(options, n_top_genes, VEL_OINT, "1000000", NULL, ""),
    VEL_OPT(options, var_names, VEL_OINT, "0", NULL, ""),
    {0},
};
static const vel_step by_name = {.name = "by_name",
                                 .inputs = 1,
                                 .reads = reads,
                                 .writes = writes,
                                 .opts = rows_by_name,
                                 .opts_size = sizeof(options)};
static const vel_step all_at_once = {.name = "all_at_once",
                                     .inputs = 1,
                                     .reads = reads_again,
                                     .writes = writes_again,
                                     .opts = rows,
                                     .opts_size = sizeof(options)};
static const vel_step one_by_one = {.name = "one_by_one",
                                    .inputs = 1,
                                    .reads = reads_again,
                                    .writes = writes_again,
                                    .opts = rows,
                                    .opts_size = sizeof(options),
                                    .work = {.at_once = 1, .logged_unless = "subset=false"}};
static const vel_key writes_with_pca[] = {{.name = "obsm/X_pca", .shape = VEL_OBS_ANY, .type = VEL_F32, .maker = "pca"},
                                          {0}};
static const vel_key writes_pca[] = {{.name = "obsm/X_pca", .shape = VEL_OBS_ANY, .type = VEL_F32}, {0}};
static const vel_step with_pca = {.name = "with_pca",
                                  .inputs = 1,
                                  .reads = reads,
                                  .writes = writes_with_pca,
                                  .opts = rows,
                                  .opts_size = sizeof(options)};
static const vel_step without_pca = {.name = "without_pca",
                                     .inputs = 1,
                                     .reads = reads,
                                     .writes = writes_pca,
                                     .opts = rows,
                                     .opts_size = sizeof(options)};
static const vel_opt rows_of_components[] = {VEL_OPT(component_options, n_comps, VEL_OANY, "none", NULL, ""), {0}};
static const vel_key writes_components[] = {
    {.name = "obsm/X_pca", .shape = VEL_OBS_ANY, .type = VEL_F32, .of_components = true}, {0}};
static const vel_step with_components = {.name = "with_components",
                                         .inputs = 1,
                                         .reads = reads,
                                         .writes = writes_components,
                                         .opts = rows_of_components,
                                         .opts_size = sizeof(component_options)};
static const vel_opt rows_of_hops[] = {VEL_OPT(component_options, n_recurse_neighbors, VEL_OANY, "none", NULL, ""),
                                       {0}};
static const vel_key writes_hops[] = {{.name = "uns/graph", .shape = VEL_OBS_HOPS, .type = VEL_F32}, {0}};
static const vel_step of_hops = {.name = "of_hops",
                                 .inputs = 1,
                                 .reads = reads,
                                 .writes = writes_hops,
                                 .opts = rows_of_hops,
                                 .opts_size = sizeof(component_options)};
static const vel_step of_genes = {.name = "of_genes",
                                  .inputs = 1,
                                  .reads = reads,
                                  .writes = writes_another,
                                  .opts = rows,
                                  .opts_size = sizeof(options),
                                  .work = {.gene = 1 << 16, .through = VEL_BY_GENES}};
static const vel_step *const steps[] = {&first,           &second,      &graph,      &user,     &other,
                                        &by_name,         &all_at_once, &one_by_one, &with_pca, &without_pca,
                                        &with_components, &of_genes,    &of_hops};

static vel_ctx ctx;
static vel_adata *ad;

static int setup(void **state) {
    (void)state;
    vel_field *f;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    if (vel_adata_new(&ctx, CELLS, GENES, &ad)) return 1;
    if (vel_put_dense(&ctx, ad, "X", VEL_F32, vel_matrix(CELLS, GENES), &f)) return 1;
    if (vel_put_sparse(&ctx, ad, "layers/counts", VEL_F32, vel_matrix(CELLS, GENES), ENTRIES, &f)) return 1;
    f->indptr[CELLS] = ENTRIES;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_estimate estimate_packed(const char *text, int threads, bool packs) {
    vel_recipe r;
    vel_plan p;
    ctx.message[0] = 0;
    assert_int_equal(vel_recipe_parse(&ctx, ctx.scratch, text, &r), VEL_OK);
    for (int i = 0; i < r.n_calls; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            if (!strcmp(r.calls[i].name, steps[k]->name)) r.calls[i].step = steps[k];
    assert_int_equal(vel_plan_make(&ctx, ad, &r, &p), VEL_OK);
    ctx.threads = threads;
    p.packs = packs;
    return vel_estimate_make(&ctx, ad, &p);
}

static vel_estimate estimate(const char *text, int threads) { return estimate_packed(text, threads, false); }

static void fields_count_once_by_shape_and_type(void **state) {
    (void)state;
    vel_estimate e = estimate("first | second", 1);
    int64_t sparse = (int64_t)ENTRIES * 8 + (CELLS + 1) * 8;
    assert_int_equal(e.n_obs, CELLS);
    assert_int_equal(e.inputs, 4 * block + sparse);
    assert_int_equal(e.results, 4 * block + 8 * CELLS + 8 * block);
    assert_true(e.peak >= e.inputs + e.results);
    assert_string_equal(e.peak_step, "second");
}

static void a_choice_of_genes_makes_the_rest_smaller(void **state) {
    (void)state;
    vel_estimate whole = estimate("first | second", 1);
    vel_estimate cut = estimate("first n_top_genes=20 subset=true | second", 1);
    vel_estimate marked = estimate("first n_top_genes=20 | second", 1);
    assert_true(cut.peak < whole.peak);
    assert_string_equal(cut.peak_step, "first");
    assert_int_equal(marked.peak, whole.peak);
}

static void a_choice_among_named_genes_cuts_nothing(void **state) {
    (void)state;
    assert_int_equal(estimate("by_name n_top_genes=20 | second", 1).peak, estimate("by_name | second", 1).peak);
}

static void more_threads_need_more(void **state) {
    (void)state;
    assert_true(estimate("first", 8).peak > estimate("first", 1).peak);
}

static void what_will_be_compressed_needs_more_with_every_thread(void **state) {
    (void)state;
    vel_estimate plain = estimate("first", 2), one = estimate_packed("first", 1, true),
                 two = estimate_packed("first", 2, true);
    assert_true(two.peak > plain.peak + VEL_PACKED_AT_ONCE && two.sure > plain.sure + VEL_PACKED_AT_ONCE);
    assert_true(two.peak > one.peak && two.sure > one.sure && two.least >= plain.least);
}

/* 2,000 neighbours a cell: far more than any layer has of a cell. */
static void a_matrix_that_a_step_does_not_use_rests_in_the_scratch_file(void **state) {
    (void)state;
    int64_t matrix = (int64_t)12 * 2000 * CELLS;
    vel_estimate made = estimate("graph n_neighbors=2000", 1),
                 kept = estimate("graph n_neighbors=2000 | other n_neighbors=2000", 1),
                 used = estimate("graph n_neighbors=2000 | user n_neighbors=2000", 1);
    assert_true(made.least > matrix);
    assert_true(kept.least < made.least + matrix / 10); /* a chain has some room of its own */
    assert_true(used.least > kept.least + matrix / 2);
    assert_string_equal(used.least_step, "user");
}

static void a_copy_counts_under_its_condition(void **state) {
    (void)state;
    vel_estimate without = estimate("graph | user", 1), with = estimate("graph | user subset=true", 1);
    assert_true(with.peak - without.peak > 3 * block);
    assert_true(with.peak - without.peak <= 4 * block);
}

/* Of the three layers of 20,000 x 500 that all_at_once has, in float32 twice and in float64, the largest. */
static void layers_that_are_had_one_by_one_rest_in_turn(void **state) {
    (void)state;
    vel_estimate all = estimate("first | all_at_once", 1), one = estimate("first | one_by_one", 1);
    assert_string_equal(all.least_step, "all_at_once");
    assert_true(all.least > 16 * block);
    assert_true(one.least < 10 * block + (30 << 20));
    assert_int_equal(all.peak, one.peak);
}

static void a_copy_of_x_counts_as_a_layer_of_its_own(void **state) {
    (void)state;
    vel_estimate without = estimate("first | one_by_one", 1), with = estimate("first | one_by_one subset=true", 1);
    assert_true(with.peak - without.peak <= 4 * block); /* where else a field would be written */
    assert_true(with.peak - without.peak > 4 * block - (6 << 20));
    assert_int_equal(with.least, without.least);
}

static void a_step_that_another_runs_within_itself_counts_with_it(void **state) {
    (void)state;
    vel_estimate without = estimate("without_pca", 1), with = estimate("with_pca", 1);
    double pairs = (double)GENES * GENES * sizeof(double); /* their Gram matrix */
    assert_true((double)(with.least - without.least) > pairs);
    assert_true((double)(with.least - without.least) < pairs + (24 << 20));
}

static void principal_components_are_fifty_or_as_many_as_there_can_be(void **state) {
    (void)state;
    int64_t column = (int64_t)4 * CELLS;
    ctx.message[0] = 0;
    assert_int_equal(estimate("with_components", 1).results, 50 * column);
    assert_int_equal(estimate("with_components n_comps=7", 1).results, 7 * column);
    assert_int_equal(estimate("with_components n_comps=1000", 1).results, (GENES - 1) * column);
}

static void a_graph_over_more_hops_has_more_entries_up_to_all_cells(void **state) {
    (void)state;
    int64_t two = estimate("of_hops", 1).results, all = (int64_t)CELLS * CELLS / 2 * 8;
    vel_estimate three = estimate("of_hops n_recurse_neighbors=3", 1),
                 nine = estimate("of_hops n_recurse_neighbors=9", 1);
    assert_int_equal(estimate("of_hops n_recurse_neighbors=2", 1).results, two);
    assert_true(three.results > 3 * two);
    assert_true(nine.results > three.results);
    assert_true(nine.results < all);
    assert_true(nine.sure >= all);
    assert_true(nine.sure < all + all / 10);
}

static void more_neighbours_than_cells_count_as_the_cells(void **state) {
    (void)state;
    vel_estimate all = estimate("graph n_neighbors=20000", 1), more = estimate("graph n_neighbors=20001", 1),
                 most = estimate("graph n_neighbors=9223372036854775807", 1);
    assert_true(all.peak > (int64_t)CELLS * (CELLS - 1) * 8);
    assert_memory_equal(&more, &all, sizeof all);
    assert_memory_equal(&most, &all, sizeof all);
}

static void a_gene_takes_what_the_step_says_of_one(void **state) {
    (void)state;
    int64_t more = estimate("of_genes", 1).peak - estimate("other", 1).peak;
    assert_true(more <= GENES << 16); /* where else a field would be written */
    assert_true(more > (GENES << 16) - (6 << 20));
}

static void a_budget_below_what_is_sure_spills_and_one_below_the_least_is_refused(void **state) {
    (void)state;
    vel_estimate e = estimate("first | second | second", 1);
    bool spill;
    assert_true(e.least < e.sure);
    ctx.max_memory = 0;
    assert_int_equal(vel_estimate_check(&ctx, &e, &spill), VEL_OK);
    assert_false(spill);
    ctx.max_memory = e.sure;
    assert_int_equal(vel_estimate_check(&ctx, &e, &spill), VEL_OK);
    assert_false(spill);
    ctx.max_memory = e.least;
    assert_int_equal(vel_estimate_check(&ctx, &e, &spill), VEL_OK);
    assert_true(spill);
    ctx.max_memory = 1500000;
    assert_int_equal(vel_estimate_check(&ctx, &e, &spill), VEL_EBUDGET);
    assert_non_null(strstr(ctx.message, "1.50 MB"));
    ctx.max_memory = 0;
}

static void sizes_are_read_as_people_write_them(void **state) {
    (void)state;
    int64_t n;
    assert_true(vel_bytes_parse("8G", &n) && n == 8000000000);
    assert_true(vel_bytes_parse("512m", &n) && n == 512000000);
    assert_true(vel_bytes_parse("1.5GiB", &n) && n == 3 * (1 << 29));
    assert_true(vel_bytes_parse("100000", &n) && n == 100000);
    assert_true(vel_bytes_parse("2TB", &n) && n == 2000000000000);
    assert_true(vel_bytes_parse("1.13 MB", &n) && n == 1130000);
    static const char *const bad[] = {"", "G", "8X", "-1G", "0", "8GG", "nan", "1e30", "8 ", "8  G"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(vel_bytes_parse(bad[i], &n));
}

static void sizes_are_written_with_three_digits(void **state) {
    (void)state;
    char text[16];
    assert_string_equal(vel_bytes_text(12, text), "12 B");
    assert_string_equal(vel_bytes_text(1234, text), "1.23 kB");
    assert_string_equal(vel_bytes_text(45600000, text), "45.6 MB");
    assert_string_equal(vel_bytes_text(999999999, text), "1.00 GB");
}

static void a_size_rounded_up_is_what_its_text_says(void **state) {
    char text[16];
    int64_t said;
    (void)state;
    for (int64_t n = 0; n < INT64_C(1) << 50; n += 1 + n / 97) {
        int64_t up = vel_bytes_up(n);
        assert_true(up >= n && up - n <= n / 100);
        if (up == 0) continue;
        assert_true(vel_bytes_parse(vel_bytes_text(up, text), &said));
        assert_int_equal(said, up);
    }
}

static void a_limit_that_is_told_can_be_given_back(void **state) {
    (void)state;
    for (int n = 1; n < CELLS; n += 1 + n / 5) {
        char recipe[64], text[16];
        int64_t said;
        bool spill;
        snprintf(recipe, sizeof recipe, "graph n_neighbors=%d | user n_neighbors=%d", n, n);
        vel_estimate e = estimate(recipe, 1);
        assert_true(vel_bytes_parse(vel_bytes_text(e.least, text), &said));
        ctx.max_memory = said;
        assert_int_equal(vel_estimate_check(&ctx, &e, &spill), VEL_OK);
        ctx.max_memory = 0;
    }
}

/* ---- the estimate beside the measured peak of the program */

static void the_estimate_is_right_and_a_limit_holds(void **state) {
    static const char *const chain[] = {
        "filter_and_normalize min_shared_counts=5",
        "pca n_comps=30",
        "neighbors n_pcs=30",
        "moments",
        "velocity mode=stochastic",
        "velocity_graph",
    };
    (void)state;
    char from[16] = "0.h5ad", to[16];
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    peak_of((const char *const[]){"simulate", "--n-obs", "4000", "--n-vars", "1000", "-o", from, "--quiet", NULL});
    for (size_t i = 0; i < sizeof chain / sizeof *chain; i++) {
        snprintf(to, sizeof to, "%zu.h5ad", i + 1);
        check_whole(chain[i], from, to, NULL);
        check_least(chain[i], from);
        unlink(from);
        strcpy(from, to);
    }
}

static void so_it_is_where_a_step_makes_the_graph_that_it_lacks(void **state) {
    static const char from[] = "0.h5ad", to[] = "1.h5ad";
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    peak_of((const char *const[]){"simulate", "--n-obs", "4000", "--n-vars", "1000", "-o", from, "--quiet", NULL});
    check_whole("moments", from, to, NULL);
    check_least("moments", from);
}

/* Raw counts, which are normalised on the way, so that every layer is written. */
static void write_counts(const char *file) {
    enum { N = 3000, G = 800 };
    static const char *const paths[] = {"X", "layers/spliced", "layers/unspliced"};
    vel_adata *counts;
    vel_field *f;
    uint64_t seed = 1;
    assert_int_equal(vel_adata_new(&ctx, N, G, &counts), VEL_OK);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(vel_put_dense(&ctx, counts, paths[i], VEL_F32, vel_matrix(N, G), &f), VEL_OK);
        for (int e = 0; e < N * G; e++) ((float *)f->data)[e] = (float)(random_bits(&seed) >> 61);
    }
    assert_int_equal(vel_h5ad_write(&ctx, counts, file), VEL_OK);
    vel_adata_free(counts);
}

/* Of many threads all compress at once. */
static void a_limit_holds_for_what_is_compressed(void **state) {
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    write_counts("0.h5ad");
    for (int i = 0; i < 2; i++) {
        const char *how = i ? "gzip" : "lzf";
        char budget[32];
        peak_of((const char *const[]){"moments", "0.h5ad", "--dry-run", "--json", "--threads", "4", "--compression",
                                      how, NULL});
        double least = in_events("\"least_bytes\":");
        snprintf(budget, sizeof budget, "%.0f", least);
        double peak = peak_of((const char *const[]){"moments", "0.h5ad", "-o", "least.h5ad", "--quiet", "--threads",
                                                    "4", "--compression", how, "--max-memory", budget, NULL});
        if (peak > least) fail_msg("%s: %.1f MB are the least, %.1f MB taken", how, least / 1e6, peak / 1e6);
    }
}

/* Of few cells a gene is less than a page; what goes by genes is most of all. */
static void so_it_is_of_few_cells_and_many_genes(void **state) {
    static const char *const rows_of[] = {"pca", "neighbors", "moments", "recover_dynamics var_names=all max_iter=0",
                                          "velocity mode=deterministic"};
    (void)state;
    char from[16] = "0.h5ad", to[16];
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    peak_of((const char *const[]){"simulate", "--n-obs", "100", "--n-vars", "12000", "-o", from, "--quiet", NULL});
    for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++) {
        snprintf(to, sizeof to, "%zu.h5ad", i + 1);
        check_whole(rows_of[i], from, to, NULL);
        check_least(rows_of[i], from);

        unlink(from);
        strcpy(from, to);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_count_once_by_shape_and_type),
        cmocka_unit_test(a_choice_of_genes_makes_the_rest_smaller),
        cmocka_unit_test(a_choice_among_named_genes_cuts_nothing),
        cmocka_unit_test(more_threads_need_more),
        cmocka_unit_test(what_will_be_compressed_needs_more_with_every_thread),
        cmocka_unit_test(a_matrix_that_a_step_does_not_use_rests_in_the_scratch_file),
        cmocka_unit_test(a_copy_counts_under_its_condition),
        cmocka_unit_test(layers_that_are_had_one_by_one_rest_in_turn),
        cmocka_unit_test(a_copy_of_x_counts_as_a_layer_of_its_own),
        cmocka_unit_test(a_step_that_another_runs_within_itself_counts_with_it),
        cmocka_unit_test(principal_components_are_fifty_or_as_many_as_there_can_be),
        cmocka_unit_test(a_graph_over_more_hops_has_more_entries_up_to_all_cells),
        cmocka_unit_test(more_neighbours_than_cells_count_as_the_cells),
        cmocka_unit_test(a_gene_takes_what_the_step_says_of_one),
        cmocka_unit_test(a_budget_below_what_is_sure_spills_and_one_below_the_least_is_refused),
        cmocka_unit_test(sizes_are_read_as_people_write_them),
        cmocka_unit_test(sizes_are_written_with_three_digits),
        cmocka_unit_test(a_size_rounded_up_is_what_its_text_says),
        cmocka_unit_test(a_limit_that_is_told_can_be_given_back),
        cmocka_unit_test_setup_teardown(the_estimate_is_right_and_a_limit_holds, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_limit_holds_for_what_is_compressed, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(so_it_is_of_few_cells_and_many_genes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(so_it_is_where_a_step_makes_the_graph_that_it_lacks, enter_folder,
                                        leave_folder),
    };
    return cmocka_run_group_tests_name("pipelines/estimate", tests, setup, teardown);
}
