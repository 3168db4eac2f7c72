#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/run.h"
#include "tests/pipelines/genes_toy.h"

static vel_ctx ctx;
static vel_adata *ad;
static char warned[1024];

static void listen(void *user, vel_level level, const char *text) {
    (void)user;
    if (level == VEL_WARN) snprintf(warned, sizeof warned, "%s", text);
}

static int begin(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1, .sink = {.say = listen}};
    warned[0] = 0;
    return moments_make(&ctx, &ad) != VEL_OK;
}

static int end(void **state) {
    (void)state;
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return 0;
}

static const double *column(const char *path) {
    double *x;
    assert_int_equal(vel_get_reals(&ctx, ad, path, MOMENT_GENES, &x), VEL_OK);
    return x;
}

static const double *layer(const char *path) {
    const vel_field *f;
    assert_int_equal(vel_get(&ctx, ad, path, &f), VEL_OK);
    return f->data;
}

static const char *status(int at) {
    const char **words;
    assert_int_equal(vel_get_texts(&ctx, ad, "var/fit_status", MOMENT_GENES, &words), VEL_OK);
    return words[at];
}

static void genes_have_times_or_a_reason(void **state) {
    (void)state;
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all", &ad), VEL_OK);
    assert_string_equal(status(0), "fitted");
    assert_string_equal(status(4), "too few cells");
    const double *t = layer("layers/fit_t");
    assert_true(isfinite(t[0]) && isnan(t[4 * GENE_CELLS]) && isnan(column("var/fit_alpha")[4]));
}

/* Genes that differ in scale by a power of two differ in alpha by it, and in nothing else. */
static void a_gene_twice_as_strong_has_the_same_times(void **state) {
    (void)state;
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all", &ad), VEL_OK);
    const double *t = layer("layers/fit_t"), *gamma = column("var/fit_gamma");
    assert_memory_equal(t, t + GENE_CELLS, GENE_CELLS * sizeof *t);
    assert_true(gamma[0] == gamma[1]);
}

static void times_span_t_max_unless_not_aligned(void **state) {
    (void)state;
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=g0 t_max=false", &ad), VEL_OK);
    assert_false(vel_has(ad, "var/fit_alignment_scaling"));
    double unaligned = column("var/fit_t_")[0];
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=g0", &ad), VEL_OK);
    assert_true(column("var/fit_t_")[0] == unaligned * column("var/fit_alignment_scaling")[0]);
}

static void a_gene_with_a_bad_value_is_left_out_and_named(void **state) {
    (void)state;
    vel_field *s;
    assert_int_equal(vel_edit(&ctx, ad, "layers/Ms", &s), VEL_OK);
    ((double *)s->data)[2 * GENE_CELLS + 11] = NAN;
    ((double *)s->data)[3 * GENE_CELLS + 12] = -1;
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all", &ad), VEL_OK);
    assert_string_equal(status(2), "NaN or Inf values");
    assert_string_equal(status(3), "negative values");
    assert_non_null(strstr(warned, "g2"));
    assert_non_null(strstr(warned, "c11"));
}

static void nothing_fitted_is_a_no_with_the_counts(void **state) {
    (void)state;
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=g4", &ad), VEL_ENONE);
    assert_non_null(strstr(ctx.message, "too few cells: 1"));
}

static void a_mode_is_one_of_the_reference_or_none(void **state) {
    (void)state;
    const char *const modes[] = {"none", "projection", "full_projection", "partial_projection"};
    double likelihood[4];
    for (int k = 0; k < 4; k++) {
        char recipe[128];
        snprintf(recipe, sizeof recipe, "recover_dynamics var_names=g0 assignment_mode=%s", modes[k]);
        assert_int_equal(vel_run_recipe(&ctx, recipe, &ad), VEL_OK);
        likelihood[k] = column("var/fit_likelihood")[0];
    }
    assert_true(likelihood[0] != likelihood[3]);
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics assignment_mode=other", &ad), VEL_EUSAGE);
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics assignment_mode=true", &ad), VEL_EUSAGE);
}

static void two_threads_give_the_bits_of_one(void **state) {
    (void)state;
    static double t[MOMENT_GENES * GENE_CELLS];
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all", &ad), VEL_OK);
    memcpy(t, layer("layers/fit_t"), sizeof t);
    ctx.threads = 2;
    assert_int_equal(vel_run_recipe(&ctx, "recover_dynamics var_names=all", &ad), VEL_OK);
    assert_memory_equal(t, layer("layers/fit_t"), 4 * GENE_CELLS * sizeof *t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(genes_have_times_or_a_reason, begin, end),
        cmocka_unit_test_setup_teardown(a_gene_twice_as_strong_has_the_same_times, begin, end),
        cmocka_unit_test_setup_teardown(times_span_t_max_unless_not_aligned, begin, end),
        cmocka_unit_test_setup_teardown(a_gene_with_a_bad_value_is_left_out_and_named, begin, end),
        cmocka_unit_test_setup_teardown(nothing_fitted_is_a_no_with_the_counts, begin, end),
        cmocka_unit_test_setup_teardown(a_mode_is_one_of_the_reference_or_none, begin, end),
        cmocka_unit_test_setup_teardown(two_threads_give_the_bits_of_one, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
