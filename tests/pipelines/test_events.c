#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "pipelines/events.h"

static vel_events events;
static char *written;
static size_t length;

static int setup(void **state) {
    (void)state;
    events = (vel_events){.to = open_memstream(&written, &length), .arena = vel_arena_new()};
    return !events.to || !events.arena;
}

static int teardown(void **state) {
    (void)state;
    fclose(events.to);
    free(written);
    vel_arena_free(events.arena);
    return 0;
}

/* The one line that was written, as JSON. */
static json_t *line(void) {
    fflush(events.to);
    assert_int_equal(written[length - 1], '\n');
    assert_ptr_equal(strchr(written, '\n'), written + length - 1);
    json_error_t error;
    json_t *j = json_loads(written, JSON_REJECT_DUPLICATES, &error);
    if (!j) fail_msg("%s: %s", error.text, written);
    return j;
}

static const char *text_of(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }

static void texts_are_escaped(void **state) {
    (void)state;
    vel_event_text(&events, "warning", "a \"quoted\" \\ text,\n\x01 caf\xc3\xa9");
    json_t *j = line();
    assert_string_equal(text_of(j, "event"), "warning");
    assert_string_equal(text_of(j, "text"), "a \"quoted\" \\ text,\n\x01 caf\xc3\xa9");
    json_decref(j);
}

static void an_error_has_its_exit_code_and_name(void **state) {
    (void)state;
    vel_event_error(&events, VEL_EKEY, "layers/Ms is missing");
    json_t *j = line();
    assert_int_equal(json_integer_value(json_object_get(j, "exit")), 3);
    assert_string_equal(text_of(j, "error"), "EKEY");
    assert_string_equal(text_of(j, "message"), "layers/Ms is missing");
    json_decref(j);
}

static void steps_are_counted_from_one(void **state) {
    (void)state;
    vel_event_step(&events, "moments", 0, 3, "end", 1.5);
    json_t *j = line();
    assert_int_equal(json_integer_value(json_object_get(j, "index")), 1);
    assert_int_equal(json_integer_value(json_object_get(j, "of")), 3);
    assert_true(json_real_value(json_object_get(j, "seconds")) == 1.5);
    json_decref(j);
}

static void each_gene_has_its_status(void **state) {
    (void)state;
    static const char *const names[] = {"Actb", "Sox2"}, *const statuses[] = {"fitted", NULL};
    vel_event_genes(&events, "recover_dynamics", names, statuses, 2);
    json_t *j = line(), *genes = json_object_get(j, "genes");
    assert_int_equal(json_array_size(genes), 2);
    assert_string_equal(text_of(json_array_get(genes, 0), "status"), "fitted");
    assert_true(json_is_null(json_object_get(json_array_get(genes, 1), "status")));
    json_decref(j);
}

static void files_that_are_not_there_are_null(void **state) {
    (void)state;
    vel_event_start(&events, "simulate", NULL, "out.h5ad", 4);
    json_t *j = line();
    assert_true(json_is_null(json_object_get(j, "input")));
    assert_string_equal(text_of(j, "version"), VEL_VERSION);
    json_decref(j);
}

static void nothing_is_written_when_nobody_listens(void **state) {
    (void)state;
    vel_events deaf = {.arena = events.arena};
    vel_event_text(&deaf, "note", "text");
    vel_event_done(&deaf, "out", 1);
    vel_event_progress(&deaf, "genes", 1, 2);
    fflush(events.to);
    assert_int_equal(length, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(texts_are_escaped),
        TEST(an_error_has_its_exit_code_and_name),
        TEST(steps_are_counted_from_one),
        TEST(each_gene_has_its_status),
        TEST(files_that_are_not_there_are_null),
        TEST(nothing_is_written_when_nobody_listens),
    };
    return cmocka_run_group_tests_name("pipelines/events", tests, NULL, NULL);
}
