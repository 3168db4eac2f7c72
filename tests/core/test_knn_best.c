#include "core/knn_best.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/context.h"
#include "tests/core/counts_pair.h"
#include "tests/random.h"

enum { N = 2000, DIM = 5, ROOM = 20, BATCH = 64 };

static double x[N * DIM];
static int32_t order[N];
static vel_ctx ctx;
static int computed; /* exact distances */

static double counted_square(int64_t dim, const double *a, const double *b) {
    computed++;
    return vel_knn_plain.square_f64(dim, a, b);
}

static const vel_knn_body counting = {NULL, NULL, counted_square};

static int setup(void **state) {
    (void)state;
    ctx = test_ctx(1);
    for (int32_t i = 0; i < N; i++) order[i] = (i * 7 + 3) % N;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static double square(int64_t a, int64_t b) { return vel_knn_plain.square_f64(DIM, x + a * DIM, x + b * DIM); }

/* norm + query . point at two places. */
static int32_t sum_of(const vel_knn_grid *g, int64_t query, int64_t place) {
    int16_t pairs[(DIM + 1) / 2 * VEL_KNN_QUERIES * 2];
    int32_t sum = g->norms[place];
    vel_knn_grid_query(g, query, pairs);
    for (int64_t p = 0; p < g->pairs; p++)
        for (int64_t h = 0; h < 2; h++)
            sum += pairs[p * VEL_KNN_QUERIES * 2 + h] *
                   g->points[((place / VEL_KNN_LANES * g->pairs + p) * VEL_KNN_LANES + place % VEL_KNN_LANES) * 2 + h];
    return sum;
}

/* Against all points, one by one. */
static void check(const vel_knn_best *b, int64_t room) {
    uint8_t taken[N] = {0};
    int64_t self = order[b->self];
    assert_int_equal(b->size, room < N - 1 ? room : N - 1);
    taken[self] = 1;
    for (int64_t r = 0; r < b->size; r++) {
        assert_false(taken[b->index[r]]);
        taken[b->index[r]] = 1;
        assert_true(b->square[r] == square(self, b->index[r]));
        if (r > 0)
            assert_true(b->square[r - 1] < b->square[r] ||
                        (b->square[r - 1] == b->square[r] && b->index[r - 1] < b->index[r]));
    }
    for (int64_t i = 0; i < N && room > 0; i++) {
        double last = b->square[b->size - 1], s = square(self, i);
        assert_true(taken[i] || s > last || (s == last && i > b->index[b->size - 1]));
    }
}

/* Offers all points to some of them; returns how many exact distances one took at most. */
static int find(int64_t room) {
    vel_cmat points = {x, VEL_F64, N, DIM, DIM, 1};
    vel_knn_grid grid;
    int most = 0;
    assert_int_equal(vel_knn_grid_make(&ctx, &points, order, &grid), VEL_OK);
    vel_knn_space space = {&points, order, &grid, &counting};
    for (int64_t self = 0; self < N; self += 97) {
        vel_knn_best b;
        assert_int_equal(vel_knn_best_new(&ctx, self, room, &b), VEL_OK);
        computed = 0;
        for (int64_t place = 0; place < N; place++) {
            vel_knn_best_offer(&space, &b, place, sum_of(&grid, self, place));
            if (place % BATCH == 0) vel_knn_best_look(&space, &b);
        }
        vel_knn_best_sort(&space, &b);
        check(&b, room);
        if (computed > most) most = computed;
    }
    return most;
}

static void fill(double least, double most) {
    uint64_t seed = 11;
    for (int i = 0; i < N * DIM; i++) x[i] = random_between(&seed, least, most);
}

static void exact_distances_are_computed_of_few_more_than_are_taken(void **state) {
    (void)state;
    fill(-1, 1);
    assert_in_range(find(ROOM), ROOM, ROOM + 5);
}

static void none_and_one_and_all_can_be_taken(void **state) {
    (void)state;
    fill(-1, 1);
    find(0);
    find(1);
    find(N - 1);
}

static void ties_go_by_index(void **state) {
    (void)state;
    fill(0, 4);
    for (int i = 0; i < N * DIM; i++) x[i] = floor(x[i]);
    find(ROOM);
}

static void points_that_the_grid_cannot_tell_apart_are_told_apart(void **state) {
    (void)state;
    fill(-1, 1);
    for (int d = 0; d < DIM; d++) x[5 * DIM + d] = 1e9; /* the others are one point of the grid, or this is outside */
    find(ROOM);
    fill(-1e-200, 1e-200);
    find(ROOM);
    for (int i = 0; i < N * DIM; i++) x[i] = 3;
    find(ROOM);
}

static void points_outside_are_found(void **state) {
    (void)state;
    fill(-1, 1);
    for (int i = 0; i < 3; i++) x[(i * 97 * 7 + 3) % N * DIM] = 200 + i; /* those of the queries 0, 97 and 194 */
    find(ROOM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_distances_are_computed_of_few_more_than_are_taken),
        cmocka_unit_test(none_and_one_and_all_can_be_taken),
        cmocka_unit_test(ties_go_by_index),
        cmocka_unit_test(points_that_the_grid_cannot_tell_apart_are_told_apart),
        cmocka_unit_test(points_outside_are_found),
    };
    return cmocka_run_group_tests_name("core/knn_best", tests, setup, teardown);
}
