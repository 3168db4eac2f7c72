#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/voice.h"

typedef struct {
    vel_ctx ctx;
    vel_voice voice;
    char *lines, *events;
    size_t n_lines, n_events;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){.ctx = {.scratch = vel_arena_new(), .threads = 1}};
    f.voice = (vel_voice){.progress = {.to = open_memstream(&f.lines, &f.n_lines)},
                          .events = {open_memstream(&f.events, &f.n_events), vel_arena_new()}};
    vel_voice_attach(&f.voice, &f.ctx);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    fclose(f->voice.progress.to);
    fclose(f->voice.events.to);
    free(f->lines);
    free(f->events);
    vel_arena_free(f->voice.events.arena);
    vel_arena_free(f->ctx.scratch);
    return 0;
}

static const char *lines(fixture *f) {
    fflush(f->voice.progress.to);
    return f->lines;
}

static const char *events(fixture *f) {
    fflush(f->voice.events.to);
    return f->events;
}

static void notes_and_warnings_are_told_to_people_and_programs(void **state) {
    fixture *f = *state;
    vel_say(&f->ctx, VEL_INFO, "%d genes", 3);
    vel_say(&f->ctx, VEL_WARN, "few genes");
    vel_say(&f->ctx, VEL_DEBUG, "nothing");
    assert_string_equal(lines(f), "vel: 3 genes\nvel: warning: few genes\n");
    assert_string_equal(events(f),
                        "{\"event\":\"note\",\"text\":\"3 genes\"}\n"
                        "{\"event\":\"warning\",\"text\":\"few genes\"}\n");
}

static void a_warning_with_another_example_is_the_same(void **state) {
    fixture *f = *state;
    vel_say(&f->ctx, VEL_WARN, "X is odd (1 in cell a)");
    vel_say(&f->ctx, VEL_WARN, "X is odd (2 in cell b)");
    vel_say(&f->ctx, VEL_WARN, "Y is odd (1 in cell a)");
    assert_string_equal(lines(f), "vel: warning: X is odd (1 in cell a)\nvel: warning: Y is odd (1 in cell a)\n");
}

static void quiet_is_only_for_people(void **state) {
    fixture *f = *state;
    f->voice.quiet = true;
    vel_say(&f->ctx, VEL_WARN, "few genes");
    f->ctx.sink.progress(f->ctx.sink.user, "genes", 1, 2);
    assert_int_equal(strlen(lines(f)), 0);
    assert_non_null(strstr(events(f), "few genes"));
    assert_non_null(strstr(events(f), "\"done\":1"));
}

/* A step that keeps var/fit_status, at its end. */
static vel_err end_of_fit(fixture *f, vel_adata *ad, vel_err e) {
    static const vel_step step = {.name = "fit"};
    static const vel_key key = {.name = "var/fit_status", .shape = VEL_VAR};
    static vel_planned_key write = {.key = &key, .path = "var/fit_status"};
    const vel_planned planned = {.call = {.step = &step}, .writes = &write, .n_writes = 1};
    vel_run_listener listener = vel_voice_listener(&f->voice);
    listener.begin(listener.user, &planned, 1, 3);
    return listener.end(listener.user, ad, &planned, e);
}

static void a_status_of_genes_is_told_gene_by_gene(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"Actb", "Sox2"}, *const words[] = {"fitted", "too few cells"};
    vel_adata *ad;
    assert_int_equal(vel_adata_new(&f->ctx, 1, 2, &ad), VEL_OK);
    assert_int_equal(vel_put_names(&f->ctx, ad, true, names), VEL_OK);
    assert_int_equal(end_of_fit(f, ad, VEL_OK), VEL_OK);
    assert_null(strstr(events(f), "\"event\":\"genes\""));
    assert_int_equal(vel_put_texts(&f->ctx, ad, "var/fit_status", words, 2), VEL_OK);
    assert_int_equal(end_of_fit(f, ad, VEL_ENONE), VEL_OK);
    assert_non_null(strstr(events(f), "{\"gene\":\"Sox2\",\"status\":\"too few cells\"}"));
    assert_non_null(strstr(events(f), "\"state\":\"failed\""));
    vel_adata_free(ad);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(notes_and_warnings_are_told_to_people_and_programs),
        TEST(a_warning_with_another_example_is_the_same),
        TEST(quiet_is_only_for_people),
        TEST(a_status_of_genes_is_told_gene_by_gene),
    };
    return cmocka_run_group_tests_name("pipelines/voice", tests, NULL, NULL);
}
