/* What stands on stdout has come out, or it is said why not. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pipelines/told.h"
#include "tests/context.h"

/* Tells n bytes to that descriptor and asks whether they have come out. */
static vel_err tell(vel_ctx *ctx, int to, size_t n) {
    static char text[1 << 20];
    assert_true(n <= sizeof text);
    memset(text, 'x', n);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    assert_true(to >= 0 && kept >= 0 && dup2(to, STDOUT_FILENO) >= 0);
    (void)!fwrite(text, 1, n, stdout);
    ctx->message[0] = 0;
    vel_err e = vel_told(ctx);
    __fpurge(stdout);
    clearerr(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(to);
    return e;
}

static void what_has_come_out_is_told(void **state) {
    assert_int_equal(tell(*state, open("/dev/null", O_WRONLY), 100), VEL_OK);
    assert_int_equal(tell(*state, open("/dev/null", O_WRONLY), 1 << 20), VEL_OK);
}

static void a_full_disk_is_an_error_however_much_was_told(void **state) {
    vel_ctx *ctx = *state;
    for (size_t n = 1; n <= 1 << 20; n *= 32) {
        assert_int_equal(tell(ctx, open("/dev/full", O_WRONLY), n), VEL_EWRITE);
        assert_non_null(strstr(ctx->message, "stdout"));
    }
}

static void a_reader_that_left_is_content(void **state) {
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    for (size_t n = 1; n <= 1 << 20; n *= 32) {
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        assert_int_equal(tell(*state, ends[1], n), VEL_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_come_out_is_told),
        cmocka_unit_test(a_full_disk_is_an_error_however_much_was_told),
        cmocka_unit_test(a_reader_that_left_is_content),
    };
    return cmocka_run_group_tests(tests, new_context, free_context);
}
