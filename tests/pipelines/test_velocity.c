#include "pipelines/velocity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/pipelines/velocity_toy.h"

static vel_value number(double x) { return (vel_value){.kind = VEL_VREAL, .real = x}; }

static void settings_follow_the_options(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_value pair[2] = {number(10), number(90)};
    vel_velocity_options o = {.perc = {.kind = VEL_VLIST, .items = pair, .n_items = 2}};
    vel_steady_opts s;
    assert_int_equal(vel_velocity_settings(&ctx, &o, true, &s), VEL_OK);
    assert_true(s.r2_adjusted && !s.offset && !s.extremes.both && s.extremes.upper == 90);
    assert_true(s.least_ratio == -INFINITY && s.most_ratio == INFINITY);
    o.fit_offset = true;
    o.r2_adjusted = (vel_value){.kind = VEL_VBOOL};
    o.constrain_ratio = number(0.5);
    assert_int_equal(vel_velocity_settings(&ctx, &o, true, &s), VEL_OK);
    assert_true(!s.r2_adjusted && s.offset && s.extremes.both && s.extremes.lower == 10 && s.most_ratio == 0.5);
    o.perc = number(97.5); /* one percentile: the upper end only, with an offset too */
    o.constrain_ratio = (vel_value){.kind = VEL_VLIST, .items = pair, .n_items = 2};
    assert_int_equal(vel_velocity_settings(&ctx, &o, true, &s), VEL_OK);
    assert_true(s.extremes.upper == 97.5 && !s.extremes.both && s.least_ratio == 10 && s.most_ratio == 90);
    vel_arena_free(ctx.scratch);
}

static void any_double_layer_makes_the_fit_double(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_field *f;
    assert_int_equal(vel_velocity_layers_of(t->ad, false).type, VEL_F32);
    assert_string_equal(vel_velocity_layers_of(t->ad, true).u, "layers/unspliced");
    assert_int_equal(vel_put_dense(&t->ctx, t->ad, "layers/Mu", VEL_F64, vel_matrix(TOY_CELLS, TOY_GENES), &f), VEL_OK);
    assert_int_equal(vel_velocity_layers_of(t->ad, false).type, VEL_F64);
    toy_free(t);
}

static void highly_variable_genes_count_unless_the_option_is_none(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_velocity_options o = {.use_highly_variable = {.kind = VEL_VBOOL, .boolean = false}};
    uint8_t marks[TOY_GENES] = {1}, *variable;
    assert_int_equal(vel_drop(&t->ctx, t->ad, "var/highly_variable"), VEL_OK);
    assert_int_equal(vel_velocity_variable_genes(&t->ctx, t->ad, &o, &variable), VEL_OK);
    assert_null(variable);
    assert_int_equal(vel_put_bools(&t->ctx, t->ad, "var/highly_variable", marks, TOY_GENES), VEL_OK);
    assert_int_equal(vel_velocity_variable_genes(&t->ctx, t->ad, &o, &variable), VEL_OK);
    assert_true(variable && variable[0] && !variable[1]); /* false counts as true in the reference */
    o.use_highly_variable = (vel_value){.kind = VEL_VNONE};
    assert_int_equal(vel_velocity_variable_genes(&t->ctx, t->ad, &o, &variable), VEL_OK);
    assert_null(variable);
    toy_free(t);
}

static void fits_of_some_cells_are_those_of_a_file_of_them(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    uint8_t keep[TOY_CELLS];
    for (int c = 0; c < TOY_CELLS; c++) keep[c] = c % 4 != 1;
    vel_steady some[TOY_GENES], cut[TOY_GENES];
    vel_steady_run run = {.settings = vel_steady_defaults(), .layers = vel_velocity_layers_of(t->ad, false)};
    assert_int_equal(vel_choose_cells(&t->ctx, keep, TOY_CELLS, &run.cells), VEL_OK);
    assert_int_equal(vel_velocity_steady_fits(&t->ctx, t->ad, &run, some), VEL_OK);
    assert_int_equal(vel_keep_obs(&t->ctx, t->ad, keep), VEL_OK);
    run.cells = (vel_chosen_cells){NULL, vel_n_obs(t->ad)};
    assert_int_equal(vel_velocity_steady_fits(&t->ctx, t->ad, &run, cut), VEL_OK);
    for (int g = 0; g < TOY_GENES; g++) assert_true(some[g].gamma == cut[g].gamma && some[g].r2 == cut[g].r2);
    toy_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_follow_the_options),
        cmocka_unit_test(any_double_layer_makes_the_fit_double),
        cmocka_unit_test(highly_variable_genes_count_unless_the_option_is_none),
        cmocka_unit_test(fits_of_some_cells_are_those_of_a_file_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
