#include "verify/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/verify/fixture.h"
#include "verify/compare.h"

/* A path that the row's glob matches: each '*' becomes an 'x'. */
static const char *path_of(const vel_tolerance_row *row) {
    static char path[64];
    snprintf(path, sizeof path, "%s", row->glob);
    for (char *c = path; *c; c++)
        if (*c == '*') *c = 'x';
    return path;
}

static vel_type type_of(const vel_tolerance_row *row) { return row->type == VEL_NOTYPE ? VEL_F64 : row->type; }

static void no_row_hides_behind_an_earlier_one(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_tolerance_rows; i++) {
        const vel_tolerance_row *row = &vel_tolerance_rows[i];
        if (vel_tolerance_find(path_of(row), type_of(row), row->from) != row)
            fail_msg("%s is never reached", row->glob);
    }
}

static void every_path_finds_a_row(void **state) {
    (void)state;
    assert_string_equal(vel_tolerance_find("anything/at/all", VEL_F16, NULL)->glob, "*");
    assert_string_equal(vel_tolerance_find("layers/velocity_u", VEL_F64, NULL)->glob, "layers/*");
    assert_string_equal(vel_tolerance_find("var/fit_likelihood", VEL_F64, NULL)->glob, "var/*_likelihood");
    assert_true(vel_tolerance_find("var/velocity_gamma", VEL_F32, NULL)->type == VEL_F32);
    assert_true(vel_tolerance_find("var/fit_gamma", VEL_F64, NULL)->type == VEL_NOTYPE);
}

static void what_comes_out_of_other_components_is_held_to_less(void **state) {
    (void)state;
    const vel_tolerance_row *given = vel_tolerance_find("obsp/distances", VEL_F64, NULL);
    const vel_tolerance_row *moved = vel_tolerance_find("obsp/distances", VEL_F64, "obsm/X_pca");
    assert_true(given->spec.rtol < moved->spec.rtol);
    assert_ptr_equal(vel_tolerance_find("layers/Ms", VEL_F32, "obsm/X_pca"),
                     vel_tolerance_find("layers/Ms", VEL_F32, NULL));
}

static void every_row_says_why(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_tolerance_rows; i++) assert_true(strlen(vel_tolerance_rows[i].why) > 10);
}

static void loose_is_never_tighter_than_spec(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_tolerance_rows; i++) {
        const vel_tolerance_row *row = &vel_tolerance_rows[i];
        assert_true(row->loose.atol >= row->spec.atol);
        assert_true(row->loose.rtol >= row->spec.rtol || row->loose.atol > row->spec.atol);
    }
}

static void exact_asks_for_bits_whatever_the_row(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_tolerance_rows; i++) {
        vel_tolerance t = vel_tolerance_of(&vel_tolerance_rows[i], VEL_EXACT);
        assert_true(t.bits && t.atol == 0 && t.rtol == 0 && t.outliers == 0);
    }
}

/* The verdict on a vector whose largest element is 1 and one element of which is off by `off`. */
static vel_verdict verdict_with(vel_ctx *ctx, vel_tolerance t, double off) {
    double a[] = {-1, 0.5, 0.25}, b[] = {-1, 0.5, 0.25};
    b[1] += off;
    vel_field fa = {.kind = VEL_DENSE, .type = VEL_F64, .origin = VEL_F64, .ndim = 1, .rows = 3, .cols = 1, .data = a};
    vel_field fb = fa;
    fb.data = b;
    vel_comparison got;
    assert_ok(vel_compare_fields(ctx, &fa, &fb, &(vel_axes){0}, t, &got));
    return got.verdict;
}

static double allowed_at(const vel_allowance *a, double size) { return a->atol + a->rtol * size; }

static void each_row_catches_what_lies_just_beyond_it(void **state) {
    for (int i = 0; i < vel_n_tolerance_rows; i++) {
        const vel_tolerance_row *row = &vel_tolerance_rows[i];
        const vel_allowance *each[] = {&row->spec, &row->loose};
        for (int s = VEL_SPEC; s <= VEL_LOOSE; s++) {
            vel_tolerance t = vel_tolerance_of(row, (vel_strictness)s);
            double edge = allowed_at(each[s], 0.5);
            /* 0.5 has 2^-53 between itself and its neighbour: a deviation cannot be smaller */
            double beyond = fmax(edge * 1.001, edge + 0x1p-52), within = edge * 0.98 > 0x1p-52 ? edge * 0.98 : 0;
            if (verdict_with(*state, t, beyond) != VEL_DRIFTS) fail_msg("%s lets %g through", row->glob, beyond);
            if (verdict_with(*state, t, within) != VEL_AGREES) fail_msg("%s refuses %g", row->glob, within);
        }
    }
}

static void a_scale_is_the_largest_element_of_the_reference(void **state) {
    vel_tolerance t = {.atol = 0.1, .of_max = true};
    assert_int_equal(verdict_with(*state, t, 0.099), VEL_AGREES);
    double a[] = {10, 1}, b[] = {10, 1.9};
    vel_field fa = {.kind = VEL_DENSE, .type = VEL_F64, .origin = VEL_F64, .ndim = 1, .rows = 2, .cols = 1, .data = a};
    vel_field fb = fa;
    fb.data = b;
    vel_comparison got;
    assert_ok(vel_compare_fields(*state, &fa, &fb, &(vel_axes){0}, t, &got));
    assert_int_equal(got.verdict, VEL_AGREES);
    assert_true(got.tolerance.atol == 1);
    b[1] = 2.1;
    assert_ok(vel_compare_fields(*state, &fa, &fb, &(vel_axes){0}, t, &got));
    assert_int_equal(got.verdict, VEL_DRIFTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_row_hides_behind_an_earlier_one),
        cmocka_unit_test(every_path_finds_a_row),
        cmocka_unit_test(what_comes_out_of_other_components_is_held_to_less),
        cmocka_unit_test(every_row_says_why),
        cmocka_unit_test(loose_is_never_tighter_than_spec),
        cmocka_unit_test(exact_asks_for_bits_whatever_the_row),
        WITH_CONTEXT(each_row_catches_what_lies_just_beyond_it),
        WITH_CONTEXT(a_scale_is_the_largest_element_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
