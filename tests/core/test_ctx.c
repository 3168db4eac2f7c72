#include "core/ctx.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_first_failure_keeps_its_message(void **state) {
    (void)state;
    vel_ctx ctx = {.threads = 1};
    assert_int_equal(vel_fail(&ctx, VEL_ESHAPE, "layers/%s is %d x %d", "Ms", 3, 4), VEL_ESHAPE);
    assert_int_equal(vel_fail(&ctx, VEL_EKEY, "another"), VEL_EKEY);
    assert_string_equal(ctx.message, "layers/Ms is 3 x 4");
}

static void where_it_was_is_put_before_a_message(void **state) {
    (void)state;
    vel_ctx ctx = {.threads = 1};
    assert_int_equal(vel_fail(&ctx, VEL_EREAD, "7 bytes are missing"), VEL_EREAD);
    assert_int_equal(vel_fail_at(&ctx, VEL_EREAD, "X of a.h5ad"), VEL_EREAD);
    assert_string_equal(ctx.message, "X of a.h5ad: 7 bytes are missing");
}

static void a_long_message_is_cut(void **state) {
    (void)state;
    vel_ctx ctx = {.threads = 1};
    assert_int_equal(vel_fail(&ctx, VEL_EVALUE, "%2000d", 1), VEL_EVALUE);
    assert_int_equal(strlen(ctx.message), sizeof ctx.message - 1);
}

static void the_signal_tells_how_a_call_ends(void **state) {
    (void)state;
    vel_ctx ctx = {.threads = 1};
    volatile sig_atomic_t signal = 0;
    assert_int_equal(vel_poll(&ctx), VEL_OK);
    ctx.cancel = &signal;
    assert_int_equal(vel_poll(&ctx), VEL_OK);
    signal = SIGINT;
    assert_int_equal(vel_poll(&ctx), VEL_EINTR);
    assert_string_equal(ctx.message, "interrupted");
    signal = SIGTERM;
    assert_int_equal(vel_poll(&ctx), VEL_ETERM);
}

static void remember(void *user, vel_level level, const char *text) {
    assert_int_equal(level, VEL_WARN);
    strcpy(user, text);
}

static void what_is_said_reaches_the_listener(void **state) {
    (void)state;
    char heard[1024] = "";
    vel_ctx ctx = {.threads = 1, .sink = {.user = heard, .say = remember}};
    vel_say(&ctx, VEL_WARN, "k is clipped to %d", 29);
    assert_string_equal(heard, "k is clipped to 29");
    ctx.sink.say = NULL;
    vel_say(&ctx, VEL_WARN, "nobody listens");
    assert_string_equal(heard, "k is clipped to 29");
}

static void too_much_memory_is_refused_with_the_amount(void **state) {
    (void)state;
    vel_ctx ctx = {.threads = 1, .scratch = vel_arena_new()};
    assert_non_null(ctx.scratch);
    double *x;
    assert_int_equal(VEL_ALLOC(&ctx, x, INT64_MAX), VEL_ENOMEM);
    assert_non_null(strstr(ctx.message, "9223372036854775807 elements of 8 bytes"));
    assert_int_equal(VEL_ZALLOC(&ctx, x, 10), VEL_OK);
    for (int i = 0; i < 10; i++) assert_true(x[i] == 0);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_failure_keeps_its_message),
        cmocka_unit_test(where_it_was_is_put_before_a_message),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(the_signal_tells_how_a_call_ends),
        cmocka_unit_test(what_is_said_reaches_the_listener),
        cmocka_unit_test(too_much_memory_is_refused_with_the_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
