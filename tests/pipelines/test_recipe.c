#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/recipe.h"

typedef struct {
    int64_t n_neighbors;
    const char *mode, *vkey;
    vel_value perc;
    double share;
    bool fit;
} options;

static const vel_opt rows[] = {
    VEL_OPT(options, n_neighbors, VEL_OINT, "30", NULL, ""),
    VEL_OPT(options, mode, VEL_OTEXT, "fast", "fast|exact", ""),
    VEL_OPT(options, vkey, VEL_OTEXT, "none", NULL, ""),
    VEL_OPT(options, perc, VEL_OANY, "[5, 95]", NULL, ""),
    VEL_OPT(options, share, VEL_OREAL, "0.5", NULL, ""),
    VEL_OPT(options, fit, VEL_OBOOL, "true", NULL, ""),
    {0},
};
static const vel_step trial = {.name = "trial", .inputs = 1, .opts = rows, .opts_size = sizeof(options)};

static vel_ctx ctx;
static vel_arena *arena;

static int setup(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    arena = vel_arena_new();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    vel_arena_free(arena);
    return 0;
}

/* Every call of the parsed recipe is given the trial step. */
static vel_err parse(const char *text, vel_recipe *recipe) {
    vel_err e = vel_recipe_parse(&ctx, arena, text, recipe);
    for (int i = 0; !e && i < recipe->n_calls; i++) {
        recipe->calls[i].step = &trial;
        recipe->calls[i].name = "trial";
    }
    return e;
}

static void steps_are_split_at_bars_and_options_at_spaces(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(parse("  a  |b x=1 y=two\n| c z=[1, 2]  ", &r), VEL_OK);
    assert_int_equal(r.n_calls, 3);
    assert_int_equal(r.calls[0].n_args, 0);
    assert_int_equal(r.calls[1].n_args, 2);
    assert_string_equal(r.calls[1].args[1].name, "y");
    assert_string_equal(r.calls[1].args[1].value.text, "two");
    assert_int_equal(r.calls[2].args[0].value.n_items, 2);
}

static void words_become_the_values_they_look_like(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(parse("a b=none c=True d=-3 e=1e-3 f=word g=\"30\" h=1.5.2 i=3x j=inf", &r), VEL_OK);
    const vel_arg *a = r.calls[0].args;
    assert_int_equal(a[0].value.kind, VEL_VNONE);
    assert_true(vel_is_true(&a[1].value));
    assert_int_equal(a[2].value.integer, -3);
    assert_true(a[3].value.kind == VEL_VREAL && a[3].value.real == 1e-3);
    assert_int_equal(a[4].value.kind, VEL_VTEXT);
    assert_int_equal(a[5].value.kind, VEL_VTEXT);
    assert_int_equal(a[6].value.kind, VEL_VTEXT);
    assert_int_equal(a[7].value.kind, VEL_VTEXT);
    assert_int_equal(a[8].value.kind, VEL_VREAL);
}

static void quotes_protect_spaces_and_bars(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(parse("a x=\"two | words\" y='one | \"more\"' z=[\"p | q\", 3]", &r), VEL_OK);
    assert_int_equal(r.n_calls, 1);
    assert_string_equal(r.calls[0].args[0].value.text, "two | words");
    assert_string_equal(r.calls[0].args[1].value.text, "one | \"more\"");
    assert_string_equal(r.calls[0].args[2].value.items[0].text, "p | q");
}

static void malformed_recipes_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",       "  ",       "a |",       "| a",           "a | | b",         "a x",           "a =3", "a x=\"open",
        "a x=[1", "a x=[1}]", "a x=1 x=2", "a x={\"k\":1}", "a x=[{\"k\":1}]", "preprocess x=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vel_recipe r;
        ctx.message[0] = 0;
        assert_int_equal(parse(bad[i], &r), VEL_EUSAGE);
        assert_true(strlen(ctx.message) > 0);
    }
}

/* Any text is either refused with words, or printed to a recipe that means the same. */
static void no_text_breaks_the_parser(void **state) {
    (void)state;
    static const char alphabet[] = "ab_=| \"'[]{},\\1.-e";
    uint64_t seed = 1;
    for (int trial_ = 0; trial_ < 20000; trial_++) {
        char text[24];
        vel_arena *own = vel_arena_new();
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[i] = alphabet[(seed >> 33) % sizeof alphabet];
        }
        text[sizeof text - 1] = 0;
        vel_recipe r, again;
        const char *once, *twice;
        ctx.message[0] = 0;
        vel_err e = vel_recipe_parse(&ctx, own, text, &r);
        if (e) {
            assert_int_equal(e, VEL_EUSAGE);
            assert_true(ctx.message[0] != 0);
        } else {
            assert_int_equal(vel_recipe_text(&ctx, &r, &once), VEL_OK);
            if (vel_recipe_parse(&ctx, own, once, &again)) fail_msg("%s -> %s: %s", text, once, ctx.message);
            assert_int_equal(vel_recipe_text(&ctx, &again, &twice), VEL_OK);
            assert_string_equal(once, twice);
        }
        vel_arena_free(own);
    }
}

static void a_named_recipe_stands_for_its_steps(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(vel_recipe_parse(&ctx, arena, "deterministic | last_step", &r), VEL_OK);
    assert_int_equal(r.n_calls, 10);
    assert_string_equal(r.calls[0].name, "filter_genes");
    assert_string_equal(r.calls[6].name, "moments");
    assert_string_equal(r.calls[9].name, "last_step");
}

static void an_unknown_step_is_named_when_checked(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(vel_recipe_parse(&ctx, arena, "no_such_step", &r), VEL_OK);
    ctx.message[0] = 0;
    assert_int_equal(vel_recipe_check(&ctx, &r), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "no_such_step"));
}

static void an_unknown_option_names_the_nearest(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(parse("trial n_neighbours=3", &r), VEL_OK);
    ctx.message[0] = 0;
    assert_int_equal(vel_recipe_check(&ctx, &r), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "n_neighbors"));
}

static void defaults_fill_what_the_call_leaves_out(void **state) {
    (void)state;
    vel_recipe r;
    void *opts;
    assert_int_equal(parse("trial mode=exact n-neighbors=7", &r), VEL_OK);
    assert_int_equal(vel_call_opts(&ctx, arena, &r.calls[0], &opts), VEL_OK);
    const options *o = opts;
    assert_int_equal(o->n_neighbors, 7);
    assert_string_equal(o->mode, "exact");
    assert_null(o->vkey);
    assert_true(o->perc.n_items == 2 && o->perc.items[1].integer == 95);
    assert_true(o->share == 0.5 && o->fit);
}

static void the_resolved_recipe_has_every_option_and_resolves_to_itself(void **state) {
    (void)state;
    vel_recipe r, again;
    const char *once, *twice;
    assert_int_equal(parse("trial vkey='my velocity' share=0.1 | trial", &r), VEL_OK);
    assert_int_equal(vel_recipe_resolved(&ctx, &r, &once), VEL_OK);
    assert_string_equal(once,
                        "trial n_neighbors=30 mode=fast vkey=\"my velocity\" perc=[5,95] share=0.1 fit=true | "
                        "trial n_neighbors=30 mode=fast vkey=none perc=[5,95] share=0.5 fit=true");
    assert_int_equal(parse(once, &again), VEL_OK);
    assert_int_equal(vel_recipe_resolved(&ctx, &again, &twice), VEL_OK);
    assert_string_equal(once, twice);
}

static void setting_an_option_again_replaces_it(void **state) {
    (void)state;
    vel_recipe r;
    assert_int_equal(parse("trial n_neighbors=3", &r), VEL_OK);
    vel_value v = {.kind = VEL_VINT, .integer = 9, .real = 9};
    assert_int_equal(vel_call_set(&ctx, &r.calls[0], "n-neighbors", v), VEL_OK);
    assert_int_equal(r.calls[0].n_args, 1);
    assert_int_equal(r.calls[0].args[0].value.integer, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_split_at_bars_and_options_at_spaces),
        cmocka_unit_test(words_become_the_values_they_look_like),
        cmocka_unit_test(quotes_protect_spaces_and_bars),
        cmocka_unit_test(malformed_recipes_are_refused),
        cmocka_unit_test(no_text_breaks_the_parser),
        cmocka_unit_test(a_named_recipe_stands_for_its_steps),
        cmocka_unit_test(an_unknown_step_is_named_when_checked),
        cmocka_unit_test(an_unknown_option_names_the_nearest),
        cmocka_unit_test(defaults_fill_what_the_call_leaves_out),
        cmocka_unit_test(the_resolved_recipe_has_every_option_and_resolves_to_itself),
        cmocka_unit_test(setting_an_option_again_replaces_it),
    };
    return cmocka_run_group_tests_name("pipelines/recipe", tests, setup, teardown);
}
