#include "core/hvg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/fmath.h"
#include "tests/context.h"
#include "tests/core/counts_pair.h"

static void moments_are_those_of_the_counts_before_the_logarithm(void **state) {
    counts_pair p;
    double mean[PAIR_COLS], var[PAIR_COLS], counts[PAIR_CELLS];
    counts_pair_make(&p, 1, 1);
    memcpy(counts, p.genes_f64, sizeof counts);
    for (int e = 0; e < PAIR_CELLS; e++) p.genes_f64[e] = vel_log1p(counts[e]);
    assert_int_equal(vel_hvg_moments(*state, &p.gene_major, 0, mean, var), VEL_OK);
    for (int g = 0; g < PAIR_COLS; g++) {
        double m = 0, v = 0;
        for (int i = 0; i < PAIR_ROWS; i++) m += counts[g * PAIR_ROWS + i] / PAIR_ROWS;
        for (int i = 0; i < PAIR_ROWS; i++) v += pow(counts[g * PAIR_ROWS + i] - m, 2) / (PAIR_ROWS - 1);
        assert_true(fabs(mean[g] - m) < 1e-13 * m); /* log1p and expm1 round once each */
        assert_true(fabs(var[g] - v) < 1e-12 * v);
    }
}

static void sparse_and_dense_agree_and_so_do_bases(void **state) {
    counts_pair p;
    double mean[2][PAIR_COLS], var[2][PAIR_COLS];
    counts_pair_make(&p, 2, 0.3);
    assert_int_equal(vel_hvg_moments(*state, &p.sparse, 0, mean[0], var[0]), VEL_OK);
    assert_int_equal(vel_hvg_moments(*state, &p.row_major, 0, mean[1], var[1]), VEL_OK);
    assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
    assert_memory_equal(var[0], var[1], sizeof var[0]);
    assert_int_equal(vel_hvg_moments(*state, &p.sparse_f64, 2, mean[0], var[0]), VEL_OK);
    double sum = 0;
    for (int i = 0; i < PAIR_ROWS; i++) sum += pow(2, p.dense[i * PAIR_COLS]) - 1;
    assert_true(fabs(mean[0][0] - sum / PAIR_ROWS) < 1e-13 * sum);
}

/* Whatever is summed side by side, and in pieces. */
static void a_gene_is_summed_over_its_cells_in_order(void **state) {
    enum { N = 301, G = 7 };
    static float genes[G * N], rows[N * G];
    double mean[2][G], var[2][G];
    for (int g = 0; g < G; g++)
        for (int i = 0; i < N; i++) genes[g * N + i] = rows[i * G + g] = (float)((i * 37 + g * 11) % 29) * 0.17f;
    const vel_counts columns = {N, G, VEL_F32, genes, NULL, NULL, true, false};
    const vel_counts lines = {N, G, VEL_F32, rows, NULL, NULL, false, false};
    assert_int_equal(vel_hvg_moments(*state, &columns, 0, mean[0], var[0]), VEL_OK);
    assert_int_equal(vel_hvg_moments(*state, &lines, 0, mean[1], var[1]), VEL_OK);
    for (int g = 0; g < G; g++) {
        double sum = 0, square = 0, n = N;
        for (int i = 0; i < N; i++) {
            float y = vel_expm1f(genes[g * N + i]), y2 = y * y;
            sum += (double)y;
            square += (double)y2;
        }
        sum /= n;
        double expected = (square / n - sum * sum) * (n / (n - 1));
        for (int k = 0; k < 2; k++) assert_true(mean[k][g] == sum && var[k][g] == expected);
    }
}

/* scanpy 1.11.5 on 8 cells x 6 genes, float32, n_bins=3, n_top_genes=2. */
static void agrees_with_the_reference_bit_for_bit(void **state) {
    enum { N = 8, G = 6 };
    const double means[] = {0x1.5ac3816cc080fp+0, 0x1.a25660fc539e6p+0, 0x1.880ed685f15f8p+0,
                            0x1.5ac381aed104fp+0, 0x1.061acc9140e62p+1, 0x1.19799812de065p-40};
    const double dispersions[] = {0x1.09f4e642dfce4p+0, 0x1.e7db289aa7bbep-1, 0x1.9e06a520c3921p+0,
                                  0x1.b4d94cc41751dp+0, 0x1.e39078d49916cp-1, NAN};
    const float norms[] = {-0x1.6a09e6p-1f, -0x1.22070cp-1f, 0x1.2795fep+0f, 0x1.6a09e6p-1f, -0x1.2d24f2p-1f, NAN};
    const uint8_t chosen[] = {0, 0, 1, 1, 0, 0};
    float x[N * G];
    double mean[G], disp[G], norm[G];
    uint8_t top[G];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < G; j++)
            x[j * N + i] = j == 5 ? 0 : (float)((i * 7 + j * 5 + i * j) % 11 * ((i + j) % 3 != 0));
    for (int e = 0; e < N * G; e++) x[e] = vel_log1pf(x[e]);
    const vel_counts m = {N, G, VEL_F32, x, NULL, NULL, true, false};
    assert_int_equal(vel_hvg_moments(*state, &m, 0, mean, disp), VEL_OK);
    vel_hvg_dispersion(G, mean, disp);
    assert_int_equal(vel_hvg_normalize(*state, G, mean, disp, 3, norm), VEL_OK);
    assert_int_equal(vel_hvg_top(*state, G, norm, 2, top), VEL_OK);
    assert_memory_equal(mean, means, sizeof mean);
    for (int g = 0; g < G; g++) {
        assert_true(disp[g] == dispersions[g] || (isnan(disp[g]) && isnan(dispersions[g])));
        assert_true((float)norm[g] == norms[g] || (isnan(norm[g]) && isnan(norms[g])));
    }
    assert_memory_equal(top, chosen, sizeof top);
}

static void a_gene_alone_in_its_bin_has_norm_one(void **state) {
    const double mean[] = {0, 0.1, 0.2, 10}, disp[] = {1, 2, 3, -7};
    double norm[4];
    assert_int_equal(vel_hvg_normalize(*state, 4, mean, disp, 2, norm), VEL_OK);
    assert_true(norm[3] == 1);
    assert_true(fabs(norm[0] + 1) < 1e-15 && norm[1] == 0); /* mean 2, deviation 1 */
}

static void one_value_of_mean_makes_one_bin(void **state) {
    const double mean[] = {2, 2, 2}, disp[] = {1, 2, 3};
    double norm[3];
    assert_int_equal(vel_hvg_normalize(*state, 3, mean, disp, 20, norm), VEL_OK);
    assert_true(norm[0] == -1 && norm[1] == 0 && norm[2] == 1);
}

static void ties_at_the_cut_are_all_chosen_or_exactly_counted(void **state) {
    const double norm[] = {1, NAN, 3, 1, 2, 1};
    uint8_t top[6], exact[6];
    const uint8_t all_ties[] = {1, 0, 1, 1, 1, 1}, first_ties[] = {1, 0, 1, 0, 1, 0};
    assert_int_equal(vel_hvg_top(*state, 6, norm, 3, top), VEL_OK);
    assert_int_equal(vel_hvg_exactly(*state, 6, norm, 3, exact), VEL_OK);
    assert_memory_equal(top, all_ties, sizeof top);
    assert_memory_equal(exact, first_ties, sizeof exact);
    assert_int_equal(vel_hvg_exactly(*state, 6, norm, 99, exact), VEL_OK);
    for (int g = 0; g < 6; g++) assert_int_equal(exact[g], 1);
}

static void limits_are_strict_and_nan_counts_as_zero(void **state) {
    (void)state;
    const double mean[] = {1, 1, 3, 1}, norm[] = {0.5, 0.6, 0.6, NAN};
    const vel_hvg_limits usual = {0.0125, 3, 0.5, INFINITY}, low = {0.0125, 3, -1, INFINITY};
    uint8_t chosen[4];
    vel_hvg_within(4, mean, norm, &usual, chosen);
    assert_true(!chosen[0] && chosen[1] && !chosen[2] && !chosen[3]);
    vel_hvg_within(4, mean, norm, &low, chosen);
    assert_true(chosen[3]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_those_of_the_counts_before_the_logarithm),
        cmocka_unit_test(sparse_and_dense_agree_and_so_do_bases),
        cmocka_unit_test(a_gene_is_summed_over_its_cells_in_order),
        cmocka_unit_test(agrees_with_the_reference_bit_for_bit),
        cmocka_unit_test(a_gene_alone_in_its_bin_has_norm_one),
        cmocka_unit_test(one_value_of_mean_makes_one_bin),
        cmocka_unit_test(ties_at_the_cut_are_all_chosen_or_exactly_counted),
        cmocka_unit_test(limits_are_strict_and_nan_counts_as_zero),
    };
    return cmocka_run_group_tests_name("core/hvg", tests, new_context, free_context);
}
