#include "core/tallies.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { GENES = VEL_TALLY_GENES, MOST = 37, TERMS = 5, ROWS = 83, STEP = ROWS + 2 };

static void every_body_joins_genes_cell_after_cell(void **state) {
    (void)state;
    uint64_t seed = 1;
    double x[GENES][MOST], y[GENES][MOST];
    float xf[GENES][MOST], yf[GENES][MOST];
    const double *xs[GENES], *ys[GENES];
    const float *xfs[GENES], *yfs[GENES];
    for (int k = 0; k < GENES; k++) {
        for (int i = 0; i < MOST; i++) {
            xf[k][i] = (float)(x[k][i] = random_between(&seed, -1, 3));
            yf[k][i] = (float)(y[k][i] = random_between(&seed, -1, 3));
        }
        x[k][k] = y[k][k + 9] = xf[k][k] = yf[k][k + 9] = NAN;
        x[k][k + 1] = xf[k][k + 1] = 0, y[k][k + 2] = yf[k][k + 2] = -0.0;
        xs[k] = x[k], ys[k] = y[k], xfs[k] = xf[k], yfs[k] = yf[k];
    }
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int n = 0; n <= MOST; n++) {
            double sum[GENES];
            float sum_f[GENES];
            int64_t cells[GENES], cells_f[GENES];
            vel_tallies_at((vel_cpu)level)->joined_f64(n, xs, ys, sum, cells);
            vel_tallies_at((vel_cpu)level)->joined_f32(n, xfs, yfs, sum_f, cells_f);
            for (int k = 0; k < GENES; k++) {
                double wide = 0;
                float narrow = 0;
                int64_t found = 0;
                for (int i = 0; i < n; i++) {
                    if (!(x[k][i] > 0 && y[k][i] > 0)) continue;
                    wide += x[k][i] + y[k][i];
                    narrow += xf[k][i] + yf[k][i];
                    found++;
                }
                assert_true(sum[k] == wide && sum_f[k] == narrow);
                assert_true(cells[k] == found && cells_f[k] == found);
            }
        }
}

static void every_body_adds_terms_from_left_to_right(void **state) {
    (void)state;
    uint64_t seed = 2;
    double x[TERMS * STEP], out[ROWS];
    float xf[TERMS * STEP], out_f[ROWS];
    for (int i = 0; i < TERMS * STEP; i++) xf[i] = (float)(x[i] = random_between(&seed, -1, 3));
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int n = 1; n <= TERMS; n++)
            for (int rows = 0; rows <= ROWS; rows++) {
                vel_tallies_at((vel_cpu)level)->strand_f64(x, n, STEP, rows, out);
                vel_tallies_at((vel_cpu)level)->strand_f32(xf, n, STEP, rows, out_f);
                for (int l = 0; l < rows; l++) {
                    double wide = x[l];
                    float narrow = xf[l];
                    for (int i = 1; i < n; i++) wide += x[i * STEP + l], narrow += xf[i * STEP + l];
                    assert_true(out[l] == wide && out_f[l] == narrow);
                }
            }
}

static void one_value_that_no_raw_count_has_is_noticed_wherever_it_is(void **state) {
    (void)state;
    const double flaws[] = {0.5, 1e-3, -1, -0.25, NAN, INFINITY, -INFINITY, 4194303.5};
    double x[TERMS * STEP] = {0}, out[ROWS];
    float xf[TERMS * STEP] = {0}, out_f[ROWS];
    for (int i = 0; i < TERMS * STEP; i++) xf[i] = (float)(x[i] = i % 7 * (i % 11 ? 1 : 40000));
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++) {
        const vel_tallies *body = vel_tallies_at((vel_cpu)level);
        assert_true(body->strand_f64(x, TERMS, STEP, ROWS, out));
        assert_true(body->strand_f32(xf, TERMS, STEP, ROWS, out_f));
        for (size_t f = 0; f < sizeof flaws / sizeof *flaws; f++)
            for (int i = 0; i < TERMS * STEP; i++) {
                const double kept = x[i];
                xf[i] = (float)(x[i] = flaws[f]);
                const bool counted = i % STEP < ROWS;
                assert_true(body->strand_f64(x, TERMS, STEP, ROWS, out) == !counted);
                assert_true(body->strand_f32(xf, TERMS, STEP, ROWS, out_f) == (!counted || xf[i] == 4194304));
                xf[i] = (float)(x[i] = kept);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_joins_genes_cell_after_cell),
        cmocka_unit_test(every_body_adds_terms_from_left_to_right),
        cmocka_unit_test(one_value_that_no_raw_count_has_is_noticed_wherever_it_is),
    };
    return cmocka_run_group_tests_name("core/tallies", tests, NULL, NULL);
}
