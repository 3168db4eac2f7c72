#include "core/filter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/core/counts_pair.h"

static void bounds_are_inclusive(void **state) {
    (void)state;
    const double sum[] = {19, 20, 21, 50, 51};
    const int64_t cells[] = {3, 3, 2, 3, 3};
    uint8_t keep[] = {1, 1, 1, 1, 1};
    const vel_bounds b = {20, 50, 3, INFINITY};
    vel_filter_keep(&b, VEL_F32, 5, sum, cells, keep);
    const uint8_t expected[] = {0, 1, 0, 1, 0};
    assert_memory_equal(keep, expected, sizeof keep);
}

static void no_bounds_keep_all_and_dropped_genes_stay_dropped(void **state) {
    (void)state;
    const double sum[] = {0, 1e30};
    const int64_t cells[] = {0, 9};
    uint8_t keep[] = {1, 0};
    const vel_bounds b = {-INFINITY, INFINITY, -INFINITY, INFINITY};
    vel_filter_keep(&b, VEL_F64, 2, sum, cells, keep);
    assert_true(keep[0] && !keep[1]);
}

static void a_bound_is_rounded_to_the_type_of_the_counts(void **state) {
    (void)state;
    const double sum[] = {(double)0.1f};
    const int64_t cells[] = {1};
    const vel_bounds b = {0.1, INFINITY, -INFINITY, INFINITY};
    uint8_t narrow[] = {1}, wide[] = {1};
    vel_filter_keep(&b, VEL_F32, 1, sum, cells, narrow);
    vel_filter_keep(&b, VEL_F64, 1, sum, cells, wide);
    assert_true(narrow[0] && wide[0]); /* 0.1f is above 0.1 */
    const vel_bounds above = {(double)0.1f + 1e-12, INFINITY, -INFINITY, INFINITY};
    vel_filter_keep(&above, VEL_F32, 1, sum, cells, narrow);
    vel_filter_keep(&above, VEL_F64, 1, sum, cells, wide);
    assert_true(narrow[0] && !wide[0]);
}

static void shared_counts_need_both_layers_in_one_cell(void **state) {
    counts_pair s, u;
    counts_pair_make(&s, 1, 1);
    counts_pair_make(&u, 2, 1);
    double expected[PAIR_COLS] = {0}, sum[PAIR_COLS];
    int64_t cells[PAIR_COLS] = {0}, positive[PAIR_COLS];
    for (int i = 0; i < PAIR_CELLS; i++) {
        if (s.dense[i] <= 0 || u.dense[i] <= 0) continue;
        expected[i % PAIR_COLS] += s.dense[i] + u.dense[i];
        cells[i % PAIR_COLS]++;
    }
    const vel_counts *of_s[] = {&s.sparse, &s.sparse_f64, &s.gene_major, &s.gene_major, &s.row_major},
                     *of_u[] = {&u.sparse, &u.sparse_f64, &u.gene_major, &u.sparse, &u.gene_major};
    for (int m = 0; m < 5; m++) {
        vel_type type;
        assert_int_equal(vel_filter_shared(*state, of_s[m], of_u[m], sum, positive, &type), VEL_OK);
        assert_memory_equal(sum, expected, sizeof sum);
        assert_memory_equal(positive, cells, sizeof cells);
        assert_int_equal(type, m == 0 ? VEL_F32 : VEL_F64);
    }
}

/* In the type of the matrices, whatever is summed side by side and in pieces; NaN and negative values are no counts. */
static void shared_counts_are_summed_over_cells_in_order(void **state) {
    enum { N = 1103, G = 6 };
    static float s[G * N], u[G * N], rows_s[G * N], rows_u[G * N];
    static double wide_s[G * N], wide_u[G * N];
    for (int e = 0; e < G * N; e++) {
        int at = e % N * G + e / N;
        s[e] = e % 97 == 5 ? NAN : (float)(e * 37 % 29 % 7 - 1) * 0.3f;
        u[e] = e % 89 == 7 ? NAN : (float)(e * 41 % 31 % 5 - 1) * 0.7f;
        rows_s[at] = s[e], rows_u[at] = u[e], wide_s[e] = s[e], wide_u[e] = u[e];
    }
    const vel_counts of_s[] = {{N, G, VEL_F32, s, NULL, NULL, true, false},
                               {N, G, VEL_F32, rows_s, NULL, NULL, false, false},
                               {N, G, VEL_F64, wide_s, NULL, NULL, true, false}};
    const vel_counts of_u[] = {{N, G, VEL_F32, u, NULL, NULL, true, false},
                               {N, G, VEL_F32, rows_u, NULL, NULL, false, false},
                               {N, G, VEL_F64, wide_u, NULL, NULL, true, false}};
    for (int m = 0; m < 3; m++) {
        double sum[G];
        int64_t positive[G];
        vel_type type;
        assert_int_equal(vel_filter_shared(*state, &of_s[m], &of_u[m], sum, positive, &type), VEL_OK);
        for (int g = 0; g < G; g++) {
            float narrow = 0;
            double wide = 0;
            int64_t cells = 0;
            for (int e = g * N; e < (g + 1) * N; e++) {
                if (!(s[e] > 0 && u[e] > 0)) continue;
                float both = s[e] + u[e];
                narrow += both;
                wide += wide_s[e] + wide_u[e];
                cells++;
            }
            assert_true(sum[g] == (type == VEL_F32 ? (double)narrow : wide));
            assert_int_equal(positive[g], cells);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_inclusive),
        cmocka_unit_test(no_bounds_keep_all_and_dropped_genes_stay_dropped),
        cmocka_unit_test(a_bound_is_rounded_to_the_type_of_the_counts),
        cmocka_unit_test(shared_counts_need_both_layers_in_one_cell),
        cmocka_unit_test(shared_counts_are_summed_over_cells_in_order),
    };
    return cmocka_run_group_tests_name("core/filter", tests, new_context, free_context);
}
