#include "core/count_corr.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/core/counts_pair.h"

/* Pearson's r by the book, in double. */
static double pearson(const counts_pair *p, int gene) {
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < PAIR_ROWS; i++) {
        double a = p->dense[i * PAIR_COLS + gene], b = 0;
        for (int j = 0; j < PAIR_COLS; j++) b += p->dense[i * PAIR_COLS + j] > 0;
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    double n = PAIR_ROWS;
    return (xy - x * y / n) / sqrt((xx - x * x / n) * (yy - y * y / n));
}

static void is_pearsons_correlation_to_four_decimals(void **state) {
    counts_pair p;
    counts_pair_make(&p, 1, 0.7);
    const vel_counts *all[] = {&p.sparse, &p.sparse_f64, &p.row_major, &p.gene_major};
    for (int m = 0; m < 4; m++) {
        double corr[PAIR_COLS];
        assert_int_equal(vel_count_corr(*state, all[m], corr), VEL_OK);
        for (int j = 0; j < PAIR_COLS; j++) {
            assert_true(fabs(corr[j] - pearson(&p, j)) < 1.01e-4); /* rounding, and float32 sums that may tip it */
            assert_true(corr[j] == rint(corr[j] * 1e4) / 1e4);
        }
    }
}

static void a_constant_gene_has_no_correlation(void **state) {
    counts_pair p;
    counts_pair_make(&p, 2, 1);
    for (int i = 0; i < PAIR_ROWS; i++) p.genes_f64[3 * PAIR_ROWS + i] = 0;
    double corr[PAIR_COLS];
    assert_int_equal(vel_count_corr(*state, &p.gene_major, corr), VEL_OK);
    assert_true(isnan(corr[3]) && !isnan(corr[4]));
}

/* Every step rounded to single precision, in the order of the reference; volatile, so that no compiler has an idea. */
static double single_precision(const float *x, const double *y, int rows, int cols, int gene) {
    volatile float sum = 0, square = 0, mean = 0, product, spread;
    double dot = 0, shift = 0, n = rows, seen = 0, seen_square = 0, rest = 0;
    for (int i = 0; i < rows; i++) seen += y[i], seen_square += y[i] * y[i];
    double mean_seen = seen / n;
    for (int i = 0; i < rows; i++) {
        float v = x[i * cols + gene];
        product = v * v;
        square = square + product;
        sum = sum + v;
        product = v * (float)(1 / n);
        mean = mean + product;
        dot += (double)v * y[i];
        shift += (double)v * mean_seen;
        rest += y[i] - mean_seen;
    }
    product = 2 * sum;
    product = product * mean;
    spread = square - product;
    product = mean * mean;
    product = (float)n * product;
    spread = spread + product;
    double seen_spread = seen_square - 2 * (seen * mean_seen) + n * (mean_seen * mean_seen);
    return rint((dot - shift - (double)mean * rest) / sqrt((double)spread * seen_spread) * 1e4) / 1e4;
}

/* An ulp of the sums tips the last decimal of a gene in a thousand: enough genes to see it. */
static void single_precision_is_kept_step_by_step(void **state) {
    enum { ROWS = 64, COLS = 6000 };
    static float x[ROWS * COLS];
    static double corr[COLS];
    double y[ROWS] = {0};
    uint32_t random = 1;
    for (int e = 0; e < ROWS * COLS; e++) {
        random = random * 1664525u + 1013904223u;
        x[e] = random >> 30 ? (float)(random >> 12) / 9973 * (float)(1 + e / COLS % 7) : 0;
        y[e / COLS] += x[e] > 0;
    }
    vel_counts m = {ROWS, COLS, VEL_F32, x, NULL, NULL, false, false};
    assert_int_equal(vel_count_corr(*state, &m, corr), VEL_OK);
    for (int g = 0; g < COLS; g++) assert_true(corr[g] == single_precision(x, y, ROWS, COLS, g));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_pearsons_correlation_to_four_decimals),
        cmocka_unit_test(single_precision_is_kept_step_by_step),
        cmocka_unit_test(a_constant_gene_has_no_correlation),
    };
    return cmocka_run_group_tests_name("core/count_corr", tests, new_context, free_context);
}
