#include "bench/rivals.h"

#include <sys/stat.h>
#include <unistd.h>

#include "bench/files.h"
#include "tests/bench/made.h"

static void the_list_says_what_is_missing_and_how_to_get_it(void **state) {
    vel_ctx *ctx = made_ctx();
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    setenv("VELBENCH_PYTHON", "/nowhere/python", 1);
    assert_int_equal(bench_rivals_list(ctx, out, false), VEL_OK);
    fclose(out);
    assert_non_null(strstr(text, "scvelo-rs"));
    assert_non_null(strstr(text, "velbench rivals --setup"));
    free(text);
    made_ctx_free(ctx);
    (void)state;
}

/* A made-up interpreter that writes down how it was called. */
static void setup_makes_the_environment_and_installs_both_lists(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[64] = "/tmp/velbench-test-XXXXXX", python[96], made[160];
    static const char script[] =
        "#!/bin/sh\necho \"$0 $@\" >> \"$XDG_DATA_HOME/calls\"\n"
        "if [ \"$2\" = venv ]; then mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\"; fi\n";
    const char *text;
    size_t n;
    FILE *null = fopen("/dev/null", "w");
    assert_non_null(mkdtemp(folder));
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(made, sizeof made, "%s/bench/rivals", getenv("VEL_SOURCE_DIR"));
    setenv("VELBENCH_RIVALS", made, 1);
    snprintf(python, sizeof python, "%s/python", folder);
    assert_int_equal(bench_write_whole(ctx, python, script, sizeof script - 1), VEL_OK);
    assert_int_equal(chmod(python, 0755), 0);
    if (bench_rivals_setup(ctx, null, python) != VEL_OK) fail_msg("%s", ctx->message);
    snprintf(made, sizeof made, "%s/calls", folder);
    assert_int_equal(bench_read_whole(ctx, ctx->scratch, made, &text, &n), VEL_OK);
    assert_non_null(strstr(text, "-m venv"));
    assert_non_null(strstr(text, "reference-requirements.txt --requirement"));
    assert_non_null(strstr(text, "rivals/requirements.txt"));
    assert_int_not_equal(bench_rivals_setup(ctx, null, "/bin/false"), VEL_OK);
    fclose(null);
    snprintf(made, sizeof made, "rm -rf %s", folder);
    assert_int_equal(system(made), 0);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_says_what_is_missing_and_how_to_get_it),
        cmocka_unit_test(setup_makes_the_environment_and_installs_both_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
