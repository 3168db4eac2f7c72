#include "bench/fixture.h"

#include "pipelines/recipe.h"
#include "tests/bench/made.h"

static void neighbours_and_components_fit_small_shapes(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *recipe;
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 5000, 50, NULL, &recipe), VEL_OK);
    assert_non_null(strstr(recipe, "n_obs=5000 n_vars=50"));
    assert_non_null(strstr(recipe, "n_pcs=30 n_neighbors=30 dtype=float64"));
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 20, 10, NULL, &recipe), VEL_OK);
    assert_non_null(strstr(recipe, "n_pcs=9 n_neighbors=19"));
    made_ctx_free(ctx);
    (void)state;
}

static void its_recipe_is_one_that_the_runner_takes(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *text;
    vel_recipe recipe;
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 5000, 50, NULL, &text), VEL_OK);
    assert_int_equal(vel_recipe_parse(ctx, ctx->scratch, text, &recipe), VEL_OK);
    if (vel_recipe_check(ctx, &recipe) != VEL_OK) fail_msg("%s", ctx->message);
    made_ctx_free(ctx);
    (void)state;
}

static void a_row_may_put_its_own_steps_behind_the_simulation(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *recipe;
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 60, 40, "", &recipe), VEL_OK);
    assert_string_equal(recipe, "simulate n_obs=60 n_vars=40 random_seed=0");
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 60, 40, "log1p", &recipe), VEL_OK);
    assert_string_equal(recipe, "simulate n_obs=60 n_vars=40 random_seed=0 | log1p");
    made_ctx_free(ctx);
    (void)state;
}

static void every_row_has_a_recipe_that_the_runner_takes(void **state) {
    vel_ctx *ctx = made_ctx();
    for (int i = 0; i < bench_n_rows; i++) {
        const bench_row *r = &bench_rows[i];
        const char *text;
        vel_recipe recipe;
        if (r->kind == BENCH_VENDOR) continue;
        assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, r->cells, r->genes, r->fixture, &text), VEL_OK);
        assert_int_equal(vel_recipe_parse(ctx, ctx->scratch, text, &recipe), VEL_OK);
        if (vel_recipe_check(ctx, &recipe) != VEL_OK) fail_msg("%s: %s", r->name, ctx->message);
        vel_arena_reset(ctx->scratch);
    }
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_and_components_fit_small_shapes),
        cmocka_unit_test(its_recipe_is_one_that_the_runner_takes),
        cmocka_unit_test(a_row_may_put_its_own_steps_behind_the_simulation),
        cmocka_unit_test(every_row_has_a_recipe_that_the_runner_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
