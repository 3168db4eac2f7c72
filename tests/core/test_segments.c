#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/average.h"
#include "core/segments.h"
#include "tests/core/gene.h"

static int64_t count_terms(const vel_segments *all, int64_t cell) {
    return all->graph.indptr[cell + 1] - all->graph.indptr[cell] + 1;
}

/* What the row of a rank stands for: a cell among its neighbours, ascending. */
static int64_t row_of(const vel_segments *all, int64_t rank, int32_t *out) {
    const int32_t cell = all->order[rank];
    int64_t n = 0;
    for (int64_t e = all->graph.indptr[cell]; e < all->graph.indptr[cell + 1]; e++) {
        if (all->graph.indices[e] > cell && (!n || out[n - 1] < cell)) out[n++] = cell;
        out[n++] = all->graph.indices[e];
    }
    if (!n || out[n - 1] < cell) out[n++] = cell;
    return n;
}

static void check_terms(const vel_segments *all) {
    int32_t expected[GENE_CELLS], piece[VEL_SEGMENT_PIECE];
    for (int64_t r = 0; r < all->n; r++) {
        int64_t n = row_of(all, r, expected), from = 0;
        for (int64_t k; (k = vel_segments_terms(all, r, from, piece)); from += k)
            for (int64_t i = 0; i < k; i++) assert_int_equal(all->order[piece[i]], expected[from + i]);
        assert_int_equal(from, n);
    }
}

/* Every number of every row is counted where it belongs: seen[cell] gets the row's neighbours, a bit an entry. */
static void check_rows(const vel_segments *all) {
    const int32_t *row = all->row;
    const uint16_t *near = all->near;
    int64_t cells = 0, entries = 0, expected = 0;
    uint8_t *seen = calloc((size_t)all->n, 1);
    assert_non_null(seen);
    for (int64_t r = 0; r < all->n_runs; r++) {
        const vel_segment_run *run = &all->runs[r];
        if (r) assert_true(run->first >= run[-1].first);
        assert_true(run->first % VEL_SEGMENT == 0 && run->first < all->places);
        for (int64_t i = 0; i < run->rows; i++, row++) {
            int32_t left[GENE_CELLS];
            int64_t n = row_of(all, *row, left), at = 0;
            assert_int_equal(seen[*row], run->adds);
            cells += !seen[*row];
            seen[*row] = 1;
            for (int64_t k = 0; k < run->blocks * VEL_SEGMENT_BLOCK; k++, near++) {
                int64_t place = run->first + *near / 4;
                if (place == vel_segments_nothing(all, run->first)) continue;
                while (at < n && vel_segment_place(all->rank[left[at]]) != place) at++;
                assert_true(at < n); /* a neighbour, in the row's order */
                entries++;
            }
        }
    }
    for (int64_t c = 0; c < all->n; c++) expected += count_terms(all, c);
    assert_int_equal(cells, all->n);
    assert_int_equal(entries, expected);
    free(seen);
}

static void check_places(const vel_segments *all) {
    uint8_t *taken = calloc((size_t)all->places, 1);
    assert_non_null(taken);
    for (int64_t first = 0; first < all->places; first += VEL_SEGMENT) taken[vel_segments_nothing(all, first)] = 1;
    for (int64_t c = 0; c < all->n; c++) {
        int64_t place = vel_segment_place(all->rank[c]);
        assert_int_equal(all->order[all->rank[c]], c);
        assert_int_equal(taken[place], 0);
        taken[place] = 1;
        assert_true(all->terms[all->rank[c]] == (float)count_terms(all, c));
    }
    for (int64_t p = 0; p < all->places; p++) assert_int_equal(taken[p], 1);
    free(taken);
}

/* Of each cell, the same bits as over the graph itself. */
static void check_average(vel_ctx *ctx, const vel_segments *all) {
    double *x, *ranked, *y, *plain, *work, **arrays[] = {&x, &ranked, &y, &plain, &work};
    vel_average average;
    for (int k = 0; k < 5; k++) assert_int_equal(VEL_ALLOC(ctx, *arrays[k], all->n), VEL_OK);
    assert_int_equal(vel_average_make(ctx, &all->graph, &average), VEL_OK);
    for (int64_t c = 0; c < all->n; c++) x[c] = 1.0 / (double)(c + 3);
    for (int64_t r = 0; r < all->n; r++) ranked[r] = x[all->order[r]];
    vel_average_f64(&average, x, plain);
    vel_segments_average(all, ranked, y, work);
    for (int64_t c = 0; c < all->n; c++) assert_true(y[c] == plain[c]);
}

static void every_cell_has_a_place_and_its_neighbours(void **state) {
    (void)state;
    static gene g;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    vel_segments all;
    assert_int_equal(vel_segments_make(&ctx, &graph, &all), VEL_OK);
    assert_int_equal(all.places, GENE_CELLS + 1);
    assert_true(all.symmetric);
    check_places(&all);
    check_rows(&all);
    check_terms(&all);
    vel_arena_free(ctx.scratch);
}

static void a_graph_of_arrows_is_not_symmetric(void **state) {
    (void)state;
    static gene g;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    graph.rows = graph.cols = 100; /* the last rows name cells beyond: they lose their neighbours */
    for (int i = 97; i <= 100; i++) g.indptr[i] = g.indptr[97];
    vel_segments all;
    assert_int_equal(vel_segments_make(&ctx, &graph, &all), VEL_OK);
    assert_false(all.symmetric);
    check_places(&all);
    check_rows(&all);
    check_terms(&all);
    vel_arena_free(ctx.scratch);
}

/* Neighbours all over three segments, and cells that have none in some. */
static void many_cells_take_several_segments(void **state) {
    (void)state;
    enum { MANY = 70000, DEGREE = 5 };
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    int64_t *indptr;
    int32_t *indices;
    assert_int_equal(VEL_ALLOC(&ctx, indptr, MANY + 1), VEL_OK);
    assert_int_equal(VEL_ALLOC(&ctx, indices, MANY * DEGREE), VEL_OK);
    indptr[0] = 0;
    for (int64_t c = 0; c < MANY; c++) {
        int64_t k = indptr[c];
        for (int64_t d = 0; d < (c % 3 ? DEGREE : 0); d++)
            indices[k++] = (int32_t)(c % 2 ? (c + d) / 2 : d * 11000 + c % 1000);
        indptr[c + 1] = k;
    }
    for (int64_t c = 0; c < MANY; c++) { /* strictly ascending */
        int64_t k = indptr[c];
        for (int64_t e = indptr[c]; e < indptr[c + 1]; e++)
            if (e == indptr[c] || indices[e] != indices[k - 1]) indices[k++] = indices[e];
        while (k < indptr[c + 1]) {
            indices[k] = indices[k - 1] + 1;
            k++;
        }
    }
    vel_csr graph = {.rows = MANY, .cols = MANY, .indptr = indptr, .indices = indices};
    vel_segments all;
    assert_int_equal(vel_segments_make(&ctx, &graph, &all), VEL_OK);
    assert_int_equal(vel_segments_count(MANY), 5);
    assert_int_equal(all.places, MANY + 5);
    check_places(&all);
    check_rows(&all);
    check_terms(&all);
    check_average(&ctx, &all);
    vel_arena_free(ctx.scratch);
}

static void averages_are_those_over_the_graph(void **state) {
    (void)state;
    static gene g;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    vel_segments all;
    assert_int_equal(vel_segments_make(&ctx, &graph, &all), VEL_OK);
    check_average(&ctx, &all);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_has_a_place_and_its_neighbours),
        cmocka_unit_test(a_graph_of_arrows_is_not_symmetric),
        cmocka_unit_test(many_cells_take_several_segments),
        cmocka_unit_test(averages_are_those_over_the_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
