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

/* ---- the layer's own memory */

enum { CELLS = 500, GENES = 300, NEAR = 6 };

static float level(int64_t cell, int64_t gene) { return (float)(1 + sin(0.02 * (double)cell + 0.7 * (double)gene)); }

/* Cells along a line, each with NEAR neighbours ahead and behind; its expression as a dense layer, and as a sparse one,
 * which is always copied. */
static vel_adata *make_line(vel_ctx *ctx, vel_type type) {
    vel_adata *ad;
    vel_field *ms, *v, *d, *sparse;
    assert_int_equal(vel_adata_new(ctx, CELLS, GENES, &ad), VEL_OK);
    assert_int_equal(vel_put_dense(ctx, ad, "layers/Ms", type, vel_matrix(CELLS, GENES), &ms), VEL_OK);
    assert_int_equal(vel_put_dense(ctx, ad, "layers/velocity", VEL_F32, vel_matrix(CELLS, GENES), &v), VEL_OK);
    assert_int_equal(
        vel_put_sparse(ctx, ad, "layers/copied", VEL_F32, vel_matrix(CELLS, GENES), CELLS * GENES, &sparse), VEL_OK);
    assert_int_equal(vel_put_sparse(ctx, ad, "obsp/distances", VEL_F64, vel_matrix(CELLS, CELLS), CELLS * 2 * NEAR, &d),
                     VEL_OK);
    for (int64_t c = 0; c < CELLS; c++) {
        for (int64_t g = 0; g < GENES; g++) {
            int64_t at = g * CELLS + c, e = c * GENES + g;
            if (type == VEL_F32)
                ((float *)ms->data)[at] = level(c, g);
            else
                ((double *)ms->data)[at] = (double)level(c, g) * (1 + 1e-12);
            ((float *)v->data)[at] = level(c + 1, g) - level(c, g);
            sparse->indices[e] = (int32_t)g;
            ((float *)sparse->data)[e] = level(c, g);
        }
        sparse->indptr[c + 1] = (c + 1) * GENES;
        int64_t first = c < NEAR ? 0 : c > CELLS - 1 - NEAR ? CELLS - 1 - 2 * NEAR : c - NEAR, e = c * 2 * NEAR;
        for (int64_t j = first; e < (c + 1) * 2 * NEAR; j++) {
            if (j == c) continue;
            d->indices[e] = (int32_t)j;
            ((double *)d->data)[e++] = fabs((double)(j - c));
        }
        d->indptr[c + 1] = e;
    }
    return ad;
}

/* Returns how many entries they have. */
static size_t compare_graphs(vel_ctx *ctx, vel_adata *a, vel_adata *b, const char *path) {
    const vel_field *f, *g;
    assert_int_equal(vel_get(ctx, a, path, &f), VEL_OK);
    assert_int_equal(vel_get(ctx, b, path, &g), VEL_OK);
    size_t n = (size_t)f->indptr[CELLS];
    assert_memory_equal(f->indptr, g->indptr, (CELLS + 1) * sizeof *f->indptr);
    assert_memory_equal(f->indices, g->indices, n * sizeof *f->indices);
    assert_memory_equal(f->data, g->data, n * sizeof(float));
    return n;
}

static void check_turned(vel_type type, int threads) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = threads};
    vel_adata *turned = make_line(&ctx, type), *copied = make_line(&ctx, type);
    size_t bytes = CELLS * GENES * vel_type_size(type);
    const vel_field *ms, *as_before;
    assert_int_equal(vel_run_recipe(&ctx, "velocity_graph", &turned), VEL_OK);
    assert_int_equal(vel_run_recipe(&ctx, "velocity_graph xkey=copied", &copied), VEL_OK);
    assert_true(compare_graphs(&ctx, turned, copied, "uns/velocity_graph") > CELLS);
    assert_true(compare_graphs(&ctx, turned, copied, "uns/velocity_graph_neg") > CELLS);
    assert_int_equal(vel_get(&ctx, turned, "layers/Ms", &ms), VEL_OK);
    assert_int_equal(vel_get(&ctx, copied, "layers/Ms", &as_before), VEL_OK);
    assert_memory_equal(ms->data, as_before->data, bytes);
    vel_adata_free(turned);
    vel_adata_free(copied);
    vel_arena_free(ctx.scratch);
}

static void a_layer_in_memory_gives_the_graph_of_a_copy_and_is_put_back(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        check_turned(VEL_F32, threads);
        check_turned(VEL_F64, threads);
    }
}

/* The layer of the velocities is read while the graph is made. */
static void velocities_may_be_the_expression(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *same = make_line(&ctx, VEL_F32), *copied = make_line(&ctx, VEL_F32);
    assert_int_equal(vel_run_recipe(&ctx, "velocity_graph vkey=Ms", &same), VEL_OK);
    assert_int_equal(vel_run_recipe(&ctx, "velocity_graph vkey=Ms xkey=copied", &copied), VEL_OK);
    size_t n = compare_graphs(&ctx, same, copied, "uns/Ms_graph");
    assert_true(n + compare_graphs(&ctx, same, copied, "uns/Ms_graph_neg") > CELLS);
    vel_adata_free(same);
    vel_adata_free(copied);
    vel_arena_free(ctx.scratch);
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
        cmocka_unit_test(a_layer_in_memory_gives_the_graph_of_a_copy_and_is_put_back),
        cmocka_unit_test(velocities_may_be_the_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
