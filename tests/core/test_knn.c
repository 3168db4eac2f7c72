#include "core/knn.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdlib.h>

#include "core/knn_bodies.h"
#include "tests/context.h"
#include "tests/random.h"

enum { MOST_N = 400, MOST_DIM = 33 };

static float points[MOST_N * MOST_DIM];
static double points64[MOST_N * MOST_DIM];
static int32_t indices[MOST_N * MOST_N];
static double distances[MOST_N * MOST_N];
static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    ctx = test_ctx(2);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static void fill(int64_t n, int64_t dim, uint64_t seed, double scale) {
    for (int64_t i = 0; i < n * dim; i++)
        points64[i] = points[i] = (float)(scale * random_between(&seed, -1, 1) * random_between(&seed, 0, 1));
}

static double square(int64_t dim, int64_t a, int64_t b) {
    double sum = 0;
    for (int64_t d = 0; d < dim; d++) {
        double gap = points64[a * dim + d] - points64[b * dim + d];
        sum += gap * gap;
    }
    return sum;
}

static void run(int64_t n, int64_t dim, int64_t k, vel_type type) {
    vel_cmat x = {type == VEL_F32 ? (const void *)points : (const void *)points64, type, n, dim, dim, 1};
    assert_int_equal(vel_knn(&ctx, &x, k, indices, distances), VEL_OK);
}

/* Against all pairs: no point left out is nearer than the last one taken, and distances are those of the pairs. */
static void check(int64_t n, int64_t dim, int64_t k, vel_type type) {
    for (int64_t i = 0; i < n; i++) {
        const int32_t *row = indices + i * k;
        uint8_t taken[MOST_N] = {0};
        assert_int_equal(row[0], i);
        assert_true(distances[i * k] == 0);
        taken[i] = 1;
        for (int64_t r = 1; r < k; r++) {
            double s = square(dim, i, row[r]), expected = type == VEL_F32 ? (double)sqrtf((float)s) : sqrt(s);
            assert_false(taken[row[r]]);
            taken[row[r]] = 1;
            /* sums over dimensions in another order: a rounding of double, seldom one of float32 */
            assert_true(fabs(distances[i * k + r] - expected) <= (type == VEL_F32 ? 1.2e-7 : 1e-14) * expected);
            assert_true(distances[i * k + r] >= distances[i * k + r - 1]);
        }
        double last = k > 1 ? square(dim, i, row[k - 1]) : 0;
        for (int64_t j = 0; j < n && k > 1; j++) assert_true(taken[j] || square(dim, i, j) >= last * (1 - 1e-14));
    }
}

static void finds_the_nearest_of_all_points(void **state) {
    (void)state;
    const struct {
        int64_t n, dim, k;
    } sizes[] = {{400, 30, 30}, {399, 33, 15}, {100, 1, 7}, {65, 2, 65}, {64, 3, 1}, {17, 4, 5}, {2, 2, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        fill(sizes[s].n, sizes[s].dim, 7 + s, 3);
        run(sizes[s].n, sizes[s].dim, sizes[s].k, VEL_F32);
        check(sizes[s].n, sizes[s].dim, sizes[s].k, VEL_F32);
        run(sizes[s].n, sizes[s].dim, sizes[s].k, VEL_F64);
        check(sizes[s].n, sizes[s].dim, sizes[s].k, VEL_F64);
    }
}

static void magnitude_and_place_do_not_matter(void **state) {
    (void)state;
    const double scales[] = {1e-18, 1e-6, 1e6, 1e18};
    for (int s = 0; s < 4; s++) {
        fill(200, 10, 3, scales[s]);
        run(200, 10, 12, VEL_F32);
        check(200, 10, 12, VEL_F32);
    }
    fill(200, 10, 4, 1);
    for (int i = 0; i < 2000; i++) points64[i] = points[i] += 5000; /* far from the origin: the screen is centred */
    run(200, 10, 12, VEL_F32);
    check(200, 10, 12, VEL_F32);
}

/* Squares of such distances are the least numbers there are, or nothing. */
static void points_so_close_that_squares_are_lost_keep_their_neighbours(void **state) {
    (void)state;
    for (int e = 150; e < 170; e++)
        for (int64_t dim = 1; dim < 4; dim++) {
            uint64_t seed = 11;
            for (int64_t i = 0; i < MOST_N * dim; i++) points64[i] = random_between(&seed, -1, 1) * pow(10, -e);
            run(MOST_N, dim, 5, VEL_F64);
            check(MOST_N, dim, 5, VEL_F64);
        }
}

static void an_outlier_does_not_blur_the_others(void **state) {
    (void)state;
    fill(300, 8, 5, 1);
    for (int d = 0; d < 8; d++) points64[17 * 8 + d] = points[17 * 8 + d] = 1e6f;
    run(300, 8, 10, VEL_F32);
    check(300, 8, 10, VEL_F32);
}

static void the_point_itself_comes_before_its_duplicates_and_these_by_index(void **state) {
    (void)state;
    fill(100, 5, 6, 1);
    for (int i = 40; i < 61; i++)
        for (int d = 0; d < 5; d++) points64[i * 5 + d] = points[i * 5 + d] = points[40 * 5 + d];
    run(100, 5, 15, VEL_F32);
    check(100, 5, 15, VEL_F32);
    for (int r = 1; r < 15; r++) {
        assert_int_equal(indices[50 * 15 + r], 39 + r + (39 + r >= 50));
        assert_true(distances[50 * 15 + r] == 0);
    }
}

static void all_points_alike_have_all_distances_zero(void **state) {
    (void)state;
    for (int i = 0; i < 50 * 3; i++) points64[i] = points[i] = 2.5f;
    run(50, 3, 10, VEL_F32);
    for (int e = 0; e < 50 * 10; e++) assert_true(distances[e] == 0);
    assert_int_equal(indices[30 * 10 + 9], 8);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static int32_t other_indices[400 * 30];
    static double other_distances[400 * 30];
    fill(400, 30, 8, 2);
    vel_cmat x = {points, VEL_F32, 400, 30, 30, 1};
    ctx.threads = 1;
    assert_int_equal(vel_knn(&ctx, &x, 30, indices, distances), VEL_OK);
    ctx.threads = 3;
    assert_int_equal(vel_knn(&ctx, &x, 30, other_indices, other_distances), VEL_OK);
    ctx.threads = 2;
    assert_memory_equal(indices, other_indices, sizeof other_indices);
    assert_memory_equal(distances, other_distances, sizeof other_distances);
}

/* Small whole numbers: squares are exact, ties everywhere. Two clouds, so that whole leaves are out of reach. */
static void many_leaves_give_what_all_pairs_give_ties_included(void **state) {
    (void)state;
    enum { MANY = 1600, DIM = 3, K = 12 };
    static float x[MANY * DIM];
    static int32_t found[MANY * K];
    static double away[MANY * K];
    uint64_t seed = 21;
    for (int i = 0; i < MANY * DIM; i++) x[i] = (float)(int)random_between(&seed, 0, 12) + (i / DIM % 3 ? 100 : 0);
    vel_cmat all = {x, VEL_F32, MANY, DIM, DIM, 1};
    assert_int_equal(vel_knn(&ctx, &all, K, found, away), VEL_OK);
    for (int i = 0; i < MANY; i++) {
        double last = -1;
        int32_t last_index = -1;
        for (int r = 1; r < K; r++) { /* each time the next by (distance, index) */
            double best = INFINITY;
            int32_t index = -1;
            for (int j = 0; j < MANY; j++) {
                double s = 0;
                for (int d = 0; d < DIM; d++)
                    s += (x[i * DIM + d] - x[j * DIM + d]) * (x[i * DIM + d] - x[j * DIM + d]);
                if (j != i && (s > last || (s == last && j > last_index)) && s < best) best = s, index = j;
            }
            assert_int_equal(found[i * K + r], index);
            assert_true(away[i * K + r] == (double)sqrtf((float)best));
            last = best, last_index = index;
        }
    }
}

#if defined(__x86_64__)
static bool runs_here(const vel_knn_body *body) {
    if (body == &vel_knn_vnni) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
    if (body == &vel_knn_avx512) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    return __builtin_cpu_supports("avx2");
}

static int16_t whole(uint64_t *seed, double most) { return (int16_t)random_between(seed, -most, most); }

static void every_body_screens_alike_and_measures_with_the_same_bits(void **state) {
    (void)state;
    enum { PAIRS = 7, PANELS = 3 };
    static int16_t x[PANELS * PAIRS * VEL_KNN_LANES * 2], queries[PAIRS * VEL_KNN_QUERIES * 2];
    int32_t norms[PANELS * VEL_KNN_LANES], limits[VEL_KNN_QUERIES];
    uint16_t plain[PANELS * VEL_KNN_QUERIES], fast[PANELS * VEL_KNN_QUERIES];
    static int32_t sums[PANELS * VEL_KNN_QUERIES * VEL_KNN_LANES], fast_sums[PANELS * VEL_KNN_QUERIES * VEL_KNN_LANES];
    uint64_t seed = 9;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) x[i] = whole(&seed, 5000);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) queries[i] = whole(&seed, 10000);
    for (size_t i = 0; i < sizeof norms / sizeof *norms; i++) norms[i] = 10000 * whole(&seed, 10000);
    for (int q = 0; q < VEL_KNN_QUERIES; q++) limits[q] = 10000 * whole(&seed, 10000);
    limits[1] = VEL_KNN_EVERY;
    limits[2] = VEL_KNN_NONE;
    for (int p = 0; p < PAIRS; p++) x[p * VEL_KNN_LANES * 2 + 10] = x[p * VEL_KNN_LANES * 2 + 11] = 0;
    norms[5] = INT32_MAX; /* no point */
    vel_knn_screen s = {PAIRS, PANELS, x, norms, queries, limits};
    vel_knn_plain.screen(&s, plain, sums);
    for (int q = 0; q < VEL_KNN_QUERIES; q++) assert_false(plain[q] & 1 << 5);
    assert_int_equal(plain[VEL_KNN_QUERIES + 1], 0xffff);
    assert_int_equal(plain[VEL_KNN_QUERIES + 2], 0);
    for (int i = 0; i < 60; i++) points64[i] = points[i] = (float)random_between(&seed, -1, 1);
    const vel_knn_body *bodies[] = {&vel_knn_avx2, &vel_knn_avx512, &vel_knn_vnni};
    for (int b = 0; b < 3; b++) {
        if (!runs_here(bodies[b])) continue;
        bodies[b]->screen(&s, fast, fast_sums);
        assert_memory_equal(fast, plain, sizeof fast);
        assert_memory_equal(fast_sums, sums, sizeof sums);
        for (int dim = 1; dim < 20; dim++) {
            assert_true(bodies[b]->square_f32(dim, points, points + 40) ==
                        vel_knn_plain.square_f32(dim, points, points + 40));
            assert_true(bodies[b]->square_f64(dim, points64, points64 + 40) ==
                        vel_knn_plain.square_f64(dim, points64, points64 + 40));
        }
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_nearest_of_all_points),
        cmocka_unit_test(magnitude_and_place_do_not_matter),
        cmocka_unit_test(points_so_close_that_squares_are_lost_keep_their_neighbours),
        cmocka_unit_test(an_outlier_does_not_blur_the_others),
        cmocka_unit_test(the_point_itself_comes_before_its_duplicates_and_these_by_index),
        cmocka_unit_test(all_points_alike_have_all_distances_zero),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(many_leaves_give_what_all_pairs_give_ties_included),
#if defined(__x86_64__)
        cmocka_unit_test(every_body_screens_alike_and_measures_with_the_same_bits),
#endif
    };
    return cmocka_run_group_tests_name("core/knn", tests, setup, teardown);
}
