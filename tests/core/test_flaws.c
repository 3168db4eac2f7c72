#include "core/flaws.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/core/counts_pair.h"

static void the_first_value_that_is_no_count_is_found_with_its_place(void **state) {
    counts_pair p;
    vel_flawed bad;
    counts_pair_make(&p, 5, 1);
    assert_int_equal(vel_counts_find(*state, &p.sparse, VEL_NOT_COUNT, &bad), VEL_OK);
    assert_int_equal(bad.row, -1);
    int64_t e = p.indptr[40] + 1;
    p.values[e] = -2;
    p.genes_f64[7 * PAIR_ROWS + 33] = NAN;
    assert_int_equal(vel_counts_find(*state, &p.sparse, VEL_NOT_COUNT, &bad), VEL_OK);
    assert_int_equal(bad.row, 40);
    assert_int_equal(bad.col, p.indices[e]);
    assert_true(bad.value == -2);
    assert_int_equal(vel_counts_find(*state, &p.sparse, VEL_NOT_FINITE, &bad), VEL_OK);
    assert_int_equal(bad.row, -1);
    assert_int_equal(vel_counts_find(*state, &p.gene_major, VEL_NOT_FINITE, &bad), VEL_OK);
    assert_int_equal(bad.row, 33);
    assert_int_equal(bad.col, 7);
}

/* Values are looked at in runs; what may be odd in one is looked at again. */
static void no_flaw_is_overlooked(void **state) {
    static const struct {
        double value;
        bool flawed[4]; /* not finite, no count, not whole, not raw */
    } rows[] = {
        {NAN, {true, true, true, true}},
        {INFINITY, {true, true, true, true}},
        {-INFINITY, {true, true, true, true}},
        {-1, {false, true, false, true}},
        {-0.5, {false, true, true, true}},
        {0.5, {false, false, true, true}},
        {3.0005, {false, false, false, false}},
        {-3.0005, {false, true, true, true}},
        {0x1p51 + 0.5, {false, false, true, true}},
        {0x1p60, {false, false, false, false}},
        {1e300, {false, false, false, false}},
        {-0.0, {false, false, false, false}},
    };
    counts_pair p;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int flaw = VEL_NOT_FINITE; flaw <= VEL_NOT_RAW; flaw++)
            for (int e = 3; e < PAIR_CELLS; e += 89) {
                vel_flawed bad;
                counts_pair_make(&p, 6, 1);
                p.genes_f64[e] = rows[r].value;
                assert_int_equal(vel_counts_find(*state, &p.gene_major, (vel_flaw)flaw, &bad), VEL_OK);
                assert_int_equal(bad.row, rows[r].flawed[flaw] ? e % PAIR_ROWS : -1);
                if (bad.row >= 0) assert_int_equal(bad.col, e / PAIR_ROWS);
            }
}

static void genes_with_values_that_are_no_numbers_are_marked(void **state) {
    (void)state;
    counts_pair p;
    uint8_t bad[PAIR_COLS];
    counts_pair_make(&p, 7, 1);
    p.genes_f64[2 * PAIR_ROWS + 1] = INFINITY;
    p.values[5] = NAN;
    vel_counts_not_finite(&p.gene_major, bad);
    for (int j = 0; j < PAIR_COLS; j++) assert_int_equal(bad[j], j == 2);
    vel_counts_not_finite(&p.sparse, bad);
    for (int j = 0; j < PAIR_COLS; j++) assert_int_equal(bad[j], j == p.indices[5]);
}

static void whole_numbers_are_told_from_fractions(void **state) {
    counts_pair p;
    counts_pair_make(&p, 6, 1);
    assert_true(vel_counts_whole(&p.sparse, 5) && vel_counts_whole(&p.gene_major, PAIR_ROWS));
    p.values[p.indptr[PAIR_ROWS] - 1] = 2.5f;
    assert_true(vel_counts_whole(&p.sparse, 5) && !vel_counts_whole(&p.sparse, PAIR_ROWS));
    vel_flawed fraction;
    assert_int_equal(vel_counts_find(*state, &p.sparse, VEL_NOT_WHOLE, &fraction), VEL_OK);
    assert_int_equal(fraction.row, PAIR_ROWS - 1);
    p.values[0] = 0.9995f; /* the distance to the whole number below counts */
    assert_false(vel_counts_whole(&p.sparse, 5));
    p.values[0] = 1.0005f;
    assert_true(vel_counts_whole(&p.sparse, 5));
    assert_true(vel_counts_whole(&p.sparse, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_value_that_is_no_count_is_found_with_its_place),
        cmocka_unit_test(no_flaw_is_overlooked),
        cmocka_unit_test(genes_with_values_that_are_no_numbers_are_marked),
        cmocka_unit_test(whole_numbers_are_told_from_fractions),
    };
    return cmocka_run_group_tests_name("core/flaws", tests, new_context, free_context);
}
