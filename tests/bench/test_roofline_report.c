#include "bench/roofline_report.h"

#include <unistd.h>

#include "bench/files.h"
#include "tests/bench/made_roofline.h"

static void three_files_are_written_whole(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_roofline *r = made_roofline();
    char folder[] = "/tmp/velbench-roofline-XXXXXX", path[128];
    const char *const names[] = {"roofline.json", "roofline.md", "roofline.svg"}, *text;
    size_t n;
    assert_non_null(mkdtemp(folder));
    r->run->request.out = folder;
    assert_int_equal(bench_roofline_write(ctx, r), VEL_OK);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(bench_read_whole(ctx, ctx->scratch, path, &text, &n), VEL_OK);
        assert_true(text && n > 100);
    }
    bench_remove_folder(folder);
    made_roofline_free(r);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_files_are_written_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
