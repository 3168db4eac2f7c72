#include "pipelines/graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 5 };

typedef struct {
    vel_ctx ctx;
    vel_adata *ad;
} bench;

static int setup(void **state) {
    static bench b;
    b = (bench){.ctx = {.scratch = vel_arena_new(), .threads = 1}};
    *state = &b;
    return vel_adata_new(&b.ctx, N, 2, &b.ad);
}

static int teardown(void **state) {
    bench *b = *state;
    vel_adata_free(b->ad);
    vel_arena_free(b->ctx.scratch);
    return 0;
}

/* A ring whose weights grow with the column, and an explicit zero in row 0. */
static void put_ring(bench *b, const char *path) {
    vel_field *f;
    assert_int_equal(vel_put_sparse(&b->ctx, b->ad, path, VEL_F32, vel_matrix(N, N), 2 * N + 1, &f), VEL_OK);
    int64_t e = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            bool near = j == (i + 1) % N || j == (i + N - 1) % N;
            if (!near && !(i == 0 && j == 2)) continue;
            f->indices[e] = j;
            ((float *)f->data)[e++] = near ? (float)(j + 1) : 0;
        }
        f->indptr[i + 1] = e;
    }
}

static void a_graph_in_obsp_only_is_a_graph(void **state) {
    bench *b = *state;
    vel_csr g;
    assert_false(vel_has_graph(b->ad));
    assert_int_equal(vel_read_graph(&b->ctx, b->ad, "connectivities", &g), VEL_EKEY);
    put_ring(b, "obsp/connectivities");
    assert_true(vel_has_graph(b->ad));
    assert_int_equal(vel_read_graph(&b->ctx, b->ad, "connectivities", &g), VEL_OK);
    assert_int_equal(g.indptr[N], 2 * N + 1);
}

static void the_key_in_uns_leads_to_the_graph(void **state) {
    bench *b = *state;
    const char *path;
    put_ring(b, "obsp/connectivities");
    put_ring(b, "obsp/mine_connectivities");
    assert_int_equal(vel_put_text(&b->ctx, b->ad, "uns/neighbors/connectivities_key", "mine_connectivities"), VEL_OK);
    assert_int_equal(vel_graph_path(&b->ctx, b->ad, "connectivities", &path), VEL_OK);
    assert_string_equal(path, "obsp/mine_connectivities");
    assert_int_equal(vel_put_text(&b->ctx, b->ad, "uns/neighbors/connectivities_key", "gone"), VEL_OK);
    assert_int_equal(vel_graph_path(&b->ctx, b->ad, "connectivities", &path), VEL_OK);
    assert_string_equal(path, "obsp/connectivities");
}

static void one_matrix_stands_in_for_the_other(void **state) {
    bench *b = *state;
    const char *path;
    put_ring(b, "obsp/distances");
    assert_int_equal(vel_graph_path(&b->ctx, b->ad, "connectivities", &path), VEL_OK);
    assert_string_equal(path, "obsp/distances");
}

static void the_average_runs_over_positive_entries_and_the_cell(void **state) {
    bench *b = *state;
    vel_average avg;
    put_ring(b, "obsp/connectivities");
    assert_int_equal(vel_read_average(&b->ctx, b->ad, "connectivities", 30, &avg), VEL_OK);
    for (int i = 0; i < N; i++) assert_int_equal(avg.indptr[i + 1] - avg.indptr[i], 3);
    assert_true(avg.weight[0] == (float)(1.0 / 3));
}

static void fewer_neighbours_than_stored_are_the_strongest(void **state) {
    bench *b = *state;
    vel_average avg;
    put_ring(b, "obsp/connectivities");
    put_ring(b, "obsp/distances");
    assert_int_equal(vel_put_int(&b->ctx, b->ad, "uns/neighbors/params/n_neighbors", 3), VEL_OK);
    assert_int_equal(vel_read_average(&b->ctx, b->ad, "connectivities", 1, &avg), VEL_OK);
    const int32_t strongest[] = {0, 4, 1, 2, 2, 3, 3, 4, 3, 4}; /* the cell and its neighbour of the highest column */
    assert_memory_equal(avg.indices, strongest, sizeof strongest);
    assert_int_equal(vel_read_average(&b->ctx, b->ad, "distances", 1, &avg), VEL_OK);
    const int32_t nearest[] = {0, 1, 0, 1, 1, 2, 2, 3, 0, 4};
    assert_memory_equal(avg.indices, nearest, sizeof nearest);
}

static void a_dense_graph_is_taken_too(void **state) {
    bench *b = *state;
    vel_field *f;
    vel_csr g;
    assert_int_equal(vel_put_dense(&b->ctx, b->ad, "obsp/connectivities", VEL_F64, vel_matrix(N, N), &f), VEL_OK);
    ((double *)f->data)[1] = 0.5;
    ((double *)f->data)[4 * N + 2] = 0.25;
    assert_int_equal(vel_read_graph(&b->ctx, b->ad, "connectivities", &g), VEL_OK);
    assert_int_equal(g.indptr[N], 2);
    assert_int_equal(g.indices[1], 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_graph_in_obsp_only_is_a_graph),
        TEST(the_key_in_uns_leads_to_the_graph),
        TEST(one_matrix_stands_in_for_the_other),
        TEST(the_average_runs_over_positive_entries_and_the_cell),
        TEST(fewer_neighbours_than_stored_are_the_strongest),
        TEST(a_dense_graph_is_taken_too),
    };
    return cmocka_run_group_tests_name("pipelines/graph", tests, NULL, NULL);
}
