#include "bench/fixture.h"

#include "bench/made.h"
#include "pipelines/recipe.h"

static void neighbours_and_components_fit_small_shapes(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *recipe;
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 5000, 50, &recipe), VEL_OK);
    assert_non_null(strstr(recipe, "n_obs=5000 n_vars=50"));
    assert_non_null(strstr(recipe, "n_pcs=30 n_neighbors=30 dtype=float64"));
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 20, 10, &recipe), VEL_OK);
    assert_non_null(strstr(recipe, "n_pcs=9 n_neighbors=19"));
    made_ctx_free(ctx);
    (void)state;
}

static void its_recipe_is_one_that_the_runner_takes(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *text;
    vel_recipe recipe;
    assert_int_equal(bench_fixture_recipe(ctx, ctx->scratch, 5000, 50, &text), VEL_OK);
    assert_int_equal(vel_recipe_parse(ctx, ctx->scratch, text, &recipe), VEL_OK);
    if (vel_recipe_check(ctx, &recipe) != VEL_OK) fail_msg("%s", ctx->message);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_and_components_fit_small_shapes),
        cmocka_unit_test(its_recipe_is_one_that_the_runner_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
