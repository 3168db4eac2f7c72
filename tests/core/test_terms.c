#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/terms.h"

static const int64_t indptr[] = {0, 3, 3, 6, 8};
static const int32_t indices[] = {1, 2, 3, 0, 2, 3, 0, 1};

static void check(const vel_csr *pattern, int32_t cell, int below, int above, const int32_t *expected) {
    const int32_t *first = pattern->indices + pattern->indptr[cell],
                  *end = pattern->indices + pattern->indptr[cell + 1];
    assert_int_equal(end - first, below + above);
    assert_int_equal(vel_terms_below(first, end, cell), below);
    for (int k = 0; k < below + above; k++) assert_int_equal(first[k], expected[k]);
}

static void the_diagonal_and_entries_that_are_not_positive_are_no_neighbours(void **state) {
    (void)state;
    static const float singles[] = {0, 1, -1, 1, 0, 1, 0, 1};
    static const double doubles[] = {0, 1, -1, 1, 0, 1, 0, 1};
    const vel_csr graphs[] = {{4, 4, indptr, indices, singles, VEL_F32},
                              {4, 4, indptr, indices, doubles, VEL_F64},
                              {4, 4, indptr, indices, NULL, VEL_NOTYPE}};
    for (int g = 0; g < 3; g++) {
        const bool all = !graphs[g].values;
        vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
        vel_csr pattern;
        assert_int_equal(vel_terms_pattern(&ctx, &graphs[g], &pattern), VEL_OK);
        assert_null(pattern.values);
        check(&pattern, 0, 0, all ? 3 : 1, all ? (const int32_t[]){1, 2, 3} : (const int32_t[]){2});
        check(&pattern, 1, 0, 0, NULL);
        check(&pattern, 2, 1, 1, (const int32_t[]){0, 3});
        check(&pattern, 3, all ? 2 : 1, 0, all ? (const int32_t[]){0, 1} : (const int32_t[]){1});
        vel_arena_free(ctx.scratch);
    }
}

static void a_pattern_without_a_diagonal_stays_where_it_is(void **state) {
    (void)state;
    static const int64_t rows[] = {0, 2, 3, 4};
    static const int32_t columns[] = {1, 2, 0, 0};
    static const float values[] = {0.5f, 1, 0.5f, 1};
    const vel_csr graph = {3, 3, rows, columns, values, VEL_F32};
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_csr pattern;
    assert_int_equal(vel_terms_pattern(&ctx, &graph, &pattern), VEL_OK);
    assert_ptr_equal(pattern.indices, columns);
    assert_ptr_equal(pattern.indptr, rows);
    vel_arena_free(ctx.scratch);
}

static void a_graph_that_is_not_square_is_refused(void **state) {
    (void)state;
    const vel_csr graph = {4, 5, indptr, indices, NULL, VEL_NOTYPE};
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_csr pattern;
    assert_int_equal(vel_terms_pattern(&ctx, &graph, &pattern), VEL_ESHAPE);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_diagonal_and_entries_that_are_not_positive_are_no_neighbours),
        cmocka_unit_test(a_pattern_without_a_diagonal_stays_where_it_is),
        cmocka_unit_test(a_graph_that_is_not_square_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
