#include "bench/live.h"

#include <jansson.h>

#include "tests/bench/made.h"

static void a_bench_is_one_line_with_times_and_words(void **state) {
    bench_run *run = made_run();
    char *text = NULL;
    size_t n = 0;
    bench_live live = {.people = open_memstream(&text, &n)};
    bench_live_start(&live, run, 0, 1, 0); /* says nothing where nothing can be redrawn */
    bench_live_done(&live, run, 0);
    bench_live_done(&live, run, 3);
    bench_live_done(&live, run, 6);
    fclose(live.people);
    assert_non_null(strstr(text, "[1/8] speed_recover_dynamics_5k:  vel 501 ms"));
    assert_non_null(strstr(text, "scvelo-rs SKIPPED"));
    assert_non_null(strstr(text, "scvelo OOM"));
    assert_non_null(strstr(text, "SKIPPED: the data is not there"));
    free(text);
    made_run_free(run);
    (void)state;
}

static void events_are_objects_one_a_line(void **state) {
    bench_run *run = made_run();
    char *text = NULL;
    size_t n = 0;
    bench_live live = {.programs = open_memstream(&text, &n)};
    static const char *const kinds[] = {"start", "bench", "done"};
    int i = 0;
    bench_live_start(&live, run, 0, 1, 0);
    bench_live_done(&live, run, 0);
    bench_live_end(&live, run, 3);
    fclose(live.programs);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *event = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(event);
        assert_string_equal(json_string_value(json_object_get(event, "event")), kinds[i++]);
        json_decref(event);
    }
    assert_int_equal(i, 3);
    free(text);
    made_run_free(run);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bench_is_one_line_with_times_and_words),
        cmocka_unit_test(events_are_objects_one_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
