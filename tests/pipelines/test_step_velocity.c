#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/pipelines/velocity_toy.h"

static void velocities_are_what_the_line_leaves(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments | velocity mode=deterministic");
    const float *gamma = toy_field(t, "var/velocity_gamma")->data;
    for (int g = 0; g < TOY_GENES; g++)
        for (int c = 0; c < TOY_CELLS; c += 7)
            assert_true(toy_at(t, "layers/velocity", c, g) ==
                        toy_at(t, "layers/Mu", c, g) - gamma[g] * toy_at(t, "layers/Ms", c, g));
    toy_free(t);
}

static void columns_of_one_value_are_not_written(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    double old[TOY_GENES] = {0};
    assert_int_equal(vel_put_reals(&t->ctx, t->ad, "var/velocity_offset", old, TOY_GENES), VEL_OK);
    assert_int_equal(toy_run(t, "velocity"), VEL_OK);
    assert_true(vel_has(t->ad, "var/velocity_gamma") && vel_has(t->ad, "var/velocity_r2"));
    assert_false(vel_has(t->ad, "var/velocity_offset")); /* an old one is deleted */
    assert_false(vel_has(t->ad, "var/velocity_beta"));
    toy_free(t);
}

static void parameters_are_recorded(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments | velocity vkey=v perc=[10,90] fit_offset=true mode=deterministic");
    const char *mode;
    assert_int_equal(vel_get_text(&t->ctx, t->ad, "uns/v_params/mode", &mode), VEL_OK);
    assert_string_equal(mode, "deterministic");
    const vel_field *perc = toy_field(t, "uns/v_params/perc");
    assert_true(perc->type == VEL_I64 && ((const int64_t *)perc->data)[0] == 10);
    assert_true(toy_field(t, "layers/v")->type == VEL_F64); /* an offset makes it double */
    toy_free(t);
}

static void a_group_leaves_the_other_cells_alone(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    assert_int_equal(toy_run(t, "velocity mode=deterministic groups=early groupby=clusters"), VEL_OK);
    double inside = 0;
    for (int g = 0; g < TOY_GENES; g++) {
        for (int c = 0; c < TOY_CELLS / 3; c++) inside += fabs((double)toy_at(t, "layers/velocity", c, g));
        for (int c = TOY_CELLS / 3; c < TOY_CELLS; c++) assert_true(toy_at(t, "layers/velocity", c, g) == 0);
    }
    assert_true(inside > 0);
    toy_free(t);
}

static void every_category_gets_columns_of_its_own(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments | velocity groupby=clusters");
    assert_true(vel_has(t->ad, "var/velocity_gamma_early") && vel_has(t->ad, "var/velocity_gamma_late"));
    assert_false(vel_has(t->ad, "var/velocity_gamma"));
    assert_true(vel_has(t->ad, "layers/variance_velocity"));
    toy_free(t);
}

static void an_unknown_group_is_refused(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    assert_int_equal(toy_run(t, "velocity groups=never groupby=clusters"), VEL_EUSAGE);
    assert_non_null(strstr(t->ctx.message, "early, middle, late"));
    toy_free(t);
}

static void filtering_leaves_the_velocity_genes(void **state) {
    (void)state;
    static const char *const modes[] = {"velocity mode=deterministic min_r2=0.5 filter_genes=true",
                                        "velocity mode=stochastic min_r2=0.5 filter_genes=true"};
    velocity_toy *whole = toy_after("moments | velocity mode=deterministic min_r2=0.5");
    const uint8_t *genes = toy_field(whole, "var/velocity_genes")->data;
    int64_t count = 0;
    for (int g = 0; g < TOY_GENES; g++) count += genes[g];
    assert_true(count > 1 && count < TOY_GENES);
    for (int i = 0; i < 2; i++) {
        velocity_toy *t = toy_after("moments");
        assert_int_equal(toy_run(t, modes[i]), VEL_OK);
        assert_int_equal(vel_n_vars(t->ad), count);
        assert_int_equal(toy_field(t, "layers/velocity")->cols, count);
        toy_free(t);
    }
    toy_free(whole);
}

static void without_a_fit_dynamical_falls_back(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments | velocity mode=dynamical");
    const char *mode;
    assert_int_equal(vel_get_text(&t->ctx, t->ad, "uns/velocity_params/mode", &mode), VEL_OK);
    assert_string_equal(mode, "stochastic");
    assert_true(vel_has(t->ad, "layers/variance_velocity"));
    toy_free(t);
}

static void groups_with_kinetics_of_their_own_stand_still(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    const char *lists[TOY_GENES] = {NULL, "late", "early, late", "", "lateral"};
    assert_int_equal(vel_put_texts(&t->ctx, t->ad, "var/fit_diff_kinetics", lists, TOY_GENES), VEL_OK);
    assert_int_equal(toy_run(t, "velocity mode=deterministic diff_kinetics=true"), VEL_OK);
    static const bool still[5][2] = {{false, false}, {false, true}, {true, true}, {false, false}, {false, false}};
    for (int g = 0; g < 5; g++) {
        double early = 0, late = 0;
        for (int c = 0; c < TOY_CELLS / 3; c++) {
            early += fabs((double)toy_at(t, "layers/velocity", c, g));
            late += fabs((double)toy_at(t, "layers/velocity", c + 2 * TOY_CELLS / 3, g));
        }
        assert_true((early == 0) == still[g][0] && (late == 0) == still[g][1]);
    }
    toy_free(t);
}

static void no_signal_lowers_the_limit_and_says_so(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    assert_int_equal(toy_run(t, "velocity mode=deterministic min_r2=0.9999"), VEL_OK);
    assert_non_null(strstr(t->said, "low signal"));
    assert_non_null(strstr(t->said, "velocity genes: consider"));
    toy_free(t);
}

static void without_velocity_genes_it_is_told_that_all_count(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    for (int64_t i = 0; i < TOY_CELLS * TOY_GENES; i++) ((float *)toy_field(t, "layers/Mu")->data)[i] = 0;
    assert_int_equal(toy_run(t, "velocity mode=deterministic"), VEL_OK);
    assert_non_null(strstr(t->said, "0 of "));
    assert_non_null(strstr(t->said, "velocity_graph goes by all genes"));
    assert_false(vel_has(t->ad, "var/velocity_genes"));
    toy_free(t);
}

static void velocity_genes_are_counted_for_each_group_by_name(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    assert_int_equal(toy_run(t, "velocity groupby=clusters"), VEL_OK);
    assert_non_null(strstr(t->said, "genes are velocity genes of group early"));
    assert_non_null(strstr(t->said, "genes are velocity genes of group late"));
    toy_free(t);
}

static void values_that_are_no_numbers_are_named(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    ((float *)toy_field(t, "layers/Ms")->data)[3 * TOY_CELLS + 17] = NAN;
    ((float *)toy_field(t, "layers/Mu")->data)[5 * TOY_CELLS + 1] = INFINITY;
    assert_int_equal(toy_run(t, "velocity mode=deterministic"), VEL_OK);
    assert_non_null(strstr(t->said, "2 genes have a NaN or an infinity"));
    assert_non_null(strstr(t->said, "gene3 in cell cell17"));
    const uint8_t *genes = toy_field(t, "var/velocity_genes")->data;
    assert_true(!genes[3] && !genes[5]);
    toy_free(t);
}

static void malformed_options_are_named_in_every_mode(void **state) {
    (void)state;
    static const char *const calls[][2] = {{"velocity perc=[5,95,99]", "perc"},
                                           {"velocity perc=200", "perc"},
                                           {"velocity constrain_ratio=[1]", "constrain_ratio"},
                                           {"velocity min_r2=high", "min_r2"},
                                           {"velocity mode=dynamical perc=[5]", "perc"},
                                           {"velocity mode=dynamical perc=[]", "perc"},
                                           {"velocity mode=dynamical min_likelihood=low", "min_likelihood"}};
    const double fitted[TOY_GENES] = {1};
    velocity_toy *t = toy_after("moments");
    assert_int_equal(vel_put_reals(&t->ctx, t->ad, "var/fit_alpha", fitted, TOY_GENES), VEL_OK);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        t->ctx.message[0] = 0;
        assert_int_equal(toy_run(t, calls[i][0]), VEL_EUSAGE);
        assert_non_null(strstr(t->ctx.message, calls[i][1]));
        assert_false(vel_has(t->ad, "layers/velocity"));
    }
    toy_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_what_the_line_leaves),
        cmocka_unit_test(columns_of_one_value_are_not_written),
        cmocka_unit_test(parameters_are_recorded),
        cmocka_unit_test(a_group_leaves_the_other_cells_alone),
        cmocka_unit_test(every_category_gets_columns_of_its_own),
        cmocka_unit_test(an_unknown_group_is_refused),
        cmocka_unit_test(filtering_leaves_the_velocity_genes),
        cmocka_unit_test(without_a_fit_dynamical_falls_back),
        cmocka_unit_test(groups_with_kinetics_of_their_own_stand_still),
        cmocka_unit_test(no_signal_lowers_the_limit_and_says_so),
        cmocka_unit_test(without_velocity_genes_it_is_told_that_all_count),
        cmocka_unit_test(velocity_genes_are_counted_for_each_group_by_name),
        cmocka_unit_test(values_that_are_no_numbers_are_named),
        cmocka_unit_test(malformed_options_are_named_in_every_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
