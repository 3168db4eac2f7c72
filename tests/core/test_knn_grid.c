#include "core/knn_grid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/random.h"

enum { N = 50, DIM = 7, PAIRS = 4, MOST = 3000 };

static double x[N * MOST];
static int32_t order[N];
static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    ctx = test_ctx(1);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_knn_grid grid_of(int64_t dim, double scale) {
    uint64_t seed = 5;
    vel_cmat points = {x, VEL_F64, N, dim, dim, 1};
    vel_knn_grid grid;
    for (int64_t i = 0; i < N * dim; i++) x[i] = scale * random_between(&seed, -1, 1) * random_between(&seed, 0, 1);
    for (int32_t i = 0; i < N; i++) order[i] = N - 1 - i;
    assert_int_equal(vel_knn_grid_make(&ctx, &points, order, &grid), VEL_OK);
    return grid;
}

static double square(int64_t dim, int64_t a, int64_t b) {
    double sum = 0;
    for (int64_t d = 0; d < dim; d++) {
        double gap = x[order[a] * dim + d] - x[order[b] * dim + d];
        sum += gap * gap;
    }
    return sum;
}

/* norm + query . point of points b and a. */
static int64_t sum_of(const vel_knn_grid *g, int64_t a, int64_t b) {
    static int16_t query[MOST * VEL_KNN_QUERIES];
    vel_knn_grid_query(g, a, query);
    int64_t sum = g->norms[b];
    for (int64_t p = 0; p < g->pairs; p++)
        for (int64_t h = 0; h < 2; h++)
            sum += query[p * VEL_KNN_QUERIES * 2 + h] *
                   g->points[((b / VEL_KNN_LANES * g->pairs + p) * VEL_KNN_LANES + b % VEL_KNN_LANES) * 2 + h];
    return sum;
}

static void check_limits(const vel_knn_grid *g, int64_t dim) {
    for (int64_t a = 0; a < N; a++)
        for (int64_t b = 0; b < N; b++) {
            int64_t sum = sum_of(g, a, b);
            assert_true(sum == (int32_t)sum);
            assert_true(sum <= vel_knn_grid_limit(g, a, square(dim, a, b)));
        }
}

static void no_point_is_beyond_the_limit_of_its_own_distance(void **state) {
    (void)state;
    const double scales[] = {1e-200, 1e-161, 1e-150, 1e-18, 1, 1e18, 1e200};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        vel_knn_grid g = grid_of(DIM, scales[s]);
        check_limits(&g, DIM);
    }
    vel_knn_grid g = grid_of(1, 1);
    check_limits(&g, 1);
    g = grid_of(MOST, 1);
    check_limits(&g, MOST);
}

/* What is a tenth further than a point is beyond its limit: rounding costs sqrt(DIM) of some thousands. */
static void the_limit_is_tight(void **state) {
    (void)state;
    vel_knn_grid g = grid_of(DIM, 3);
    int beyond = 0;
    for (int64_t b = 1; b < N; b++) {
        double s = square(DIM, 0, b);
        for (int64_t c = 1; c < N; c++) {
            if (square(DIM, 0, c) < 1.21 * s) continue;
            assert_true(sum_of(&g, 0, c) > vel_knn_grid_limit(&g, 0, s));
            beyond++;
        }
    }
    assert_true(beyond > N);
}

static void a_point_far_out_is_always_looked_at(void **state) {
    (void)state;
    enum { MANY = 400 };
    static float points[MANY * DIM];
    static int32_t all[MANY];
    uint64_t seed = 6;
    vel_cmat cmat = {points, VEL_F32, MANY, DIM, DIM, 1};
    vel_knn_grid g;
    for (int i = 0; i < MANY * DIM; i++) points[i] = (float)random_between(&seed, -1, 1);
    for (int i = 0; i < MANY; i++) all[i] = i;
    points[17 * DIM] = 1e6f;
    assert_int_equal(vel_knn_grid_make(&ctx, &cmat, all, &g), VEL_OK);
    assert_int_equal(vel_knn_grid_limit(&g, 17, 1e-3), VEL_KNN_EVERY);
    assert_true(g.norms[17] <= vel_knn_grid_limit(&g, 3, 0));
}

static void places_without_a_point_are_beyond_every_limit(void **state) {
    (void)state;
    vel_knn_grid g = grid_of(DIM, 1);
    for (int64_t i = N; i < (N + VEL_KNN_LANES - 1) / VEL_KNN_LANES * VEL_KNN_LANES; i++)
        assert_true(g.norms[i] > VEL_KNN_EVERY);
    assert_int_equal(g.pairs, PAIRS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_is_beyond_the_limit_of_its_own_distance),
        cmocka_unit_test(the_limit_is_tight),
        cmocka_unit_test(a_point_far_out_is_always_looked_at),
        cmocka_unit_test(places_without_a_point_are_beyond_every_limit),
    };
    return cmocka_run_group_tests_name("core/knn_grid", tests, setup, teardown);
}
