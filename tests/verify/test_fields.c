#include "verify/fields.h"

#include <string.h>

#include "tests/verify/fixture.h"

typedef struct {
    const char *vkey, *basis, *key;
} options;

static const vel_opt rows[] = {VEL_OPT(options, vkey, VEL_OTEXT, "velocity", NULL, "the name of the velocities"),
                               VEL_OPT(options, basis, VEL_OTEXT, "none", NULL, "an embedding"),
                               VEL_OPT(options, key, VEL_OTEXT, "fit", NULL, "a prefix"),
                               {0}};
static const vel_step made_up = {.name = "made_up", .opts = rows};

static void a_key_is_filled_with_the_vkey_and_defaults(void **state) {
    static const char *const cases[][2] = {
        {"layers/{vkey}_u", "layers/smooth_u"},
        {"var/{key}_alpha", "var/fit_alpha"},
        {"obsm/{vkey}_{basis}", "obsm/smooth_*"},
        {"X", "X"},
        {"{vkey}", "smooth"},
        {"layers/{unheard_of}", "layers/*"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path;
        assert_ok(vel_key_for(*state, &made_up, cases[i][0], "smooth", &path));
        assert_string_equal(path, cases[i][1]);
    }
}

static const vel_subject *find(const vel_subject *subjects, int64_t n, const char *path) {
    for (int64_t i = 0; i < n; i++)
        if (strcmp(subjects[i].path, path) == 0) return &subjects[i];
    return NULL;
}

static void what_the_steps_write_is_compared_under_every_vkey(void **state) {
    vel_adata *ad = fixture_handle(*state);
    vel_subject *s;
    int64_t n;
    assert_ok(vel_subjects_of(*state, ad, NULL, NULL, &s, &n));
    assert_non_null(find(s, n, "layers/Ms"));
    assert_string_equal(find(s, n, "layers/Ms")->step, "moments");
    assert_non_null(find(s, n, "layers/velocity"));
    assert_non_null(find(s, n, "layers/smooth_u"));
    assert_int_equal(find(s, n, "var/fit_alpha")->shape, VEL_VAR);
    vel_adata_free(ad);
}

static void mappings_are_compared_by_what_is_in_them(void **state) {
    vel_adata *ad = fixture_handle(*state);
    vel_subject *s;
    int64_t n;
    assert_ok(vel_subjects_of(*state, ad, "velocity", "uns/*", &s, &n));
    assert_int_equal(n, 2);
    assert_non_null(find(s, n, "uns/smooth_params/mode"));
    assert_null(find(s, n, "uns/velocity_params"));
    vel_adata_free(ad);
}

static void steps_and_globs_narrow_the_choice(void **state) {
    vel_adata *ad = fixture_handle(*state);
    vel_subject *s;
    int64_t n;
    assert_ok(vel_subjects_of(*state, ad, "moments", NULL, &s, &n));
    assert_int_equal(n, 2);
    assert_ok(vel_subjects_of(*state, ad, "moments,recover-dynamics", "*a*", &s, &n));
    assert_int_equal(n, 3);
    assert_ok(vel_subjects_of(*state, ad, NULL, "layers/Ms", &s, &n));
    assert_int_equal(n, 1);
    vel_adata_free(ad);
}

static void an_unknown_step_is_named(void **state) {
    vel_adata *ad = fixture_handle(*state);
    vel_subject *s;
    int64_t n;
    vel_ctx *ctx = *state;
    assert_int_equal(vel_subjects_of(ctx, ad, "moments,sorcery", NULL, &s, &n), VEL_EUSAGE);
    assert_non_null(strstr(ctx->message, "sorcery"));
    vel_adata_free(ad);
}

static void a_field_is_due_unless_others_may_have_put_it_there(void **state) {
    vel_adata *ad = fixture_handle(*state);
    assert_true(vel_subject_is_due(&(vel_subject){.path = "layers/Ms"}, ad));
    assert_false(vel_subject_is_due(&(vel_subject){.path = "layers/Ms", .optional = true}, ad));
    assert_false(
        vel_subject_is_due(&(vel_subject){.path = "uns/velocity_params/perc", .mapping = "uns/velocity_params"}, ad));
    assert_true(vel_subject_is_due(&(vel_subject){.path = "uns/other_params/perc", .mapping = "uns/other_params"}, ad));
    vel_adata_free(ad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(a_key_is_filled_with_the_vkey_and_defaults),
        WITH_CONTEXT(what_the_steps_write_is_compared_under_every_vkey),
        WITH_CONTEXT(mappings_are_compared_by_what_is_in_them),
        WITH_CONTEXT(steps_and_globs_narrow_the_choice),
        WITH_CONTEXT(an_unknown_step_is_named),
        WITH_CONTEXT(a_field_is_due_unless_others_may_have_put_it_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
