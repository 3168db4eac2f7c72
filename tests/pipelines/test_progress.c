#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/progress.h"

static char *written;
static size_t length;

static vel_progress to_memory(bool live) {
    vel_progress p = {.to = open_memstream(&written, &length), .live = live};
    assert_non_null(p.to);
    return p;
}

static void close_memory(vel_progress *p) {
    fclose(p->to);
    free(written);
}

static void a_file_gets_no_live_line(void **state) {
    (void)state;
    FILE *f = tmpfile();
    vel_progress p = vel_progress_to(f);
    assert_false(p.live);
    vel_progress_show(&p, "[1/1] moments", "cells", 1, 2);
    vel_progress_clear(&p);
    assert_int_equal(ftell(f), 0);
    fclose(f);
}

static void the_line_tells_step_share_and_time_left(void **state) {
    (void)state;
    vel_progress p = to_memory(true);
    vel_progress_show(&p, "[2/7] recover_dynamics", "genes", 0, 200);
    vel_progress_show(&p, "[2/7] recover_dynamics", "genes", 50, 200);
    assert_non_null(strstr(written, "[2/7] recover_dynamics"));
    assert_non_null(strstr(written, "ETA -:--"));
    assert_non_null(strstr(written, " 25 %"));
    assert_non_null(strstr(written, "50/200"));
    close_memory(&p);
}

static void clearing_takes_the_line_away_once(void **state) {
    (void)state;
    vel_progress p = to_memory(true);
    vel_progress_show(&p, "x", "genes", 1, 2);
    vel_progress_clear(&p);
    size_t after = length;
    vel_progress_clear(&p);
    assert_int_equal(length, after);
    assert_false(p.shown);
    close_memory(&p);
}

static void durations_read_like_a_clock(void **state) {
    (void)state;
    char text[16];
    assert_string_equal(vel_duration_text(7.4, text), "0:07");
    assert_string_equal(vel_duration_text(754, text), "12:34");
    assert_string_equal(vel_duration_text(3 * 3600 + 130, text), "3:02:10");
    assert_string_equal(vel_duration_text(-1, text), "0:00");
    assert_string_equal(vel_duration_text(1e12, text), "days");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gets_no_live_line),
        cmocka_unit_test(the_line_tells_step_share_and_time_left),
        cmocka_unit_test(clearing_takes_the_line_away_once),
        cmocka_unit_test(durations_read_like_a_clock),
    };
    return cmocka_run_group_tests_name("pipelines/progress", tests, NULL, NULL);
}
