#include "bench/cold.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/disk.h"
#include "tests/bench/made.h"

enum { BYTES = 3 << 20 };

static char path[] = "velbench-cold-XXXXXX"; /* where tests run: a folder on a disk, unless somebody builds in memory */

static int make(void **state) {
    static char bytes[BYTES];
    strcpy(path + sizeof path - 7, "XXXXXX");
    const int fd = mkstemp(path);
    const bool good = fd >= 0 && write(fd, bytes, BYTES) == BYTES;
    (void)state;
    return !good || close(fd) != 0;
}

static int clear(void **state) {
    (void)state;
    return unlink(path);
}

static void a_file_is_cold_again_after_it_was_read(void **state) {
    vel_ctx *ctx = made_ctx();
    bool cold[2];
    assert_int_equal(bench_cool(ctx, path, &cold[0]), VEL_OK);
    assert_int_equal(bench_plain_read(ctx, path, &(double){0}), VEL_OK);
    assert_int_equal(bench_cool(ctx, path, &cold[1]), VEL_OK);
    assert_int_equal(cold[0], cold[1]); /* both, unless the file lives in memory */
    made_ctx_free(ctx);
    (void)state;
}

static void a_file_that_is_not_there_is_named(void **state) {
    vel_ctx *ctx = made_ctx();
    bool cold;
    assert_int_equal(bench_cool(ctx, "/nowhere/none", &cold), VEL_EREAD);
    assert_non_null(strstr(ctx->message, "/nowhere/none"));
    assert_false(cold);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_cold_again_after_it_was_read, make, clear),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
