#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/choose_genes.h"
#include "tests/pipelines/genes_toy.h"

static vel_ctx ctx;
static vel_adata *ad;
static const vel_value none = {.kind = VEL_VNONE};

static int begin(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    return moments_make(&ctx, &ad) != VEL_OK;
}

static int end(void **state) {
    (void)state;
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_value word(const char *text) { return (vel_value){.kind = VEL_VTEXT, .text = text}; }

static vel_err choose(const vel_value *names, const vel_value *top, bool raw, int64_t **genes, int64_t *n) {
    vel_gene_choice choice = {names, top, raw};
    return vel_choose_genes(&ctx, ad, &choice, genes, n);
}

static void names_come_in_the_order_of_the_file_and_unknown_ones_are_left_out(void **state) {
    (void)state;
    vel_value items[] = {word("g3"), word("nobody"), word("g0"), word("g3")};
    vel_value list = {.kind = VEL_VLIST, .items = items, .n_items = 4}, one = word("g2");
    int64_t *genes, n;
    assert_int_equal(choose(&list, &none, false, &genes, &n), VEL_OK);
    assert_true(n == 2 && genes[0] == 0 && genes[1] == 3);
    assert_int_equal(choose(&one, &none, false, &genes, &n), VEL_OK);
    assert_true(n == 1 && genes[0] == 2);
}

static void a_boolean_column_chooses(void **state) {
    (void)state;
    uint8_t marks[MOMENT_GENES] = {0, 1, 0, 0, 1};
    vel_value column = word("velocity_genes");
    int64_t *genes, n;
    assert_int_equal(vel_put_bools(&ctx, ad, "var/velocity_genes", marks, MOMENT_GENES), VEL_OK);
    assert_int_equal(choose(&column, &none, false, &genes, &n), VEL_OK);
    assert_true(n == 2 && genes[0] == 1 && genes[1] == 4);
    assert_false(vel_has(ad, "var/fit_r2"));
}

static void a_column_that_marks_none_is_to_blame_and_not_the_lines(void **state) {
    (void)state;
    uint8_t marks[MOMENT_GENES] = {0};
    vel_value column = word("velocity_genes");
    int64_t *genes, n;
    assert_int_equal(vel_put_bools(&ctx, ad, "var/velocity_genes", marks, MOMENT_GENES), VEL_OK);
    assert_int_equal(choose(&column, &none, false, &genes, &n), VEL_ENONE);
    assert_non_null(strstr(ctx.message, "var/velocity_genes, which is there, marks none of the 5 genes"));
}

static void genes_between_commas_are_shown_how_a_list_is_written(void **state) {
    (void)state;
    vel_value commas = word("g1,g2");
    int64_t *genes, n;
    assert_int_equal(choose(&commas, &none, false, &genes, &n), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "a list is [\"A\", \"B\"]"));
}

static void without_a_column_the_steady_state_line_decides_and_r2_is_kept(void **state) {
    (void)state;
    vel_value column = word("velocity_genes");
    int64_t *genes, n;
    double *r2;
    assert_int_equal(choose(&column, &none, false, &genes, &n), VEL_OK);
    assert_int_equal(n, MOMENT_GENES - 1);
    assert_int_equal(vel_get_reals(&ctx, ad, "var/fit_r2", MOMENT_GENES, &r2), VEL_OK);
    assert_true(r2[0] > 0.01 && r2[4] == 0);
}

static void the_top_genes_are_those_with_the_largest_sums(void **state) {
    (void)state;
    vel_value all = word("all"), two = {.kind = VEL_VINT, .integer = 2, .real = 2};
    int64_t *genes, n;
    assert_int_equal(choose(&all, &two, false, &genes, &n), VEL_OK);
    assert_true(n == 2 && genes[0] == 2 && genes[1] == 3);
}

static void what_means_nothing_is_wrong_usage(void **state) {
    (void)state;
    vel_value odd = word("nothing"), yes = {.kind = VEL_VBOOL, .boolean = true};
    int64_t *genes, n;
    assert_int_equal(choose(&odd, &none, false, &genes, &n), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "nothing"));
    assert_int_equal(choose(&yes, &none, false, &genes, &n), VEL_EUSAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_come_in_the_order_of_the_file_and_unknown_ones_are_left_out, begin, end),
        cmocka_unit_test_setup_teardown(a_boolean_column_chooses, begin, end),
        cmocka_unit_test_setup_teardown(a_column_that_marks_none_is_to_blame_and_not_the_lines, begin, end),
        cmocka_unit_test_setup_teardown(genes_between_commas_are_shown_how_a_list_is_written, begin, end),
        cmocka_unit_test_setup_teardown(without_a_column_the_steady_state_line_decides_and_r2_is_kept, begin, end),
        cmocka_unit_test_setup_teardown(the_top_genes_are_those_with_the_largest_sums, begin, end),
        cmocka_unit_test_setup_teardown(what_means_nothing_is_wrong_usage, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
