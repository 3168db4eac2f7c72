#include "pipelines/graph_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/pipelines/heard.h"
#include "tests/pipelines/velocity_toy.h"

static const vel_graph_options defaults = {.vkey = "velocity", .xkey = "Ms", .mode_neighbors = "distances"};

static vel_value count_of(int64_t n) { return (vel_value){.kind = VEL_VINT, .integer = n, .real = (double)n}; }

static void hops_follow_the_other_options(void **state) {
    (void)state;
    vel_graph_options o = defaults;
    assert_int_equal(vel_graph_hops(&o), 2);
    o.n_neighbors = count_of(10);
    assert_int_equal(vel_graph_hops(&o), 1);
    o.n_recurse_neighbors = count_of(4);
    assert_int_equal(vel_graph_hops(&o), 4);
}

static void the_stored_neighbours_are_used(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments n_neighbors=9");
    vel_neighbor_lists lists;
    assert_int_equal(vel_graph_neighbors(&t->ctx, t->ad, &defaults, &lists), VEL_OK);
    const vel_field *d = toy_field(t, "obsp/distances");
    assert_memory_equal(lists.indptr, d->indptr, (TOY_CELLS + 1) * sizeof *lists.indptr);
    assert_memory_equal(lists.indices, d->indices, (size_t)d->indptr[TOY_CELLS] * sizeof *lists.indices);
    toy_free(t);
}

static void strong_ties_stand_in_for_short_distances(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments n_neighbors=9");
    vel_neighbor_lists lists;
    assert_int_equal(vel_drop(&t->ctx, t->ad, "obsp/distances"), VEL_OK);
    assert_int_equal(vel_drop(&t->ctx, t->ad, "uns/neighbors"), VEL_OK);
    assert_int_equal(vel_graph_neighbors(&t->ctx, t->ad, &defaults, &lists), VEL_OK);
    const vel_field *c = toy_field(t, "obsp/connectivities");
    const float *tie = c->data;
    for (int64_t e = lists.indptr[0], at = c->indptr[0]; at < c->indptr[1]; at++) {
        bool kept = e < lists.indptr[1] && lists.indices[e] == c->indices[at];
        e += kept;
        for (int64_t k = c->indptr[0]; !kept && k < c->indptr[1]; k++) { /* whoever is left out is no stronger */
            bool other = false;
            for (int64_t i = lists.indptr[0]; i < lists.indptr[1]; i++) other |= lists.indices[i] == c->indices[k];
            if (other) assert_true(tie[at] <= tie[k]);
        }
    }
    toy_free(t);
}

/* Without n_neighbors the graph is taken as it is stored, whatever the record says of it. */
static void a_nonsensical_record_of_neighbours_is_not_asked(void **state) {
    (void)state;
    static const double records[] = {-3, 0, 12.5, NAN, INFINITY};
    velocity_toy *t = toy_after("moments n_neighbors=9");
    vel_neighbor_lists stored, lists;
    assert_int_equal(vel_graph_neighbors(&t->ctx, t->ad, &defaults, &stored), VEL_OK);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        assert_int_equal(vel_put_real(&t->ctx, t->ad, "uns/neighbors/params/n_neighbors", records[i]), VEL_OK);
        assert_int_equal(vel_graph_neighbors(&t->ctx, t->ad, &defaults, &lists), VEL_OK);
        assert_memory_equal(lists.indptr, stored.indptr, (TOY_CELLS + 1) * sizeof *lists.indptr);
    }
    toy_free(t);
}

static vel_err neighbours_with(heard *h, vel_graph_options o) {
    vel_neighbor_lists lists;
    h->said[0] = h->ctx.message[0] = 0;
    return vel_graph_neighbors(&h->ctx, h->ad, &o, &lists);
}

/* A slip of the pen in a name is told whether the embedding is needed or not. */
static void an_embedding_that_is_not_there_is_told(void **state) {
    heard *h = *state;
    vel_graph_options o = defaults;
    assert_int_equal(heard_run(h, "pca n_comps=10 | moments n_neighbors=9"), VEL_OK);
    o.basis = "nothing";
    assert_int_equal(neighbours_with(h, o), VEL_OK);
    assert_non_null(strstr(h->said, "basis: obsm/X_nothing is not there: the stored neighbours are taken"));
    o.n_neighbors = count_of(20);
    assert_int_equal(neighbours_with(h, o), VEL_EKEY);
    assert_non_null(strstr(h->ctx.message, "has no obsm/X_nothing"));
    o.basis = "pca";
    o.approx = (vel_value){.kind = VEL_VTEXT, .text = "X_nothing"};
    assert_int_equal(neighbours_with(h, o), VEL_OK);
    assert_non_null(strstr(h->said, "approx: obsm/X_nothing is not there\n"));
    o.n_neighbors = defaults.n_neighbors;
    assert_int_equal(neighbours_with(h, o), VEL_OK);
    assert_non_null(strstr(h->said, "approx: obsm/X_nothing is not there: the stored neighbours are taken"));
}

/* scVelo looks for X_pca, then for pca: either name will do. */
static void an_embedding_goes_by_its_short_name_or_its_whole_one(void **state) {
    heard *h = *state;
    vel_graph_options o = defaults;
    assert_int_equal(heard_run(h, "pca n_comps=10 | moments n_neighbors=9"), VEL_OK);
    static const char *const names[] = {"pca", "X_pca"};
    for (int i = 0; i < 2; i++) {
        o.basis = names[i];
        o.n_neighbors = defaults.n_neighbors;
        assert_int_equal(neighbours_with(h, o), VEL_OK);
        assert_string_equal(h->said, "");
        o.n_neighbors = count_of(20);
        assert_int_equal(neighbours_with(h, o), VEL_OK);
        assert_non_null(strstr(h->said, "are looked for in obsm/X_pca"));
    }
}

static void genes_are_the_velocity_genes_or_those_listed(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_graph_options o = defaults;
    int64_t *genes, n;
    assert_int_equal(vel_graph_genes(&t->ctx, t->ad, &o, &genes, &n), VEL_OK);
    assert_int_equal(n, TOY_GENES);
    uint8_t marks[TOY_GENES] = {[2] = 1, [7] = 1};
    assert_int_equal(vel_put_bools(&t->ctx, t->ad, "var/velocity_genes", marks, TOY_GENES), VEL_OK);
    assert_int_equal(vel_graph_genes(&t->ctx, t->ad, &o, &genes, &n), VEL_OK);
    assert_true(n == 2 && genes[0] == 2 && genes[1] == 7);
    const vel_value listed[] = {{.kind = VEL_VTEXT, .text = "gene9"}, {.kind = VEL_VTEXT, .text = "nobody"}};
    o.gene_subset = (vel_value){.kind = VEL_VLIST, .items = listed, .n_items = 2};
    assert_int_equal(vel_graph_genes(&t->ctx, t->ad, &o, &genes, &n), VEL_OK);
    assert_true(n == 1 && genes[0] == 9);
    toy_free(t);
}

static void roots_are_taken_after_the_stochastic_mode(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_graph_options o = defaults;
    bool roots;
    assert_int_equal(vel_graph_takes_roots(&t->ctx, t->ad, &o, &roots), VEL_OK);
    assert_false(roots);
    assert_int_equal(vel_put_text(&t->ctx, t->ad, "uns/velocity_params/mode", "stochastic"), VEL_OK);
    assert_int_equal(vel_graph_takes_roots(&t->ctx, t->ad, &o, &roots), VEL_OK);
    assert_true(roots);
    o.variance_stabilization = (vel_value){.kind = VEL_VBOOL, .boolean = false};
    assert_int_equal(vel_graph_takes_roots(&t->ctx, t->ad, &o, &roots), VEL_OK);
    assert_false(roots);
    o.sqrt_transform = (vel_value){.kind = VEL_VBOOL, .boolean = true}; /* beats the other name */
    assert_int_equal(vel_graph_takes_roots(&t->ctx, t->ad, &o, &roots), VEL_OK);
    assert_true(roots);
    toy_free(t);
}

static void time_points_are_numbered_in_order(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_graph_options o = defaults;
    int32_t *time;
    assert_int_equal(vel_graph_time(&t->ctx, t->ad, &o, &time), VEL_OK);
    assert_null(time);
    o.tkey = "clusters";
    assert_int_equal(vel_graph_time(&t->ctx, t->ad, &o, &time), VEL_OK);
    assert_true(time[0] == 0 && time[TOY_CELLS / 2] == 1 && time[TOY_CELLS - 1] == 2);
    toy_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hops_follow_the_other_options),
        cmocka_unit_test(the_stored_neighbours_are_used),
        cmocka_unit_test(strong_ties_stand_in_for_short_distances),
        cmocka_unit_test(a_nonsensical_record_of_neighbours_is_not_asked),
        cmocka_unit_test_setup_teardown(an_embedding_that_is_not_there_is_told, heard_setup, heard_teardown),
        cmocka_unit_test_setup_teardown(an_embedding_goes_by_its_short_name_or_its_whole_one, heard_setup,
                                        heard_teardown),
        cmocka_unit_test(genes_are_the_velocity_genes_or_those_listed),
        cmocka_unit_test(roots_are_taken_after_the_stochastic_mode),
        cmocka_unit_test(time_points_are_numbered_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
