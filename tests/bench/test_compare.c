#include "bench/compare.h"

#include <math.h>
#include <unistd.h>

#include "bench/files.h"
#include "bench/results.h"
#include "tests/bench/made.h"

/* The made-up run written to a file, ours slowed down. */
static void write_run(vel_ctx *ctx, const char *path, int64_t slower) {
    bench_run *run = made_run();
    const char *text;
    for (int i = 0; i < run->n_lines; i++) {
        bench_cell *c = &run->lines[i].cell[0];
        for (int k = 0; k < c->n; k++) c->samples[k].cpu_ns *= slower;
        if (c->n) bench_conclude_line(run, &run->lines[i]);
    }
    assert_int_equal(bench_results_text(ctx, run, &text), VEL_OK);
    assert_int_equal(bench_write_whole(ctx, path, text, strlen(text)), VEL_OK);
    made_run_free(run);
}

static int compared(vel_ctx *ctx, const char *old, const char *new, const char *fail_on, bool json, char **text) {
    size_t n = 0;
    int code = -1;
    FILE *out = open_memstream(text, &n);
    const bench_compare_request request = {.old = old, .new = new, .fail_on = fail_on};
    if (bench_compare_files(ctx, &request, out, json, &code) != VEL_OK) code = -1;
    fclose(out);
    return code;
}

static void a_loss_is_said_and_fails_where_it_is_asked_to(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[64] = "/tmp/velbench-test-XXXXXX", old[96], new[96], *text;
    assert_non_null(mkdtemp(folder));
    snprintf(old, sizeof old, "%s/old.json", folder);
    snprintf(new, sizeof new, "%s/new.json", folder);
    write_run(ctx, old, 1);
    write_run(ctx, new, 2);
    assert_int_equal(compared(ctx, old, new, NULL, false, &text), 0);
    assert_non_null(strstr(text, "| speed_recover_dynamics_5k | vel | 2.00x LOST | 1.00x | 1.00x |"));
    free(text);
    assert_int_equal(compared(ctx, old, new, "regression", false, &text), 1);
    free(text);
    assert_int_equal(compared(ctx, new, old, "regression", false, &text), 0); /* a gain is none */
    assert_non_null(strstr(text, "\n0 lost beyond a margin of 10 %"));
    free(text);
    assert_int_equal(compared(ctx, old, new, "regression", true, &text), 1);
    json_t *object = json_loads(text, 0, NULL);
    assert_true(json_integer_value(json_object_get(object, "lost")) >= 6);
    json_decref(object);
    free(text);
    bench_remove_folder(folder);
    made_ctx_free(ctx);
    (void)state;
}

static void a_file_that_is_not_there_or_no_json_is_named(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[64] = "/tmp/velbench-test-XXXXXX", path[96], *text;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/broken.json", folder);
    assert_int_equal(bench_write_whole(ctx, path, "{", 1), VEL_OK);
    assert_int_equal(compared(ctx, path, path, NULL, false, &text), -1);
    assert_non_null(strstr(ctx->message, "broken.json, line 1"));
    free(text);
    ctx->message[0] = '\0';
    assert_int_equal(compared(ctx, "/nowhere.json", path, NULL, false, &text), -1);
    assert_non_null(strstr(ctx->message, "/nowhere.json"));
    free(text);
    bench_remove_folder(folder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_is_said_and_fails_where_it_is_asked_to),
        cmocka_unit_test(a_file_that_is_not_there_or_no_json_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
