#include "core/gram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/core/centered_pair.h"

static void check_gram_of_genes(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]) {
    double gram[CHOSEN * CHOSEN], trace = 0;
    assert_int_equal(vel_gram_genes(ctx, c, gram), VEL_OK);
    for (int g = 0; g < CHOSEN; g++) {
        trace += gram[g * CHOSEN + g];
        for (int h = 0; h <= g; h++) {
            double sum = 0;
            for (int i = 0; i < PAIR_ROWS; i++) sum += x[i][g] * x[i][h];
            assert_true(fabs(gram[g * CHOSEN + h] - sum) < 1e-11);
        }
    }
    assert_true(fabs(trace / (PAIR_ROWS - 1) - c->variance) < 1e-12 * c->variance);
}

static void check_gram_of_cells(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]) {
    static double gram[PAIR_ROWS * PAIR_ROWS];
    assert_int_equal(vel_gram_cells(ctx, c, gram), VEL_OK);
    for (int i = 0; i < PAIR_ROWS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int g = 0; g < CHOSEN; g++) sum += x[i][g] * x[j][g];
            assert_true(fabs(gram[i * PAIR_ROWS + j] - sum) < 1e-12);
        }
}

static void gram_of_genes_is_xt_x(void **state) { hold(*state, check_gram_of_genes); }
static void gram_of_cells_is_x_xt(void **state) { hold(*state, check_gram_of_cells); }

static void product_needs_the_lower_half_only(void **state) {
    enum { N = 45 }; /* no multiple of the vectors and runs of the kernel */
    double a[N * N], x[N], y[N];
    uint64_t seed = 4;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * N + j] = random_between(&seed, -1, 1);
    for (int i = 0; i < N; i++) x[i] = random_between(&seed, -1, 1);
    for (int n = 1; n <= N; n++) {
        assert_int_equal(vel_gram_apply(*state, n, a, x, y), VEL_OK);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += (j > i ? a[j * n + i] : a[i * n + j]) * x[j];
            assert_true(fabs(y[i] - sum) < 1e-14 * N);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gram_of_genes_is_xt_x),
        cmocka_unit_test(gram_of_cells_is_x_xt),
        cmocka_unit_test(product_needs_the_lower_half_only),
    };
    return cmocka_run_group_tests_name("core/gram", tests, setup, teardown);
}
