#include "bench/results.h"

#include <math.h>

#include "tests/bench/made.h"
#include "tests/bench/schema.h"

static json_t *schema(void) {
    char path[512];
    json_error_t error;
    const char *root = getenv("VEL_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/docs/benchmark_results.schema.json", root ? root : ".");
    json_t *s = json_load_file(path, 0, &error);
    if (!s) fail_msg("%s: %s", path, error.text);
    return s;
}

static json_t *document_of(vel_ctx *ctx, const bench_run *run) {
    const char *text;
    assert_int_equal(bench_results_text(ctx, run, &text), VEL_OK);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    return document;
}

static void every_state_obeys_the_schema(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *rules = schema(), *document = document_of(ctx, run);
    schema_check check = {.root = rules};
    if (!schema_accepts(&check, rules, document)) fail_msg("%s", check.wrong);
    json_decref(document);
    json_decref(rules);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void the_schema_refuses_what_is_wrong(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *rules = schema(), *document = document_of(ctx, run);
    json_t *cell =
        json_array_get(json_object_get(json_array_get(json_object_get(document, "benches"), 0), "results"), 0);
    schema_check check = {.root = rules};
    json_object_set_new(cell, "status", json_string("splendid"));
    assert_false(schema_accepts(&check, rules, document));
    json_object_set_new(cell, "status", json_string("ok"));
    json_object_set_new(cell, "surprise", json_true());
    assert_false(schema_accepts(&check, rules, document));
    json_object_del(cell, "surprise");
    assert_true(schema_accepts(&check, rules, document));
    json_object_del(document, "host");
    assert_false(schema_accepts(&check, rules, document));
    json_decref(document);
    json_decref(rules);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static const json_t *result_of(const json_t *document, size_t bench, size_t backend) {
    const json_t *benches = json_object_get(document, "benches");
    return json_array_get(json_object_get(json_array_get(benches, bench), "results"), backend);
}

static void statuses_are_told_apart(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *document = document_of(ctx, run);
    const struct {
        size_t bench, backend;
        const char *status;
    } rows[] = {{0, 0, "ok"},    {0, 2, "SKIPPED"}, {3, 1, "OOM"},    {4, 1, "TIMEOUT"},
                {5, 1, "CRASH"}, {6, 0, "SKIPPED"}, {7, 0, "FIXTURE"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(
            json_string_value(json_object_get(result_of(document, rows[i].bench, rows[i].backend), "status")),
            rows[i].status);
    json_decref(document);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void nan_is_null_with_a_reason_and_numbers_come_back_equal(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *document = document_of(ctx, run);
    const json_t *failed = json_object_get(result_of(document, 3, 1), "wall_s"), *good;
    assert_true(json_is_null(json_object_get(failed, "median")));
    assert_true(json_is_string(json_object_get(failed, "reason")));
    good = json_object_get(result_of(document, 0, 1), "wall_ratio");
    /* 17 digits are exact */
    assert_true(json_number_value(json_object_get(good, "ratio")) == run->lines[0].cell[1].wall.ratio);
    json_decref(document);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void integers_above_2_to_53_are_strings(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    run->lines[0].cell[0].samples[0].start_ns = INT64_C(9007199254740993);
    json_t *document = document_of(ctx, run);
    const json_t *sample = json_array_get(json_object_get(result_of(document, 0, 0), "samples"), 0);
    assert_string_equal(json_string_value(json_object_get(sample, "start_ns")), "9007199254740993");
    json_decref(document);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_obeys_the_schema),
        cmocka_unit_test(the_schema_refuses_what_is_wrong),
        cmocka_unit_test(statuses_are_told_apart),
        cmocka_unit_test(nan_is_null_with_a_reason_and_numbers_come_back_equal),
        cmocka_unit_test(integers_above_2_to_53_are_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
