#include "core/connectivity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"

enum { N = 6, K = 4 };

static const int32_t nearest[N * K] = {0, 1, 2, 3, 1, 0, 2, 3, 2, 5, 0, 1, 3, 1, 5, 0, 4, 3, 5, 2, 5, 2, 3, 1};

/* Distances of the points (0,0) (1,0) (0,2) (3,1) (4,4) (1,3). */
static vel_neighbors neighbors(double *distances) {
    const double x[N] = {0, 1, 0, 3, 4, 1}, y[N] = {0, 0, 2, 1, 4, 3};
    for (int i = 0; i < N; i++)
        for (int r = 0; r < K; r++) {
            int j = nearest[i * K + r];
            distances[i * K + r] =
                (double)sqrtf((float)((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j])));
        }
    return (vel_neighbors){N, K, nearest, distances};
}

static void the_nearest_neighbour_has_strength_one_and_strengths_sum_to_log2_k(void **state) {
    double d[N * K];
    float sigma[N], rho[N];
    vel_neighbors nb = neighbors(d);
    assert_int_equal(vel_connectivity_scales(*state, &nb, sigma, rho), VEL_OK);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int r = 1; r < K; r++) sum += fmin(1, exp(-(d[i * K + r] - rho[i]) / sigma[i]));
        assert_true((double)rho[i] == d[i * K + 1]);
        assert_true(fabs(sum - log2(K)) < 2e-5); /* bisection stops at 1e-5, sigma is a float32 */
    }
}

static void the_graph_is_symmetric_with_strengths_up_to_one(void **state) {
    double d[N * K], dense[N][N] = {{0}};
    vel_neighbors nb = neighbors(d);
    vel_csr g;
    assert_int_equal(vel_connectivity(*state, &nb, &g), VEL_OK);
    for (int i = 0; i < N; i++)
        for (int64_t e = g.indptr[i]; e < g.indptr[i + 1]; e++) {
            dense[i][g.indices[e]] = ((const float *)g.values)[e];
            assert_true(e == g.indptr[i] || g.indices[e] > g.indices[e - 1]);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            assert_true(dense[i][j] == dense[j][i] && dense[i][j] >= 0 && dense[i][j] <= 1);
            assert_true(i != j || dense[i][j] == 0);
        }
}

/* Distances so alike that sigma is at its floor, 0.001 of the row's mean: umap-learn 0.5.12, smooth_knn_dist, whose
 * compiled loop does not round that mean to single precision. */
static void the_floor_of_sigma_is_of_the_unrounded_mean(void **state) {
    enum { M = 30 };
    double d[M] = {0};
    int32_t nearest_of[M] = {0};
    float sigma, rho, sum = 0;
    for (int r = 1; r < M; r++) d[r] = 80.1f + 0.001f * (float)r;
    for (int r = 0; r < M; r++) sum += (float)d[r];
    const vel_neighbors nb = {1, M, nearest_of, d};
    assert_int_equal(vel_connectivity_scales(*state, &nb, &sigma, &rho), VEL_OK);
    assert_true(sigma == (float)(1e-3 * ((double)sum / M)));
    assert_true(sigma == 0x1.3d3672p-4f);
}

/* umap-learn 0.5.12, fuzzy_simplicial_set. */
static void agrees_with_the_reference_bit_for_bit(void **state) {
    const int64_t indptr[] = {0, 3, 7, 11, 15, 18, 22};
    const int32_t indices[] = {1, 2, 3, 0, 2, 3, 5, 0, 1, 4, 5, 0, 1, 4, 5, 2, 3, 5, 1, 2, 3, 4};
    const float values[] = {0x1p+0f,         0x1.ac86c0p-1f, 0x1.45af76p-1f, 0x1p+0f,        0x1.710acap-1f,
                            0x1p+0f,         0x1.ebafbcp-2f, 0x1.ac86c0p-1f, 0x1.710acap-1f, 0x1.b2da3ep-31f,
                            0x1p+0f,         0x1.45af76p-1f, 0x1p+0f,        0x1p+0f,        0x1.97fab8p-1f,
                            0x1.b2da3ep-31f, 0x1p+0f,        0x1p+0f,        0x1.ebafbcp-2f, 0x1p+0f,
                            0x1.97fab8p-1f,  0x1p+0f};
    double d[N * K];
    vel_neighbors nb = neighbors(d);
    vel_csr g;
    assert_int_equal(vel_connectivity(*state, &nb, &g), VEL_OK);
    assert_memory_equal(g.indptr, indptr, sizeof indptr);
    assert_memory_equal(g.indices, indices, sizeof indices);
    assert_memory_equal(g.values, values, sizeof values);
}

static void distances_leave_the_point_out_and_keep_zeros_of_duplicates(void **state) {
    const int32_t indices[] = {0, 2, 1, 1, 2, 0, 2, 0, 1};
    const double d[] = {0, 0, 3, 0, 2, 3, 0, 0, 2};
    const int32_t columns[] = {1, 2, 0, 2, 0, 1};
    const double values[] = {3, 0, 3, 2, 0, 2};
    vel_neighbors nb = {3, 3, indices, d};
    int64_t indptr[4];
    int32_t found[6];
    double lengths[6];
    assert_int_equal(vel_neighbors_distances(*state, &nb, &(vel_distances_room){indptr, found, lengths}), VEL_OK);
    assert_memory_equal(found, columns, sizeof columns);
    assert_memory_equal(lengths, values, sizeof values);
}

static void points_that_are_all_alike_are_tied_with_strength_one(void **state) {
    const int32_t indices[] = {0, 1, 1, 0, 2, 0};
    const double d[6] = {0};
    vel_neighbors nb = {3, 2, indices, d};
    vel_csr g;
    assert_int_equal(vel_connectivity(*state, &nb, &g), VEL_OK);
    assert_int_equal(g.indptr[3], 4);
    for (int e = 0; e < 4; e++) assert_true(((const float *)g.values)[e] == 1);
}

/* A distance of 200 scales is a strength that single precision has no number for. */
static void ties_without_strength_are_not_stored(void **state) {
    const int64_t indptr[] = {0, 1, 2, 3};
    const int32_t columns[] = {1, 0, 0};
    const double d[] = {1, 1, 200};
    const float sigma[] = {1, 1, 1}, rho[] = {1, 1, 0};
    const vel_csr distances = {3, 3, indptr, columns, d, VEL_F64};
    int64_t counted[4];
    int32_t indices[4];
    float values[4];
    vel_ties ties;
    assert_int_equal(vel_ties_make(*state, &distances, sigma, rho, &ties), VEL_OK);
    vel_ties_count(&ties, counted);
    assert_int_equal(counted[3], 4);
    assert_int_equal(vel_ties_unite(*state, &ties, &(vel_csr_room){counted, indices, values}), VEL_OK);
    assert_memory_equal(counted, ((int64_t[]){0, 1, 2, 2}), sizeof counted);
    assert_memory_equal(indices, ((int32_t[]){1, 0}), 2 * sizeof *indices);
    assert_true(values[0] == 1 && values[1] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_neighbour_has_strength_one_and_strengths_sum_to_log2_k),
        cmocka_unit_test(the_graph_is_symmetric_with_strengths_up_to_one),
        cmocka_unit_test(the_floor_of_sigma_is_of_the_unrounded_mean),
        cmocka_unit_test(agrees_with_the_reference_bit_for_bit),
        cmocka_unit_test(distances_leave_the_point_out_and_keep_zeros_of_duplicates),
        cmocka_unit_test(points_that_are_all_alike_are_tied_with_strength_one),
        cmocka_unit_test(ties_without_strength_are_not_stored),
    };
    return cmocka_run_group_tests_name("core/connectivity", tests, new_context, free_context);
}
