#include "core/candidate_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { N = 30, K = 4 };

typedef struct {
    vel_ctx ctx;
    int64_t indptr[N + 1];
    int32_t indices[N * K];
    uint8_t moving[N];
    vel_neighbor_lists lists;
} circle;

static int setup(void **state) {
    static circle c;
    c.ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < K; k++) c.indices[i * K + k] = (i + k + 1) % N;
        c.indptr[i + 1] = (i + 1) * K;
        c.moving[i] = 1;
    }
    c.lists = (vel_neighbor_lists){N, c.indptr, c.indices};
    *state = &c;
    return c.ctx.scratch ? 0 : -1;
}

static int teardown(void **state) {
    vel_arena_free(((circle *)*state)->ctx.scratch);
    return 0;
}

static int64_t count(const vel_neighbor_lists *l, int64_t i) { return l->indptr[i + 1] - l->indptr[i]; }

static void few_enough_stay_as_they_are(void **state) {
    circle *c = *state;
    vel_neighbor_lists chosen;
    vel_candidate_choice choice = {.hops = 1, .most = K + 1, .moving = c->moving};
    assert_int_equal(vel_candidates_choose(&c->ctx, &c->lists, &choice, &chosen), VEL_OK);
    for (int64_t i = 0; i < N; i++) assert_int_equal(count(&chosen, i), K + 1);
    assert_memory_equal(chosen.indices, ((int32_t[]){0, 1, 2, 3, 4}), 5 * sizeof(int32_t));
}

/* numpy 2.2.6: seed(0), then choice(arange(i, i + 9) mod 30 sorted, 3, replace=False) for i = 0, 1, 2. */
static void draws_are_those_of_numpy(void **state) {
    circle *c = *state;
    vel_neighbor_lists chosen;
    vel_candidate_choice choice = {.hops = 2, .most = 3, .moving = c->moving, .seed = 0};
    assert_int_equal(vel_candidates_choose(&c->ctx, &c->lists, &choice, &chosen), VEL_OK);
    static const int32_t expected[3][3] = {{1, 2, 7}, {2, 4, 8}, {4, 5, 7}};
    for (int64_t i = 0; i < 3; i++) {
        assert_int_equal(count(&chosen, i), 3);
        assert_memory_equal(chosen.indices + chosen.indptr[i], expected[i], sizeof expected[i]);
    }
}

static void cells_without_velocity_draw_nothing(void **state) {
    circle *c = *state;
    vel_neighbor_lists all, some;
    vel_candidate_choice choice = {.hops = 2, .most = 3, .moving = c->moving, .seed = 9};
    assert_int_equal(vel_candidates_choose(&c->ctx, &c->lists, &choice, &all), VEL_OK);
    memset(c->moving, 0, N - 1);
    assert_int_equal(vel_candidates_choose(&c->ctx, &c->lists, &choice, &some), VEL_OK);
    assert_int_equal(some.indptr[N - 1], 0);
    assert_int_equal(count(&some, N - 1), 3);

    assert_memory_not_equal(some.indices, all.indices + all.indptr[N - 1], 3 * sizeof(int32_t));
}

static void cells_of_the_next_time_point_join(void **state) {
    circle *c = *state;
    int32_t time[N];
    for (int i = 0; i < N; i++) time[i] = i < 10 ? 0 : i < 13 ? 1 : -1;
    vel_neighbor_lists chosen;
    vel_candidate_choice choice = {.hops = 1, .time = time, .moving = c->moving};
    assert_int_equal(vel_candidates_choose(&c->ctx, &c->lists, &choice, &chosen), VEL_OK);
    assert_int_equal(count(&chosen, 0), K + 1 + 3);
    assert_memory_equal(chosen.indices + K + 1, ((int32_t[]){10, 11, 12}), 3 * sizeof(int32_t));
    assert_int_equal(count(&chosen, 8), K + 1 + 0); /* 10, 11, 12 are its neighbours already */
    assert_int_equal(count(&chosen, 11), K + 1);    /* nothing comes after time point 1 */
    assert_int_equal(count(&chosen, 20), K + 1);    /* no time point */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(few_enough_stay_as_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(draws_are_those_of_numpy, setup, teardown),
        cmocka_unit_test_setup_teardown(cells_without_velocity_draw_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(cells_of_the_next_time_point_join, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
