#include "bench/ladder_json.h"

#include "bench/results.h"
#include "tests/bench/made_ladder.h"
#include "tests/bench/schema.h"

static void every_state_obeys_the_schema(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    char path[512];
    const char *root = getenv("VEL_SOURCE_DIR"), *text;
    ladder->sides[0].climbs[0].rung[4] = (bench_rung){
        .state = BENCH_RUNG_STOPPED, .reason = "why", .wall_s = NAN, .cpu_s = NAN, .added_b = NAN, .peak_b = NAN};
    ladder->sides[1].climbs[1].wall = (bench_growth){.exponent = NAN, .rms = NAN};
    json_t *made = bench_ladder_json(ladder);
    assert_int_equal(bench_json_text(ctx, made, &text), VEL_OK);
    snprintf(path, sizeof path, "%s/docs/ladder.schema.json", root ? root : ".");
    json_t *rules = json_load_file(path, 0, NULL), *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(rules);
    schema_check check = {.root = rules};
    if (!schema_accepts(&check, rules, document)) fail_msg("%s", check.wrong);
    json_object_set_new(document, "surprise", json_true());
    assert_false(schema_accepts(&check, rules, document));
    json_decref(document);
    json_decref(rules);
    json_decref(made);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_state_obeys_the_schema)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
