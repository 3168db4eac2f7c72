#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/cli_args.h"

typedef struct {
    int64_t n;
    const char *vkey, *mode;
    bool fit;
} options;
static const vel_opt a_rows[] = {VEL_OPT(options, n, VEL_OINT, "30", NULL, ""),
                                 VEL_OPT(options, vkey, VEL_OTEXT, "velocity", NULL, ""),
                                 VEL_OPT(options, mode, VEL_OTEXT, "fast", NULL, ""),
                                 {0}};
static const vel_opt b_rows[] = {VEL_OPT(options, n, VEL_OINT, "30", NULL, ""),
                                 VEL_OPT(options, vkey, VEL_OTEXT, "velocity", NULL, ""),
                                 VEL_OPT(options, fit, VEL_OBOOL, "false", NULL, ""),
                                 {0}};
static const vel_step step_a = {.name = "step_a", .inputs = 1, .opts = a_rows, .opts_size = sizeof(options)};
static const vel_step step_b = {.name = "step_b", .inputs = 1, .opts = b_rows, .opts_size = sizeof(options)};

static vel_ctx ctx;
static vel_args args;
static vel_common common;
static vel_recipe recipe;

static int setup(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    return ctx.scratch == NULL;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

enum { MOST_WORDS = 12 };

/* A command line as one string, split at spaces. */
static vel_err parse(const char *line) {
    static char copy[256];
    char *words[MOST_WORDS + 1] = {0};
    int n = 0;
    strcpy(copy, line);
    for (char *s = strtok(copy, " "); s && n < MOST_WORDS; s = strtok(NULL, " ")) words[n++] = s;
    ctx.message[0] = 0;
    VEL_TRY(vel_args_parse(&ctx, ctx.scratch, n, words, &args));
    return vel_args_common(&ctx, ctx.scratch, &args, &common);
}

static vel_err route(const char *text, const char *line) {
    VEL_TRY(parse(line));
    VEL_TRY(vel_recipe_parse(&ctx, ctx.scratch, text, &recipe));
    for (int i = 0; i < recipe.n_calls; i++)
        recipe.calls[i].step = strcmp(recipe.calls[i].name, "step_a") ? &step_b : &step_a;
    return vel_args_route(&ctx, &args, &recipe);
}

static void words_and_flags_are_told_apart(void **state) {
    (void)state;
    assert_int_equal(parse("moments in.h5ad --n_pcs 3 -o out.h5ad --mode=exact -- --odd"), VEL_OK);
    assert_int_equal(args.n_words, 3);
    assert_string_equal(args.words[2], "--odd");
    assert_int_equal(args.n_flags, 2);
    assert_string_equal(args.flags[0].name, "n_pcs");
    assert_string_equal(args.flags[1].value, "exact");
    assert_string_equal(common.output, "out.h5ad");
}

static void a_bool_may_stand_alone(void **state) {
    (void)state;
    assert_int_equal(parse("--quiet in.h5ad --dry-run false --json true"), VEL_OK);
    assert_true(common.quiet && common.json && !common.dry_run);
    assert_int_equal(args.n_words, 1);
}

static void negative_numbers_are_values(void **state) {
    (void)state;
    assert_int_equal(parse("in.h5ad --n -3"), VEL_OK);
    assert_string_equal(args.flags[0].value, "-3");
}

static void a_file_may_be_called_anything(void **state) {
    (void)state;
    assert_int_equal(parse("--genes none -o 12"), VEL_OK);
    assert_string_equal(common.genes, "none");
    assert_string_equal(common.output, "12");
}

static void a_missing_value_is_told(void **state) {
    (void)state;
    assert_int_equal(parse("in.h5ad --n_pcs"), VEL_EUSAGE);
    assert_int_equal(parse("in.h5ad -x"), VEL_EUSAGE);
    assert_int_equal(parse("--quiet=maybe"), VEL_EUSAGE);
}

static void an_option_goes_to_the_step_that_has_it(void **state) {
    (void)state;
    assert_int_equal(route("step_a | step_b", "--mode exact --fit true"), VEL_OK);
    assert_string_equal(recipe.calls[0].args[0].value.text, "exact");
    assert_int_equal(recipe.calls[0].n_args, 1);
    assert_true(vel_is_true(&recipe.calls[1].args[0].value));
}

static void the_command_line_beats_the_recipe(void **state) {
    (void)state;
    assert_int_equal(route("step_a mode=slow", "--mode exact"), VEL_OK);
    assert_int_equal(recipe.calls[0].n_args, 1);
    assert_string_equal(recipe.calls[0].args[0].value.text, "exact");
}

static void an_option_of_several_steps_needs_a_step(void **state) {
    (void)state;
    assert_int_equal(route("step_a | step_b", "--n 3"), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "--step_a.n"));
    assert_non_null(strstr(ctx.message, "--step_b.n"));
    assert_int_equal(route("step_a | step_b", "--step-b.n 3"), VEL_OK);
    assert_int_equal(recipe.calls[0].n_args, 0);
    assert_int_equal(recipe.calls[1].args[0].value.integer, 3);
}

static void a_step_that_comes_twice_is_one_choice(void **state) {
    (void)state;
    assert_int_equal(route("step_a | step_b | step_a", "--mode exact"), VEL_OK);
    assert_int_equal(recipe.calls[0].n_args, 1);
    assert_int_equal(recipe.calls[2].n_args, 1);
}

static void vkey_goes_to_all(void **state) {
    (void)state;
    assert_int_equal(route("step_a | step_b", "--vkey v2"), VEL_OK);
    assert_string_equal(recipe.calls[0].args[0].value.text, "v2");
    assert_string_equal(recipe.calls[1].args[0].value.text, "v2");
}

static void an_option_of_no_step_names_the_nearest(void **state) {
    (void)state;
    assert_int_equal(route("step_a | step_b", "--moed fast"), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "--mode"));
    assert_int_equal(route("step_a", "--step_b.n 3"), VEL_EUSAGE);
    assert_int_equal(route("step_a", "--qiet true"), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "--quiet"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_flags_are_told_apart),
        cmocka_unit_test(a_bool_may_stand_alone),
        cmocka_unit_test(negative_numbers_are_values),
        cmocka_unit_test(a_file_may_be_called_anything),
        cmocka_unit_test(a_missing_value_is_told),
        cmocka_unit_test(an_option_goes_to_the_step_that_has_it),
        cmocka_unit_test(the_command_line_beats_the_recipe),
        cmocka_unit_test(an_option_of_several_steps_needs_a_step),
        cmocka_unit_test(a_step_that_comes_twice_is_one_choice),
        cmocka_unit_test(vkey_goes_to_all),
        cmocka_unit_test(an_option_of_no_step_names_the_nearest),
    };
    return cmocka_run_group_tests_name("pipelines/cli_args", tests, setup, teardown);
}
