#include "bench/ladder.h"

#include "tests/bench/made_ladder.h"

static void the_default_reaches_100_000_cells_and_2_000_genes(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    const bench_sizes *cells = &ladder->sides[BENCH_OVER_CELLS].sizes, *genes = &ladder->sides[BENCH_OVER_GENES].sizes;
    assert_int_equal(cells->at[cells->n - 1], 100000);
    assert_int_equal(genes->at[genes->n - 1], 2000);
    assert_int_equal(ladder->sides[0].n_climbs, bench_n_ladder_steps);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void a_side_varies_one_dimension_and_holds_the_other(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, "pca");
    int64_t cells, genes;
    bench_ladder_shape(ladder, &ladder->sides[BENCH_OVER_CELLS], 1, &cells, &genes);
    assert_true(cells == 3000 && genes == 100);
    bench_ladder_shape(ladder, &ladder->sides[BENCH_OVER_GENES], 3, &cells, &genes);
    assert_true(cells == 3000 && genes == 2000);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void made_up_growth_is_found_again(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    const bench_side *side = &ladder->sides[BENCH_OVER_CELLS];
    for (int i = 0; i < side->n_climbs; i++) {
        const bool square = side->climbs[i].step->over_cells != NULL;
        assert_int_equal(side->climbs[i].wall.law, square ? BENCH_LAW_QUADRATIC : BENCH_LAW_LINEAR);
        assert_int_equal(side->climbs[i].memory.law, BENCH_LAW_LINEAR);
    }
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

/* 1e-6 s: the roundings of logarithms and of an exponential. */
static void what_a_rung_will_take_counts_repeats_and_its_input(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, "moments");
    bench_side *side = &ladder->sides[BENCH_OVER_CELLS];
    const bench_climb *climb = &side->climbs[0];
    assert_true(bench_ladder_expect(ladder, side, climb, 0) == 0);
    /* 1e-4 x: 10 s at 100k, so that one repeat is enough; 1 s at 10k, as often as asked for */
    assert_true(fabs(bench_ladder_expect(ladder, side, climb, 4) - 10) < 1e-6);
    assert_true(fabs(bench_ladder_expect(ladder, side, climb, 2) - 3) < 1e-6);
    side->making_s[BENCH_LADDER_MOMENTS][0] = 0.1;
    side->making_s[BENCH_LADDER_MOMENTS][1] = 0.3;
    assert_true(fabs(bench_ladder_expect(ladder, side, climb, 2) - 4) < 1e-6);
    side->ready[BENCH_LADDER_MOMENTS][2] = true; /* made by now, or there: not expected */
    assert_true(fabs(bench_ladder_expect(ladder, side, climb, 2) - 3) < 1e-6);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void a_request_that_makes_no_sense_is_refused(void **state) {
    const bench_ladder_request requests[] = {{.cells = "none", .genes = "none"},
                                             {.cells = "10"},
                                             {.genes = "8"},
                                             {.beside = "3000"},
                                             {.beside = "10x100"},
                                             {.beside = "3000x10"}};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        vel_ctx *ctx = made_ctx();
        bench_run *run = made_run();
        bench_ladder *ladder = calloc(1, sizeof *ladder);
        ladder->run = run;
        assert_int_equal(bench_ladder_plan(ctx, &requests[i], ladder), VEL_EUSAGE);
        made_ladder_free(ladder);
        made_ctx_free(ctx);
    }
    (void)state;
}

static void a_failed_rung_is_exit_3_and_a_stopped_one_is_not(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, "pca");
    ladder->sides[0].climbs[0].rung[4].state = BENCH_RUNG_STOPPED;
    assert_int_equal(bench_ladder_exit(ladder), 0);
    ladder->sides[1].climbs[0].rung[0].state = BENCH_RUNG_FAILED;
    assert_int_equal(bench_ladder_exit(ladder), 3);
    ladder->run->interrupted = true;
    assert_int_equal(bench_ladder_exit(ladder), 130);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_reaches_100_000_cells_and_2_000_genes),
        cmocka_unit_test(a_side_varies_one_dimension_and_holds_the_other),
        cmocka_unit_test(made_up_growth_is_found_again),
        cmocka_unit_test(what_a_rung_will_take_counts_repeats_and_its_input),
        cmocka_unit_test(a_request_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_failed_rung_is_exit_3_and_a_stopped_one_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
