#include "core/centered_many.h"

#include <math.h>

#include "tests/core/centered_pair.h"

static void check_several_vectors(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]) {
    enum { K = 3 };
    double v[CHOSEN * K], y[PAIR_ROWS * K];
    uint64_t seed = 3;
    for (int e = 0; e < CHOSEN * K; e++) v[e] = random_between(&seed, -1, 1);
    vel_centered_many many;
    assert_int_equal(vel_centered_many_make(ctx, c, K, v, &many), VEL_OK);
    assert_int_equal(vel_centered_many_apply(ctx, &many, 0, 1, y), VEL_OK);
    assert_int_equal(vel_centered_many_apply(ctx, &many, 1, PAIR_ROWS - 1, y + K), VEL_OK);
    for (int i = 0; i < PAIR_ROWS; i++)
        for (int k = 0; k < K; k++) {
            double sum = 0;
            for (int g = 0; g < CHOSEN; g++) sum += x[i][g] * v[g * K + k];
            assert_true(fabs(y[i * K + k] - sum) < 1e-13); /* sums of terms below 10 */
        }
}

static void several_vectors_at_once_are_each_of_them(void **state) { hold(*state, check_several_vectors); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_vectors_at_once_are_each_of_them),
    };
    return cmocka_run_group_tests_name("core/centered_many", tests, setup, teardown);
}
