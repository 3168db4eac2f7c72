#include "core/filter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "counts_pair.h"

static int setup(void **state) {
    static vel_ctx ctx;
    ctx = test_ctx(2);
    *state = &ctx;
    return 0;
}

static int teardown(void **state) {
    vel_arena_free(((vel_ctx *)*state)->scratch);
    return 0;
}

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
    const vel_counts *of_s[] = {&s.sparse, &s.gene_major, &s.row_major},
                     *of_u[] = {&u.sparse, &u.sparse, &u.gene_major};
    for (int m = 0; m < 3; m++) {
        vel_type type;
        assert_int_equal(vel_filter_shared(*state, of_s[m], of_u[m], sum, positive, &type), VEL_OK);
        assert_memory_equal(sum, expected, sizeof sum);
        assert_memory_equal(positive, cells, sizeof cells);
        assert_int_equal(type, m == 0 ? VEL_F32 : VEL_F64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_inclusive),
        cmocka_unit_test(no_bounds_keep_all_and_dropped_genes_stay_dropped),
        cmocka_unit_test(a_bound_is_rounded_to_the_type_of_the_counts),
        cmocka_unit_test(shared_counts_need_both_layers_in_one_cell),
    };
    return cmocka_run_group_tests_name("core/filter", tests, setup, teardown);
}
