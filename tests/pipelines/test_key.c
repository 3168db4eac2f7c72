#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/key.h"

typedef struct {
    const char *vkey, *mode, *basis;
    bool fit;
    int64_t n;
} options;

static const vel_opt rows[] = {
    VEL_OPT(options, vkey, VEL_OTEXT, "velocity", NULL, ""),
    VEL_OPT(options, mode, VEL_OTEXT, "fast", NULL, ""),
    VEL_OPT(options, basis, VEL_OTEXT, "none", NULL, ""),
    VEL_OPT(options, fit, VEL_OBOOL, "true", NULL, ""),
    VEL_OPT(options, n, VEL_OINT, "3", NULL, ""),
    {0},
};
static const options given = {.vkey = "v2", .mode = "exact", .fit = true, .n = 3};

static const char *path_of(const char *name) {
    static char copy[128];
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_key key = {.name = name};
    const char *path;
    assert_int_equal(vel_key_path(&ctx, ctx.scratch, &key, rows, &given, &path), VEL_OK);
    if (path) strcpy(copy, path);
    vel_arena_free(ctx.scratch);
    return path ? copy : NULL;
}

static bool counts(const char *when) {
    vel_key key = {.name = "X", .when = when};
    return vel_key_counts(&key, rows, &given);
}

static void options_are_filled_into_braces(void **state) {
    (void)state;
    assert_string_equal(path_of("layers/Ms"), "layers/Ms");
    assert_string_equal(path_of("var/{vkey}_gamma"), "var/v2_gamma");
    assert_string_equal(path_of("{mode}{vkey}"), "exactv2");
    assert_string_equal(path_of("obsm/X_{n}"), "obsm/X_3");
}

static void an_option_that_is_none_names_no_field(void **state) {
    (void)state;
    assert_null(path_of("obsm/velocity_{basis}"));
}

static void of_several_conditions_all_have_to_hold(void **state) {
    (void)state;
    assert_true(counts("mode=exact,fit=true"));
    assert_true(counts("mode=fast|exact,fit=true,basis=none"));
    assert_false(counts("mode=exact,fit=false"));
    assert_false(counts("mode=fast,fit=true"));
    assert_false(counts("mode=fast,exact=true"));
    assert_true(vel_key_is_sound(&(vel_key){.name = "X", .when = "mode=a,fit=true"}, rows));
    assert_false(vel_key_is_sound(&(vel_key){.name = "X", .when = "mode=a,fits=true"}, rows));
}

static void a_row_counts_when_its_option_is_one_of_the_words(void **state) {
    (void)state;
    assert_true(counts(NULL));
    assert_true(counts("mode=exact"));
    assert_true(counts("mode=fast|exact"));
    assert_false(counts("mode=fast|exactly"));
    assert_true(counts("fit=true"));
    assert_false(counts("fit=false"));
    assert_true(counts("basis=none"));
    assert_true(counts("n=2|3"));
    assert_false(counts("nothing=3"));
}

static void a_name_covers_its_members_and_what_its_star_matches(void **state) {
    (void)state;
    assert_true(vel_key_covers("uns/neighbors", "uns/neighbors"));
    assert_true(vel_key_covers("uns/neighbors", "uns/neighbors/params/method"));
    assert_false(vel_key_covers("uns/neighbors", "uns/neighbors2"));
    assert_false(vel_key_covers("uns/neighbors/params", "uns/neighbors"));
    assert_true(vel_key_covers("var/fit_*", "var/fit_alpha"));
    assert_false(vel_key_covers("var/fit_*", "obs/fit_alpha"));
}

static void rows_that_name_unknown_options_are_unsound(void **state) {
    (void)state;
    assert_true(vel_key_is_sound(&(vel_key){.name = "var/{vkey}_u", .when = "mode=a|b"}, rows));
    assert_false(vel_key_is_sound(&(vel_key){.name = "var/{key}_u"}, rows));
    assert_false(vel_key_is_sound(&(vel_key){.name = "var/{vkey"}, rows));
    assert_false(vel_key_is_sound(&(vel_key){.name = "X", .when = "modes=a"}, rows));
    assert_false(vel_key_is_sound(&(vel_key){.name = "X", .when = "mode"}, rows));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_filled_into_braces),
        cmocka_unit_test(an_option_that_is_none_names_no_field),
        cmocka_unit_test(a_row_counts_when_its_option_is_one_of_the_words),
        cmocka_unit_test(of_several_conditions_all_have_to_hold),
        cmocka_unit_test(a_name_covers_its_members_and_what_its_star_matches),
        cmocka_unit_test(rows_that_name_unknown_options_are_unsound),
    };
    return cmocka_run_group_tests_name("pipelines/key", tests, NULL, NULL);
}
