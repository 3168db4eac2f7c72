#include "pipelines/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    vel_ctx ctx;
    vel_adata *ad;
} world;

static int setup(void **state) {
    static world w;
    w.ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    if (vel_adata_new(&w.ctx, 4, 1, &w.ad)) return -1;
    const char *const categories[] = {"late", "early", "unused"};
    const int32_t codes[4] = {1, 0, -1, 1};
    if (vel_put_categorical(&w.ctx, w.ad, "obs/stage", codes, 4, categories, 3)) return -1;
    const char *const texts[4] = {"b", "a", NULL, "b"};
    if (vel_put_texts(&w.ctx, w.ad, "obs/batch", texts, 4)) return -1;
    vel_field *day;
    if (vel_put_dense(&w.ctx, w.ad, "obs/day", VEL_I64, vel_vector(4), &day)) return -1;
    memcpy(day->data, (int64_t[]){10, 2, 10, -3}, 4 * sizeof(int64_t));
    const double reals[4] = {0.5, 1, 2, 3};
    if (vel_put_reals(&w.ctx, w.ad, "obs/score", reals, 4)) return -1;
    *state = &w;
    return 0;
}

static int teardown(void **state) {
    world *w = *state;
    vel_adata_free(w->ad);
    vel_arena_free(w->ctx.scratch);
    return 0;
}

static void check(world *w, const char *key, const int32_t *codes, int64_t n_names, const char *const *names) {
    vel_groups g;
    assert_int_equal(vel_read_groups(&w->ctx, w->ad, key, &g), VEL_OK);
    assert_int_equal(g.n, 4);
    assert_int_equal(g.n_names, n_names);
    assert_memory_equal(g.codes, codes, 4 * sizeof *codes);
    for (int64_t k = 0; k < n_names; k++) assert_string_equal(g.names[k], names[k]);
}

static void categories_keep_their_order(void **state) {
    check(*state, "stage", (int32_t[]){1, 0, -1, 1}, 3, (const char *const[]){"late", "early", "unused"});
}

static void texts_are_sorted(void **state) {
    check(*state, "batch", (int32_t[]){1, 0, -1, 1}, 2, (const char *const[]){"a", "b"});
}

static void numbers_are_sorted_as_numbers(void **state) {
    check(*state, "day", (int32_t[]){2, 1, 2, 0}, 3, (const char *const[]){"-3", "2", "10"});
}

static void reals_are_no_groups(void **state) {
    world *w = *state;
    vel_groups g;
    assert_int_equal(vel_read_groups(&w->ctx, w->ad, "score", &g), VEL_ETYPE);
    assert_non_null(strstr(w->ctx.message, "obs/score"));
}

static void the_usual_columns_stand_in(void **state) {
    world *w = *state;
    vel_groups g;
    assert_int_equal(vel_find_groups(&w->ctx, w->ad, "nothing", &g), VEL_EKEY);
    assert_non_null(strstr(w->ctx.message, "no obs/nothing, no obs/clusters and no obs/louvain; groupby"));
    w->ctx.message[0] = 0;
    assert_int_equal(vel_find_groups(&w->ctx, w->ad, NULL, &g), VEL_EKEY);
    assert_non_null(strstr(w->ctx.message, "no obs/clusters and no obs/louvain; groupby"));
    const int32_t codes[4] = {0, 0, 0, 0};
    assert_int_equal(vel_put_categorical(&w->ctx, w->ad, "obs/louvain", codes, 4, (const char *const[]){"x"}, 1),
                     VEL_OK);
    assert_int_equal(vel_find_groups(&w->ctx, w->ad, NULL, &g), VEL_OK);
    assert_string_equal(g.key, "louvain");
    assert_int_equal(vel_find_groups(&w->ctx, w->ad, "day", &g), VEL_OK);
    assert_string_equal(g.key, "day");
}

static void names_lead_to_cells(void **state) {
    world *w = *state;
    vel_groups g;
    uint8_t *cells;
    const vel_value two[] = {{.kind = VEL_VTEXT, .text = "early"}, {.kind = VEL_VTEXT, .text = "late"}};
    const vel_value list = {.kind = VEL_VLIST, .items = two, .n_items = 2};
    assert_int_equal(vel_read_groups(&w->ctx, w->ad, "stage", &g), VEL_OK);
    assert_int_equal(vel_cells_of_groups(&w->ctx, &g, "groups", &two[0], &cells), VEL_OK);
    assert_memory_equal(cells, ((uint8_t[]){1, 0, 0, 1}), 4);
    assert_int_equal(vel_cells_of_groups(&w->ctx, &g, "groups", &list, &cells), VEL_OK);
    assert_memory_equal(cells, ((uint8_t[]){1, 1, 0, 1}), 4);
    const vel_value number = {.kind = VEL_VINT, .integer = 10, .real = 10};
    assert_int_equal(vel_read_groups(&w->ctx, w->ad, "day", &g), VEL_OK);
    assert_int_equal(vel_cells_of_groups(&w->ctx, &g, "groups", &number, &cells), VEL_OK);
    assert_memory_equal(cells, ((uint8_t[]){1, 0, 1, 0}), 4);
}

static void unknown_and_empty_groups_are_refused(void **state) {
    world *w = *state;
    vel_groups g;
    uint8_t *cells;
    const vel_value wrong = {.kind = VEL_VTEXT, .text = "soon"}, unused = {.kind = VEL_VTEXT, .text = "unused"};
    assert_int_equal(vel_read_groups(&w->ctx, w->ad, "stage", &g), VEL_OK);
    assert_int_equal(vel_cells_of_groups(&w->ctx, &g, "groups", &wrong, &cells), VEL_EUSAGE);
    assert_non_null(strstr(w->ctx.message, "late, early, unused"));
    w->ctx.message[0] = 0;
    assert_int_equal(vel_cells_of_groups(&w->ctx, &g, "groups", &unused, &cells), VEL_EUSAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(categories_keep_their_order, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_are_sorted, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_sorted_as_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(reals_are_no_groups, setup, teardown),
        cmocka_unit_test_setup_teardown(the_usual_columns_stand_in, setup, teardown),
        cmocka_unit_test_setup_teardown(names_lead_to_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_and_empty_groups_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
