#include "bench/cli.h"

#include "tests/bench/made.h"

enum { MOST = 12 };

static vel_err parse(bench_command *command, char *message, const char *line) {
    vel_ctx *ctx = made_ctx();
    static char copy[256];
    char *argv[MOST + 2] = {(char *)"velbench"};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && argc <= MOST; word = strtok(NULL, " ")) argv[argc++] = word;
    const vel_err e = bench_parse(ctx, argc, argv, command);
    if (message) strcpy(message, ctx->message);
    made_ctx_free(ctx);
    return e;
}

static void the_defaults_are_long_one_repeat_one_thread_full_size(void **state) {
    bench_command c;
    assert_int_equal(parse(&c, NULL, ""), VEL_OK);
    assert_int_equal(c.verb, BENCH_DO_RUN);
    assert_int_equal(c.request.set, BENCH_SET_LONG);
    assert_true(c.request.scale == 1 && c.request.repeat == 1 && c.request.threads == 1);
    assert_null(c.rivals);
    (void)state;
}

static void every_option_arrives(void **state) {
    bench_command c;
    assert_int_equal(parse(&c, NULL, "--quick --only mem_* --scale=0.05 --repeat 4 --rivals self --threads 2 --out o"),
                     VEL_OK);
    assert_int_equal(c.request.set, BENCH_SET_QUICK);
    assert_string_equal(c.request.only, "mem_*");
    assert_true(c.request.scale == 0.05 && c.request.repeat == 4 && c.request.threads == 2);
    assert_string_equal(c.rivals, "self");
    assert_string_equal(c.request.out, "o");
    assert_int_equal(parse(&c, NULL, "--mem-limit 2G --data d --stand-in --json --list --extra-long"), VEL_OK);
    assert_true(c.request.memory == INT64_C(2) << 30 && c.request.stand_in && c.json && c.list);
    assert_int_equal(c.request.set, BENCH_SET_EXTRA_LONG);
    assert_int_equal(parse(&c, NULL, "rivals --setup --python p"), VEL_OK);
    assert_true(c.verb == BENCH_DO_RIVALS && c.setup);
    assert_int_equal(parse(&c, NULL, "data --data d"), VEL_OK);
    assert_int_equal(c.verb, BENCH_DO_DATA);
    assert_int_equal(parse(&c, NULL, "compare a b --fail-on regression --margin 0.05"), VEL_OK);
    assert_int_equal(c.verb, BENCH_DO_COMPARE);
    assert_string_equal(c.compare.old, "a");
    assert_string_equal(c.compare.new, "b");
    assert_true(c.compare.fail_on && c.compare.margin == 0.05);
    assert_int_equal(parse(&c, NULL, "ladder --cells 1k --genes none --beside 1kx50 --budget 60 --only p*"), VEL_OK);
    assert_true(c.verb == BENCH_DO_LADDER && c.ladder.budget_s == 60);
    assert_string_equal(c.ladder.cells, "1k");
    assert_int_equal(parse(&c, NULL, "roofline --threads 2"), VEL_OK);
    assert_int_equal(c.verb, BENCH_DO_ROOFLINE);
    (void)state;
}

static void help_is_a_command_too(void **state) {
    bench_command c;
    const char *const lines[] = {"help", "--help", "-h", "help help", "help ladder", "ladder --help", "--help ladder"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(parse(&c, NULL, lines[i]), VEL_OK);
        assert_true(c.help);
        assert_int_equal(c.verb, i < 4 ? BENCH_DO_RUN : BENCH_DO_LADDER);
    }
    assert_int_equal(parse(&c, NULL, "help nonsense"), VEL_EUSAGE);
    assert_int_equal(parse(&c, NULL, "ladder help"), VEL_EUSAGE);
    (void)state;
}

static void wrong_usage_is_refused_with_a_word(void **state) {
    const char *const lines[] = {"--quick --long",
                                 "--scale 0",
                                 "--scale 2",
                                 "--scale x",
                                 "--repeat 0",
                                 "--repeat 1.5",
                                 "--threads -1",
                                 "--nonsense",
                                 "nonsense",
                                 "--only",
                                 "--setup",
                                 "--python p",
                                 "rivals --python p",
                                 "--mem-limit 0",
                                 "--json=yes",
                                 "--quick data",
                                 "compare",
                                 "compare a",
                                 "compare a b c",
                                 "--margin 0.1",
                                 "compare a b --fail-on x",
                                 "--cells 1k",
                                 "ladder --budget 0"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        bench_command c;
        char message[1024];
        if (parse(&c, message, lines[i]) != VEL_EUSAGE) fail_msg("\"%s\" was taken", lines[i]);
        assert_true(message[0] != '\0');
    }
    (void)state;
}

static void help_lists_every_exit_code(void **state) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    bench_help(out);
    fclose(out);
    assert_non_null(strstr(text, "--vendor-only"));
    assert_non_null(strstr(text, "130"));
    assert_non_null(strstr(text, "Example:"));
    free(text);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_long_one_repeat_one_thread_full_size),
        cmocka_unit_test(every_option_arrives),
        cmocka_unit_test(help_is_a_command_too),
        cmocka_unit_test(wrong_usage_is_refused_with_a_word),
        cmocka_unit_test(help_lists_every_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
