#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/named.h"
#include "pipelines/recipe.h"

static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    return ctx.scratch == NULL;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_recipe parsed(const char *name) {
    vel_recipe r;
    ctx.message[0] = 0;
    if (vel_recipe_parse(&ctx, ctx.scratch, name, &r)) fail_msg("%s: %s", name, ctx.message);
    return r;
}

static const char *last_of(const char *name) {
    vel_recipe r = parsed(name);
    return r.calls[r.n_calls - 1].name;
}

static void every_row_parses_and_is_found_by_its_name(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_named; i++) {
        const vel_named *row = vel_named_rows[i];
        assert_ptr_equal(vel_named_find(row->name), row);
        assert_true(parsed(row->name).n_calls >= 7);
        assert_null(vel_step_find(row->name));
        assert_true(strlen(row->help) > 0);
    }
    assert_null(vel_named_find("no_such_recipe"));
}

static void no_recipe_is_left_inside_another(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_named; i++) {
        vel_recipe r = parsed(vel_named_rows[i]->name);
        for (int k = 0; k < r.n_calls; k++) assert_null(vel_named_find(r.calls[k].name));
    }
}

static void the_contract_names_are_there(void **state) {
    (void)state;
    assert_string_equal(last_of("preprocess"), "moments");
    assert_string_equal(last_of("deterministic"), "velocity_graph");
    assert_string_equal(last_of("stochastic"), "velocity_graph");
    assert_string_equal(last_of("dynamical"), "velocity_graph");
    assert_string_equal(last_of("stochastic_full"), "velocity_confidence");
    assert_string_equal(last_of("dynamical_full"), "velocity_confidence");
}

static void workflows_say_where_their_data_are(void **state) {
    (void)state;
    static const char *const names[] = {"pancreas_tutorial", "cellrank2_hematopoiesis", "mouse_gastrulation_atlas",
                                        "pbmc68k_pipeline", "gastrulation_e75_diffkinetics"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const vel_named *row = vel_named_find(names[i]);
        assert_non_null(row);
        assert_non_null(strstr(row->data, ".h5ad"));
        assert_memory_equal(row->source, "https://", 8);
        assert_true(row->n_obs > 1000 && row->n_vars == 2000 && row->notes);
    }
}

/* The steps that are there today take every option that the recipes give them. */
static void options_of_the_recipes_are_options_of_the_steps(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_named; i++) {
        vel_recipe r = parsed(vel_named_rows[i]->name);
        for (int k = 0; k < r.n_calls; k++) {
            void *opts;
            if (r.calls[k].step && vel_call_opts(&ctx, ctx.scratch, &r.calls[k], &opts))
                fail_msg("%s: %s", vel_named_rows[i]->name, ctx.message);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_parses_and_is_found_by_its_name),
        cmocka_unit_test(no_recipe_is_left_inside_another),
        cmocka_unit_test(the_contract_names_are_there),
        cmocka_unit_test(workflows_say_where_their_data_are),
        cmocka_unit_test(options_of_the_recipes_are_options_of_the_steps),
    };
    return cmocka_run_group_tests_name("pipelines/named", tests, setup, teardown);
}
