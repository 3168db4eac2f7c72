#include "pipelines/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/pipelines/heard.h"

static void unique_names_are_no_news(void **state) {
    heard *h = *state;
    assert_int_equal(vel_say_repeated(&h->ctx, h->ad), VEL_OK);
    assert_string_equal(h->said, "");
}

static void repeated_names_are_told_of_cells_and_of_genes(void **state) {
    heard *h = *state;
    char cell[TOY_CELLS][16];
    const char *cells[TOY_CELLS], *genes[TOY_GENES];
    for (int i = 0; i < TOY_CELLS; i++) {
        snprintf(cell[i], sizeof cell[i], "c%02d", i / 3 % 100);
        cells[i] = cell[i];
    }
    for (int g = 0; g < TOY_GENES; g++) genes[g] = g < 2 ? "Sox2" : cell[3 * g];
    assert_int_equal(vel_put_names(&h->ctx, h->ad, false, cells), VEL_OK);
    assert_int_equal(vel_put_names(&h->ctx, h->ad, true, genes), VEL_OK);
    assert_int_equal(vel_say_repeated(&h->ctx, h->ad), VEL_OK);
    assert_non_null(strstr(h->said, "120 cells of "));
    assert_non_null(strstr(h->said, "share their names (c00, c01, c02, …): results are one a cell, by place"));
    assert_non_null(strstr(h->said, "2 genes of "));
    assert_non_null(strstr(h->said, "share their names (Sox2): results are one a gene, by place"));
}

static void two_that_share_a_name_are_found_wherever_they_stand(void **state) {
    heard *h = *state;
    char cell[TOY_CELLS][16];
    const char *cells[TOY_CELLS];
    for (int i = 0; i < TOY_CELLS; i++) {
        snprintf(cell[i], sizeof cell[i], "c%d", i);
        cells[i] = cell[i];
    }
    for (int first = 0; first < TOY_CELLS - 1; first += 7) {
        int second = TOY_CELLS - 1 - first / 2;
        cells[second] = cell[first];
        h->said[0] = 0;
        assert_int_equal(vel_put_names(&h->ctx, h->ad, false, cells), VEL_OK);
        assert_int_equal(vel_say_repeated(&h->ctx, h->ad), VEL_OK);
        if (first != second) assert_non_null(strstr(h->said, "2 cells of "));
        cells[second] = cell[second];
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, heard_setup, heard_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(unique_names_are_no_news),
        TEST(repeated_names_are_told_of_cells_and_of_genes),
        TEST(two_that_share_a_name_are_found_wherever_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
