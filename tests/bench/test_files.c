#include "bench/files.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/made.h"

static char folder[64];

static int make(void **state) {
    strcpy(folder, "/tmp/velbench-test-XXXXXX");
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int clear(void **state) {
    bench_remove_folder(folder);
    (void)state;
    return 0;
}

static const char *in(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void what_was_written_is_read(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *text;
    size_t n;
    assert_int_equal(bench_write_whole(ctx, in("a"), "hello", 5), VEL_OK);
    assert_int_equal(bench_write_whole(ctx, in("a"), "world!", 6), VEL_OK);
    assert_int_equal(bench_read_whole(ctx, ctx->scratch, in("a"), &text, &n), VEL_OK);
    assert_int_equal(n, 6);
    assert_string_equal(text, "world!");
    made_ctx_free(ctx);
    (void)state;
}

static void a_file_that_is_not_there_reads_as_none(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *text;
    size_t n;
    assert_int_equal(bench_read_whole(ctx, ctx->scratch, in("none"), &text, &n), VEL_OK);
    assert_null(text);
    made_ctx_free(ctx);
    (void)state;
}

/* Not as one that is empty: a history would be written again without what was in it. */
static void a_file_that_cannot_be_read_is_an_error(void **state) {
    vel_ctx *ctx = made_ctx();
    const char *text;
    size_t n;
    bool same;
    assert_int_equal(bench_read_whole(ctx, ctx->scratch, folder, &text, &n), VEL_EREAD);
    assert_non_null(strstr(ctx->message, folder));
    assert_int_equal(bench_same_bytes(ctx, folder, folder, &same), VEL_EREAD);
    made_ctx_free(ctx);
    (void)state;
}

static void a_failure_leaves_the_old_file_and_no_other(void **state) {
    vel_ctx *ctx = made_ctx();
    struct stat st;
    char temporary[160];
    assert_int_equal(mkdir(in("taken"), 0700), 0); /* a folder stands where the file should go */
    assert_int_equal(bench_write_whole(ctx, in("taken"), "x", 1), VEL_EWRITE);
    assert_non_null(strstr(ctx->message, "taken"));
    snprintf(temporary, sizeof temporary, "%s.tmp.%d", in("taken"), (int)getpid());
    assert_int_not_equal(stat(temporary, &st), 0);
    rmdir(in("taken"));
    made_ctx_free(ctx);
    (void)state;
}

static void folders_are_made_with_those_above(void **state) {
    vel_ctx *ctx = made_ctx();
    struct stat st;
    assert_int_equal(bench_make_folder(ctx, in("b/c/d")), VEL_OK);
    assert_int_equal(bench_make_folder(ctx, in("b/c/d")), VEL_OK);
    assert_true(stat(in("b/c/d"), &st) == 0 && S_ISDIR(st.st_mode));
    assert_int_equal(bench_make_folder(ctx, "/proc/none/such"), VEL_EWRITE);
    rmdir(in("b/c/d")), rmdir(in("b/c")), rmdir(in("b"));
    made_ctx_free(ctx);
    (void)state;
}

static void two_files_are_the_same_or_not(void **state) {
    vel_ctx *ctx = made_ctx();
    char place[64] = "/tmp/velbench-test-XXXXXX", path[3][96];
    const char *const texts[] = {"the same", "the same", "the sane"};
    bool same;
    assert_non_null(mkdtemp(place));
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%d", place, i);
        assert_int_equal(bench_write_whole(ctx, path[i], texts[i], 8), VEL_OK);
    }
    assert_int_equal(bench_same_bytes(ctx, path[0], path[1], &same), VEL_OK);
    assert_true(same);
    assert_int_equal(bench_same_bytes(ctx, path[0], path[2], &same), VEL_OK);
    assert_false(same);
    assert_int_equal(bench_write_whole(ctx, path[1], "the same and more", 17), VEL_OK);
    assert_int_equal(bench_same_bytes(ctx, path[0], path[1], &same), VEL_OK);
    assert_false(same);
    assert_int_equal(bench_same_bytes(ctx, path[0], "/nowhere/file", &same), VEL_EREAD);
    bench_remove_folder(place);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read, make, clear),
        cmocka_unit_test_setup_teardown(a_file_that_is_not_there_reads_as_none, make, clear),
        cmocka_unit_test_setup_teardown(a_file_that_cannot_be_read_is_an_error, make, clear),
        cmocka_unit_test_setup_teardown(a_failure_leaves_the_old_file_and_no_other, make, clear),
        cmocka_unit_test_setup_teardown(folders_are_made_with_those_above, make, clear),
        cmocka_unit_test(two_files_are_the_same_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
