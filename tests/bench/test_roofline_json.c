#include "bench/roofline_json.h"

#include <math.h>

#include "tests/bench/made_roofline.h"
#include "tests/bench/schema.h"

static void check(const bench_roofline *r) {
    char path[512];
    const char *root = getenv("VEL_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/docs/roofline.schema.json", root ? root : ".");
    json_t *rules = json_load_file(path, 0, NULL), *document = bench_roofline_json(r);
    assert_non_null(rules);
    schema_check checked = {.root = rules};
    if (!schema_accepts(&checked, rules, document)) fail_msg("%s", checked.wrong);
    json_object_set_new(document, "surprise", json_true());
    assert_false(schema_accepts(&checked, rules, document));
    json_decref(document);
    json_decref(rules);
}

static void it_obeys_the_schema_with_several_threads_and_with_one(void **state) {
    bench_roofline *r = made_roofline();
    check(r);
    r->all = (bench_speeds){0};
    r->placed[0].seconds = NAN;
    check(r);
    made_roofline_free(r);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_obeys_the_schema_with_several_threads_and_with_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
