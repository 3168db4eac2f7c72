#include "bench/ladder_report.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/files.h"
#include "tests/bench/made_ladder.h"

static void three_files_are_written_whole(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_ladder *ladder = made_ladder(ctx, NULL);
    char folder[] = "/tmp/velbench-ladder-XXXXXX", path[128];
    const char *const names[] = {"ladder.json", "ladder.md", "ladder.svg"}, *text;
    size_t n;
    assert_non_null(mkdtemp(folder));
    ladder->run->request.out = folder;
    assert_int_equal(bench_ladder_write(ctx, ladder), VEL_OK);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(bench_read_whole(ctx, ctx->scratch, path, &text, &n), VEL_OK);
        assert_true(text && n > 100);
    }
    bench_remove_folder(folder);
    made_ladder_free(ladder);
    made_ctx_free(ctx);
    (void)state;
}

static int lines_of_list(const char *only) {
    char *text = NULL;
    size_t n = 0;
    int lines = 0;
    FILE *out = open_memstream(&text, &n);
    bench_ladder_list(out, only);
    fclose(out);
    for (const char *p = text; *p; p++) lines += *p == '\n';
    free(text);
    return lines;
}

static void the_list_has_a_line_a_step_that_is_asked_for(void **state) {
    assert_int_equal(lines_of_list(NULL), bench_n_ladder_steps);
    assert_int_equal(lines_of_list("velocity_*"), 4);
    assert_int_equal(lines_of_list("nothing"), 0);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_files_are_written_whole),
        cmocka_unit_test(the_list_has_a_line_a_step_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
