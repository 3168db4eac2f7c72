#include "core/graph_uncertainty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core/graph_world.h"
#include "tests/nearly.h"

/* Averages over the neighbours of the world, each cell among them. */
static vel_average averages(vel_ctx *ctx, const graph_world *w) {
    vel_average avg;
    int32_t *sorted = malloc(sizeof w->indices);
    assert_non_null(sorted);
    memcpy(sorted, w->indices, sizeof w->indices);
    for (int c = 0; c < CELLS; c++) /* few neighbours: by insertion */
        for (int i = 1; i < NEIGHBORS; i++)
            for (int j = i; j > 0; j--) {
                int32_t *a = &sorted[c * NEIGHBORS + j - 1], *b = a + 1, swap = *a;
                if (*a <= *b) break;
                *a = *b;
                *b = swap;
            }
    vel_csr graph = {CELLS, CELLS, w->indptr, sorted, NULL, VEL_NOTYPE};
    assert_int_equal(vel_average_make(ctx, &graph, &avg), VEL_OK);
    free(sorted);
    return avg;
}

static void run(graph_world *w, graph_matrix *m) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 2};
    vel_average avg = averages(&ctx, w);
    vel_csr_room room = graph_room(m);
    assert_int_equal(vel_graph_uncertainties(&ctx, &w->source, &avg, &room, NULL), VEL_OK);
    vel_arena_free(ctx.scratch);
}

static void cells_that_agree_are_certain(void **state) {
    (void)state;
    graph_world *w = world_new();
    graph_matrix *m = calloc(1, sizeof *m);
    assert_true(w && m);
    for (int g = 0; g < ALL_GENES; g++)
        for (int c = 0; c < CELLS; c++) w->velocity[g * CELLS + c] = g % 2 ? 1 + g : -1 - g;
    run(w, m);
    for (int64_t e = 0; e < m->indptr[CELLS]; e++) assert_near(m->values[e], 0, 1e-6); /* 7 float32 weights of 1/7 */
    free(w), free(m);
}

static void opposite_signs_give_the_variance_of_a_coin(void **state) {
    (void)state;
    graph_world *w = world_new();
    graph_matrix *m = calloc(1, sizeof *m);
    assert_true(w && m);
    for (int g = 0; g < ALL_GENES; g++)
        for (int c = 0; c < CELLS; c++) w->velocity[g * CELLS + c] = (c % 2 ? 1 : -1) * (1 + g % 3);
    run(w, m);
    /* Of a cell's seven, three share its sign or four do: variance 1 - (1/7)^2 in every gene, whatever the direction.
     */
    assert_near(graph_at(m, 30, 31), 1 - 1 / 49.0, 1e-6);
    assert_near(graph_at(m, 30, 27), 1 - 1 / 49.0, 1e-6);
    assert_true(graph_at(m, 30, 30) == 0);
    free(w), free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_that_agree_are_certain),
        cmocka_unit_test(opposite_signs_give_the_variance_of_a_coin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
