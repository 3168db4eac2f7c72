#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/fit_table.h"
#include "tests/pipelines/genes_toy.h"

static vel_ctx ctx;
static vel_adata *ad;

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

static void keep(int64_t at, double alpha, int64_t losses, double m) {
    static const double loss[] = {5, 4, 3, 2};
    vel_fit_table t;
    assert_int_equal(vel_fit_table_read(&ctx, ad, 4, true, &t), VEL_OK);
    vel_dynamics_solution s = {.alpha = alpha, .loss = loss};
    t.status[at] = VEL_FITTED;
    vel_fit_table_set(&t, at, &s, losses, m);
    assert_int_equal(vel_fit_table_write(&ctx, ad, &t), VEL_OK);
}

static void genes_not_fitted_are_nan(void **state) {
    (void)state;
    double *alpha;
    const char **status;
    keep(1, 7, 3, 2);
    assert_int_equal(vel_get_reals(&ctx, ad, "var/fit_alpha", MOMENT_GENES, &alpha), VEL_OK);
    assert_int_equal(vel_get_texts(&ctx, ad, "var/fit_status", MOMENT_GENES, &status), VEL_OK);
    assert_true(alpha[1] == 7 && isnan(alpha[0]));
    assert_string_equal(status[1], "fitted");
    assert_string_equal(status[0], "not selected");
}

static void a_second_fit_leaves_the_first_alone(void **state) {
    (void)state;
    double *alpha, *alignment;
    const vel_field *loss;
    keep(1, 7, 4, 2);
    keep(2, 9, 2, 3);
    assert_int_equal(vel_get_reals(&ctx, ad, "var/fit_alpha", MOMENT_GENES, &alpha), VEL_OK);
    assert_int_equal(vel_get_reals(&ctx, ad, "var/fit_alignment_scaling", MOMENT_GENES, &alignment), VEL_OK);
    assert_int_equal(vel_get(&ctx, ad, "varm/loss", &loss), VEL_OK);
    assert_true(alpha[1] == 7 && alpha[2] == 9 && alignment[1] == 2 && alignment[2] == 3);
    assert_int_equal(loss->cols, 4);
    const double *l = loss->data;
    assert_true(l[4 + 3] == 2 && l[8 + 1] == 4 && isnan(l[8 + 2]) && isnan(l[0]));
}

static void losses_are_as_wide_as_the_longest_and_at_least_two(void **state) {
    (void)state;
    const vel_field *loss;
    keep(1, 7, 1, 2);
    assert_int_equal(vel_get(&ctx, ad, "varm/loss", &loss), VEL_OK);
    assert_int_equal(loss->cols, 2);
    keep(1, 7, 3, 2);
    assert_int_equal(vel_get(&ctx, ad, "varm/loss", &loss), VEL_OK);
    assert_int_equal(loss->cols, 3);
}

static void an_alignment_of_one_is_nan(void **state) {
    (void)state;
    double *alignment;
    keep(1, 7, 3, 1);
    assert_int_equal(vel_get_reals(&ctx, ad, "var/fit_alignment_scaling", MOMENT_GENES, &alignment), VEL_OK);
    assert_true(isnan(alignment[1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(genes_not_fitted_are_nan, begin, end),
        cmocka_unit_test_setup_teardown(a_second_fit_leaves_the_first_alone, begin, end),
        cmocka_unit_test_setup_teardown(losses_are_as_wide_as_the_longest_and_at_least_two, begin, end),
        cmocka_unit_test_setup_teardown(an_alignment_of_one_is_nan, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
