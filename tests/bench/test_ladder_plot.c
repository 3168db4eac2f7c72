#include "bench/ladder_plot.h"

#include <stdio.h>

#include "tests/bench/made_ladder.h"

static const char *plot_of(vel_ctx *ctx, const bench_ladder *ladder) {
    const char *text;
    assert_int_equal(bench_ladder_plot(ctx, ladder, &text), VEL_OK);
    return text;
}

static void the_same_ladder_gives_the_same_bytes(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    assert_string_equal(plot_of(ctx, ladder), plot_of(ctx, ladder));
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void every_step_is_named_in_every_panel(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    const char *text = plot_of(ctx, ladder);
    for (int i = 0; i < bench_n_ladder_steps; i++) {
        char name[64];
        int n = 0;
        snprintf(name, sizeof name, ">%s</text>", bench_ladder_steps[i].name);
        for (const char *p = text; (p = strstr(p, name)); p++) n++;
        assert_int_equal(n, 4);
    }
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void a_ladder_without_figures_is_still_a_file(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, "pca");
    for (int s = 0; s < BENCH_SIDES; s++)
        for (int r = 0; r < BENCH_MOST_SIZES; r++)
            ladder->sides[s].climbs[0].rung[r] = (bench_rung){.wall_s = NAN, .added_b = NAN};
    assert_non_null(strstr(plot_of(ctx, ladder), "</svg>"));
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_ladder_gives_the_same_bytes),
        cmocka_unit_test(every_step_is_named_in_every_panel),
        cmocka_unit_test(a_ladder_without_figures_is_still_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
