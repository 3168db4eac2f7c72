#include "verify/cli.h"

#include <string.h>

#include "tests/verify/fixture.h"

enum { MOST = 16 };

/* Parses a command line given as one string of words. */
static vel_err parse(vel_ctx *ctx, const char *line, vel_cmp_command *command) {
    static char text[256];
    char *argv[MOST] = {"velcmp"}, *rest = NULL;
    int argc = 1;
    strcpy(text, line);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) argv[argc++] = word;
    ctx->message[0] = 0;
    return vel_cmp_parse(ctx, argc, argv, command);
}

static void two_files_are_enough(void **state) {
    vel_cmp_command c;
    assert_ok(parse(*state, "a.h5ad b.h5ad", &c));
    assert_string_equal(c.reference, "a.h5ad");
    assert_string_equal(c.result, "b.h5ad");
    assert_int_equal(c.parity.strictness, VEL_SPEC);
    assert_true(c.parity.atol < 0 && c.parity.rtol < 0 && c.parity.outliers < 0);
    assert_int_equal(c.parity.worst, 5);
    assert_null(c.parity.steps);
    assert_false(c.json);
}

static void every_option_is_taken_with_and_without_an_equals_sign(void **state) {
    vel_cmp_command c;
    assert_ok(parse(*state,
                    "--steps pca,moments a --only layers/* --tolerance loose b --atol 1e-3 --rtol=0 --outliers 0.5 "
                    "--worst=7 --json",
                    &c));
    assert_string_equal(c.parity.steps, "pca,moments");
    assert_string_equal(c.parity.only, "layers/*");
    assert_int_equal(c.parity.strictness, VEL_LOOSE);
    assert_true(c.parity.atol == 1e-3 && c.parity.rtol == 0 && c.parity.outliers == 0.5);
    assert_int_equal(c.parity.worst, 7);
    assert_true(c.json);
}

static void help_is_a_command_unless_it_is_a_file(void **state) {
    vel_cmp_command c;
    assert_ok(parse(*state, "help", &c));
    assert_true(c.help);
    assert_ok(parse(*state, "help b.h5ad", &c));
    assert_false(c.help);
}

static void wrong_usage_is_refused_and_named(void **state) {
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"a", "two files"},
        {"a b c", "third"},
        {"a b --no-such", "--no-such"},
        {"a b --atol", "--atol"},
        {"a b --atol x", "--atol"},
        {"a b --rtol -1", "--rtol"},
        {"a b --rtol nan", "--rtol"},
        {"a b --outliers 2", "--outliers"},
        {"a b --worst 1.5", "--worst"},
        {"a b --worst 21", "--worst"},
        {"a b --tolerance tight", "tight"},
        {"a b --json=1", "--json"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vel_cmp_command c;
        vel_ctx *ctx = *state;
        assert_int_equal(parse(ctx, cases[i].line, &c), VEL_EUSAGE);
        if (!strstr(ctx->message, cases[i].said)) fail_msg("\"%s\" was told: %s", cases[i].line, ctx->message);
    }
}

static void help_and_version_need_no_files(void **state) {
    vel_cmp_command c;
    assert_ok(parse(*state, "--help", &c));
    assert_true(c.help);
    assert_ok(parse(*state, "--version", &c));
    assert_true(c.version);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(two_files_are_enough),
        WITH_CONTEXT(every_option_is_taken_with_and_without_an_equals_sign),
        WITH_CONTEXT(wrong_usage_is_refused_and_named),
        WITH_CONTEXT(help_and_version_need_no_files),
        WITH_CONTEXT(help_is_a_command_unless_it_is_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
