#include "core/velocity_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core/graph_world.h"

typedef struct {
    graph_world *w;
    graph_matrix positive, negative;
} built;

static built *build(int threads, vel_err expected) {
    built *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->w = world_new();
    assert_non_null(b->w);
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = threads};
    vel_csr_room p = graph_room(&b->positive), n = graph_room(&b->negative);
    assert_int_equal(vel_graph_build(&ctx, &b->w->source, &p, &n), expected);
    vel_arena_free(ctx.scratch);
    return b;
}

static void free_built(built *b) {
    free(b->w);
    free(b);
}

static void velocities_point_ahead_and_away_from_behind(void **state) {
    (void)state;
    built *b = build(1, VEL_OK);
    for (int c = 10; c < CELLS - 10; c++) {
        assert_true(graph_at(&b->positive, c, c + 1) > 0.9F);
        assert_true(graph_at(&b->negative, c, c - 1) < -0.9F);
        assert_true(graph_at(&b->positive, c, c - 1) == 0 && graph_at(&b->negative, c, c + 1) == 0);
    }
    free_built(b);
}

static void every_candidate_but_the_cell_itself_is_stored_once(void **state) {
    (void)state;
    built *b = build(1, VEL_OK);
    for (int c = 0; c < CELLS; c++) {
        int64_t stored =
            b->positive.indptr[c + 1] - b->positive.indptr[c] + b->negative.indptr[c + 1] - b->negative.indptr[c];
        assert_int_equal(stored, c == 5 ? 0 : 12); /* two hops of three each way */
        assert_true(graph_at(&b->positive, c, c) == 0);
    }
    free_built(b);
}

static void a_cell_that_stands_still_has_an_empty_row(void **state) {
    (void)state;
    built *b = build(1, VEL_OK);
    assert_int_equal(b->positive.indptr[5], b->positive.indptr[6]);
    assert_int_equal(b->negative.indptr[5], b->negative.indptr[6]);
    free_built(b);
}

static void candidates_may_be_given(void **state) {
    (void)state;
    built *b = build(1, VEL_OK);
    graph_matrix *p = calloc(1, sizeof *p), *n = calloc(1, sizeof *n);
    assert_true(p && n);
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    b->w->source.chosen = &b->w->lists; /* the first hop only; its lists need not be sorted */
    assert_int_equal(vel_graph_bound(&b->w->source), NEIGHBORS);
    vel_csr_room pr = graph_room(p), nr = graph_room(n);
    assert_int_equal(vel_graph_build(&ctx, &b->w->source, &pr, &nr), VEL_OK);
    assert_int_equal(p->indptr[CELLS] + n->indptr[CELLS], (CELLS - 1) * NEIGHBORS);
    assert_true(graph_at(p, 20, 22) == graph_at(&b->positive, 20, 22));
    vel_arena_free(ctx.scratch);
    free(p), free(n);
    free_built(b);
}

static void threads_do_not_change_the_graph(void **state) {
    (void)state;
    built *one = build(1, VEL_OK), *three = build(3, VEL_OK);
    assert_memory_equal(&one->positive, &three->positive, sizeof one->positive);
    assert_memory_equal(&one->negative, &three->negative, sizeof one->negative);
    free_built(one);
    free_built(three);
}

static void cells_that_fit_badly_may_stay(void **state) {
    (void)state;
    built *b = build(1, VEL_OK);
    float self[CELLS], work[CELLS];
    vel_csr_room p = graph_room(&b->positive);
    vel_graph_self(CELLS, &p, NULL, work, self);
    float best = 0, limit = 0;
    for (int c = 0; c < CELLS; c++) {
        assert_true(self[c] >= 0 && self[c] <= 1);
        for (int64_t e = p.indptr[c]; e < p.indptr[c + 1]; e++)
            if (p.values[e] > best) best = p.values[e];
        if (self[c] > limit) limit = self[c];
    }
    assert_true(self[5] == limit && limit <= best); /* no way out: the 98th percentile itself */
    free_built(b);
}

static void the_bound_grows_with_hops_up_to_all_cells(void **state) {
    (void)state;
    graph_world *w = world_new();
    assert_non_null(w);
    w->source.hops = 0;
    assert_int_equal(vel_graph_bound(&w->source), 1);
    w->source.hops = 1;
    assert_int_equal(vel_graph_bound(&w->source), 1 + NEIGHBORS);
    w->source.hops = 40;
    assert_int_equal(vel_graph_bound(&w->source), CELLS);
    free(w);
}

static void candidates_are_counted(void **state) {
    (void)state;
    graph_world *w = world_new();
    assert_non_null(w);
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 2};
    int64_t count;
    assert_int_equal(vel_graph_candidates(&ctx, &w->source, &count), VEL_OK);
    assert_int_equal(count, 13 * CELLS);
    vel_arena_free(ctx.scratch);
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_point_ahead_and_away_from_behind),
        cmocka_unit_test(every_candidate_but_the_cell_itself_is_stored_once),
        cmocka_unit_test(a_cell_that_stands_still_has_an_empty_row),
        cmocka_unit_test(candidates_may_be_given),
        cmocka_unit_test(threads_do_not_change_the_graph),
        cmocka_unit_test(cells_that_fit_badly_may_stay),
        cmocka_unit_test(candidates_are_counted),
        cmocka_unit_test(the_bound_grows_with_hops_up_to_all_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
