#include "bench/ladder_steps.h"

#include "pipelines/recipe.h"
#include "tests/bench/made.h"

static void every_recipe_can_be_run_by_this_program(void **state) {
    vel_ctx *ctx = made_ctx();
    for (int i = 0; i < bench_n_ladder_steps; i++) {
        const char *const texts[] = {bench_ladder_steps[i].before, bench_ladder_steps[i].op};
        for (int k = 0; k < 2; k++) {
            vel_recipe recipe;
            if (!*texts[k]) continue;
            assert_int_equal(vel_recipe_parse(ctx, ctx->scratch, texts[k], &recipe), VEL_OK);
            for (int c = 0; c < recipe.n_calls; c++) assert_non_null(recipe.calls[c].step);
        }
    }
    made_ctx_free(ctx);
    (void)state;
}

static void names_are_unique(void **state) {
    for (int i = 0; i < bench_n_ladder_steps; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(bench_ladder_steps[i].name, bench_ladder_steps[k].name);
    (void)state;
}

static void a_row_makes_what_later_rows_start_from(void **state) {
    bool made = false;
    for (int i = 0; i < bench_n_ladder_steps; i++) {
        if (strcmp(bench_ladder_steps[i].op, bench_ladder_fit) == 0) made = true;
        if (bench_ladder_steps[i].input == BENCH_LADDER_FITTED) assert_true(made);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recipe_can_be_run_by_this_program),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(a_row_makes_what_later_rows_start_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
