#include "bench/report.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/files.h"
#include "tests/bench/made.h"

static void all_four_files_are_whole_and_nothing_else_is_left(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    char folder[64] = "/tmp/velbench-test-XXXXXX", path[128];
    static const char *const names[] = {"benchmark_results.json", "benchmark_table.md", "benchmark_history.jsonl",
                                        "report.html"};
    assert_non_null(mkdtemp(folder));
    run->request.out = folder;
    for (int i = 0; i < 2; i++) assert_int_equal(bench_report_write(ctx, run), VEL_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text;
        size_t n;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(bench_read_whole(ctx, ctx->scratch, path, &text, &n), VEL_OK);
        assert_true(text && n > 50 && text[n - 1] == '\n');
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0); /* empty now: no temporary file, no lock */
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_folder_that_is_not_there_is_a_failure_to_write(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    run->request.out = "/nowhere/at/all";
    assert_int_equal(bench_report_write(ctx, run), VEL_EWRITE);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_four_files_are_whole_and_nothing_else_is_left),
        cmocka_unit_test(a_folder_that_is_not_there_is_a_failure_to_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
