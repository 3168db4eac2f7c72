#include "bench/disk.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/bench/made.h"

enum { BYTES = 3 * (1 << 20) + 17 }; /* not a whole number of pieces */

static const char path[] = "velbench-disk-file", beside[] = "velbench-disk-file.plain";

static int make(void **state) {
    static char bytes[BYTES];
    FILE *f = fopen(path, "wb");
    (void)state;
    return !f || fwrite(bytes, 1, BYTES, f) != BYTES || fclose(f) != 0;
}

static int clear(void **state) {
    (void)state;
    return unlink(path);
}

static void reading_and_writing_take_time_and_leave_the_file_alone(void **state) {
    vel_ctx *ctx = made_ctx();
    double read_s = -1, load_s = -1, write_s = -1;
    assert_int_equal(bench_plain_read(ctx, path, &read_s), VEL_OK);
    assert_int_equal(bench_plain_load(ctx, path, &load_s), VEL_OK);
    assert_int_equal(bench_plain_write(ctx, path, &write_s), VEL_OK);
    assert_true(read_s > 0 && load_s > 0 && write_s > 0);
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(access(path, R_OK), 0);
    made_ctx_free(ctx);
    (void)state;
}

/* As a full disk would: what is there of it goes. */
static void a_write_that_fails_is_said_and_removed(void **state) {
    vel_ctx *ctx = made_ctx();
    struct rlimit before, small;
    double seconds;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1 << 20, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const vel_err e = bench_plain_write(ctx, path, &seconds);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(e, VEL_EWRITE);
    assert_non_null(strstr(ctx->message, beside));
    assert_int_equal(access(beside, F_OK), -1);
    made_ctx_free(ctx);
    (void)state;
}

static void a_file_that_is_not_there_is_named(void **state) {
    vel_ctx *ctx = made_ctx();
    double seconds;
    assert_int_equal(bench_plain_read(ctx, "/nowhere/none", &seconds), VEL_EREAD);
    assert_non_null(strstr(ctx->message, "/nowhere/none"));
    assert_int_equal(bench_plain_load(ctx, "/nowhere/none", &seconds), VEL_EREAD);
    assert_int_equal(bench_plain_write(ctx, "/nowhere/none", &seconds), VEL_EREAD);
    assert_non_null(strstr(ctx->message, "/nowhere/none"));
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reading_and_writing_take_time_and_leave_the_file_alone, make, clear),
        cmocka_unit_test_setup_teardown(a_write_that_fails_is_said_and_removed, make, clear),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
