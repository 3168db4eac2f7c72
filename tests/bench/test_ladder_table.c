#include "bench/ladder_table.h"

#include "tests/bench/made_ladder.h"

static const char *table_of(vel_ctx *ctx, const bench_ladder *ladder) {
    const char *text;
    assert_int_equal(bench_ladder_table(ctx, ladder, &text), VEL_OK);
    return text;
}

static void growth_and_its_nature_stand_at_the_step(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, "neighbors");
    const char *text = table_of(ctx, ladder);
    assert_non_null(
        strstr(text, "| quadratic (exact search: all pairs of cells but those of far leaves are looked at) |"));
    assert_non_null(strstr(text, "| linear |"));
    assert_null(strstr(text, "nan"));
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void every_row_has_as_many_cells_as_its_head(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    const char *text = table_of(ctx, ladder);
    made_rows_are_even(text);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static void a_stop_is_said_once_with_its_reason(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, "moments");
    bench_climb *climb = &ladder->sides[0].climbs[0];
    for (int r = 3; r < 5; r++) {
        climb->rung[r].state = BENCH_RUNG_STOPPED;
        climb->rung[r].reason = r == 3 ? "stopped: it would take about 95 s" : "the rung below was not reached";
        climb->rung[r].wall_s = NAN;
    }
    const char *text = table_of(ctx, ladder);
    assert_non_null(strstr(text, "- moments, 30k cells: stopped: it would take about 95 s\n"));
    assert_null(strstr(text, "the rung below"));
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_and_its_nature_stand_at_the_step),
        cmocka_unit_test(every_row_has_as_many_cells_as_its_head),
        cmocka_unit_test(a_stop_is_said_once_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
