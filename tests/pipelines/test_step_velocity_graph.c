#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/pipelines/velocity_toy.h"

static const char *const to_velocity = "moments | velocity mode=deterministic";

static int64_t stored(velocity_toy *t, const char *path) {
    const vel_field *f = toy_field(t, path);
    return f->indptr[f->rows];
}

static void graphs_hold_cosines_of_either_sign(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    assert_int_equal(toy_run(t, "velocity_graph"), VEL_OK);
    const vel_field *p = toy_field(t, "uns/velocity_graph"), *n = toy_field(t, "uns/velocity_graph_neg");
    assert_true(p->indptr[TOY_CELLS] > TOY_CELLS && n->indptr[TOY_CELLS] > TOY_CELLS);
    for (int64_t e = 0; e < p->indptr[TOY_CELLS]; e++)
        assert_true(((const float *)p->data)[e] > 0 && ((const float *)p->data)[e] <= 1);
    for (int64_t e = 0; e < n->indptr[TOY_CELLS]; e++)
        assert_true(((const float *)n->data)[e] < 0 && ((const float *)n->data)[e] >= -1);
    assert_true(toy_field(t, "obs/velocity_self_transition")->type == VEL_F32);
    toy_free(t);
}

static void what_was_done_is_recorded(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    double hops;
    assert_int_equal(vel_put_text(&t->ctx, t->ad, "uns/velocity_params/embeddings", "umap"), VEL_OK);
    assert_int_equal(toy_run(t, "velocity_graph"), VEL_OK);
    assert_int_equal(vel_get_real(&t->ctx, t->ad, "uns/velocity_params/n_recurse_neighbors", &hops), VEL_OK);
    assert_true(hops == 2);
    assert_false(vel_has(t->ad, "uns/velocity_params/embeddings"));
    assert_int_equal(toy_run(t, "velocity_graph mode_neighbors=connectivities"), VEL_OK);
    assert_int_equal(vel_get_real(&t->ctx, t->ad, "uns/velocity_params/n_recurse_neighbors", &hops), VEL_OK);
    assert_true(hops == 1);
    toy_free(t);
}

static void fewer_neighbours_give_a_smaller_graph(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    assert_int_equal(toy_run(t, "velocity_graph n_recurse_neighbors=1"), VEL_OK);
    int64_t whole = stored(t, "uns/velocity_graph") + stored(t, "uns/velocity_graph_neg");
    assert_int_equal(toy_run(t, "velocity_graph n_neighbors=5"), VEL_OK);
    int64_t some = stored(t, "uns/velocity_graph") + stored(t, "uns/velocity_graph_neg");
    assert_true(some == 5 * TOY_CELLS && some < whole);
    toy_free(t);
}

static void more_neighbours_than_stored_are_searched(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    assert_int_equal(toy_run(t, "velocity_graph n_neighbors=40"), VEL_ESHAPE); /* X_umap has two dimensions */
    assert_non_null(strstr(t->ctx.message, "basis=pca"));
    assert_int_equal(toy_run(t, "pca n_comps=12 | velocity_graph n_neighbors=40 basis=pca"), VEL_OK);
    assert_int_equal(stored(t, "uns/velocity_graph") + stored(t, "uns/velocity_graph_neg"), 39 * TOY_CELLS);
    toy_free(t);
}

static void duplicates_do_not_stop_it(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    vel_field *d = toy_field(t, "obsp/distances");
    for (int64_t i = 3; i < 6; i++)
        for (int64_t e = d->indptr[i]; e < d->indptr[i + 1]; e++) {
            if (d->type == VEL_F32)
                ((float *)d->data)[e] = 0;
            else
                ((double *)d->data)[e] = 0;
        }
    assert_int_equal(toy_run(t, "velocity_graph"), VEL_OK);
    assert_non_null(strstr(t->said, "3 cells (cell3, …) have all their neighbours at distance 0"));
    const vel_field *p = toy_field(t, "uns/velocity_graph");
    assert_true(p->indptr[4] > p->indptr[3]);
    toy_free(t);
}

static void velocities_of_zero_give_an_empty_graph(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    vel_field *v = toy_field(t, "layers/velocity");
    memset(v->data, 0, (size_t)(v->rows * v->cols) * sizeof(float));
    assert_int_equal(toy_run(t, "velocity_graph"), VEL_OK);
    assert_int_equal(stored(t, "uns/velocity_graph"), 0);
    assert_non_null(strstr(t->said, "all velocities are 0"));
    toy_free(t);
}

static void no_gene_left_is_told(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    vel_field *v = toy_field(t, "layers/velocity");
    for (int g = 0; g < TOY_GENES; g++) ((float *)v->data)[g * TOY_CELLS] = NAN;
    assert_int_equal(toy_run(t, "velocity_graph"), VEL_ENONE);
    assert_non_null(strstr(t->ctx.message, "NaN"));
    assert_int_equal(toy_run(t, "velocity_graph gene_subset=[\"nobody\"]"), VEL_ENONE);
    assert_non_null(strstr(t->ctx.message, "gene_subset"));
    toy_free(t);
}

static void lots_are_drawn_by_the_seed(void **state) {
    (void)state;
    static const char *const calls[] = {"velocity_graph random_neighbors_at_max=10",
                                        "velocity_graph random_neighbors_at_max=10",
                                        "velocity_graph random_neighbors_at_max=10 random_state=1"};
    int64_t entries[3];
    double sums[3] = {0};
    velocity_toy *t = toy_after(to_velocity);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(toy_run(t, calls[i]), VEL_OK);
        const vel_field *p = toy_field(t, "uns/velocity_graph");
        entries[i] = p->indptr[TOY_CELLS];
        for (int64_t e = 0; e < entries[i]; e++) sums[i] += (double)((const float *)p->data)[e];
        assert_true(entries[i] + stored(t, "uns/velocity_graph_neg") <= 10 * TOY_CELLS);
    }
    assert_true(entries[0] == entries[1] && sums[0] == sums[1]);
    assert_true(sums[0] != sums[2]);
    toy_free(t);
}

static void uncertainties_are_written_on_request(void **state) {
    (void)state;
    velocity_toy *t = toy_after(to_velocity);
    assert_int_equal(toy_run(t, "velocity_graph"), VEL_OK);
    assert_false(vel_has(t->ad, "uns/velocity_graph_uncertainties"));
    assert_int_equal(toy_run(t, "velocity_graph compute_uncertainties=true"), VEL_OK);
    assert_true(stored(t, "uns/velocity_graph_uncertainties") > 0);
    toy_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_hold_cosines_of_either_sign),
        cmocka_unit_test(what_was_done_is_recorded),
        cmocka_unit_test(fewer_neighbours_give_a_smaller_graph),
        cmocka_unit_test(more_neighbours_than_stored_are_searched),
        cmocka_unit_test(duplicates_do_not_stop_it),
        cmocka_unit_test(velocities_of_zero_give_an_empty_graph),
        cmocka_unit_test(no_gene_left_is_told),
        cmocka_unit_test(lots_are_drawn_by_the_seed),
        cmocka_unit_test(uncertainties_are_written_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
