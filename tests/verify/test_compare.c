#include "verify/compare.h"

#include "tests/verify/fixture.h"

static const vel_axes unnamed = {0};
static const vel_tolerance spec = {0};

static vel_field reals(double *x, int64_t n) {
    return (vel_field){
        .kind = VEL_DENSE, .type = VEL_F64, .origin = VEL_F64, .ndim = 1, .rows = n, .cols = 1, .data = x};
}

static vel_field texts(char **x, int64_t n) {
    return (vel_field){.kind = VEL_TEXTS, .ndim = 1, .rows = n, .cols = 1, .texts = x};
}

static vel_comparison compare(void **state, const vel_field *a, const vel_field *b, vel_tolerance t) {
    vel_comparison got;
    assert_ok(vel_compare_fields(*state, a, b, &unnamed, t, &got));
    return got;
}

static void other_shapes_are_told_apart_from_drift(void **state) {
    double x[] = {1, 2, 3};
    vel_field a = reals(x, 3), b = reals(x, 2);
    vel_comparison got = compare(state, &a, &b, spec);
    assert_int_equal(got.verdict, VEL_MISSHAPEN);
    assert_string_equal(got.why, "3 x 1 in the reference, 2 x 1 in the result");
}

static void numbers_against_texts_drift(void **state) {
    double x[] = {1};
    char *s[] = {"1"};
    vel_field a = reals(x, 1), b = texts(s, 1);
    assert_int_equal(compare(state, &a, &b, spec).verdict, VEL_DRIFTS);
    assert_int_equal(compare(state, &b, &a, spec).verdict, VEL_DRIFTS);
}

static void truth_values_must_be_equal_under_any_tolerance(void **state) {
    uint8_t x[] = {0, 1}, y[] = {1, 1};
    vel_field a = {.kind = VEL_DENSE, .type = VEL_BOOL, .origin = VEL_BOOL, .ndim = 1, .rows = 2, .cols = 1, .data = x};
    vel_field b = a;
    b.data = y;
    assert_int_equal(compare(state, &a, &b, (vel_tolerance){.atol = 9, .rtol = 9}).verdict, VEL_DRIFTS);
    assert_int_equal(compare(state, &a, &a, spec).verdict, VEL_AGREES);
}

static void the_type_counts_only_when_bits_must_be_equal(void **state) {
    double x[] = {0.5};
    float y[] = {0.5};
    vel_field a = reals(x, 1), b = a;
    b.type = b.origin = VEL_F32;
    b.data = y;
    assert_int_equal(compare(state, &a, &b, spec).verdict, VEL_AGREES);
    vel_comparison got = compare(state, &a, &b, (vel_tolerance){.bits = true});
    assert_int_equal(got.verdict, VEL_DRIFTS);
    assert_string_equal(got.why, "float64 in the reference, float32 in the result");
}

/* Beyond 2^53, where neighbours are the same double. */
static void the_last_whole_number_of_64_bits_is_seen(void **state) {
    int64_t x[] = {INT64_MAX - 1, INT64_MIN + 1, (INT64_C(1) << 53) + 1};
    vel_field a = {.kind = VEL_DENSE, .ndim = 1, .rows = 3, .cols = 1, .data = x};
    for (int i = 0; i < 12; i++) {
        int64_t y[] = {x[0], x[1], x[2]};
        y[i % 3]--;
        a.type = a.origin = i < 6 ? VEL_I64 : VEL_U64;
        vel_field b = a;
        b.data = y;
        vel_comparison got = compare(state, &a, &b, (vel_tolerance){.bits = i % 2 == 1});
        assert_int_equal(got.verdict, VEL_DRIFTS);
        assert_true(got.gap.outside == 1 && got.gap.max_abs == 1);
        assert_int_equal(compare(state, &a, &b, (vel_tolerance){.atol = 1}).verdict, VEL_AGREES);
        assert_int_equal(compare(state, &a, &a, (vel_tolerance){.bits = true}).verdict, VEL_AGREES);
    }
}

static void texts_are_compared_exactly_missing_ones_included(void **state) {
    char *x[] = {"a", NULL, "c"}, *y[] = {"a", NULL, "d"}, *z[] = {"a", "", "c"};
    vel_field a = texts(x, 3), b = texts(y, 3), c = texts(z, 3);
    assert_int_equal(compare(state, &a, &a, spec).verdict, VEL_AGREES);
    vel_comparison got = compare(state, &a, &b, (vel_tolerance){.atol = 9});
    assert_int_equal(got.verdict, VEL_DRIFTS);
    assert_int_equal(got.gap.outside, 1);
    assert_string_equal(got.why, "\"c\" in the reference, \"d\" in the result");
    assert_int_equal(compare(state, &a, &c, spec).verdict, VEL_DRIFTS);
}

static void categories_count_in_values_names_and_order(void **state) {
    char *names[] = {"p", "q"}, *turned[] = {"q", "p"};
    int32_t codes[] = {0, 1, -1}, swapped[] = {1, 0, -1};
    char *values[] = {"p", "q", NULL};
    vel_field a = {
        .kind = VEL_CATEGORICAL, .ndim = 1, .rows = 3, .cols = 1, .texts = names, .codes = codes, .n_categories = 2};
    vel_field b = a, plain = texts(values, 3);
    b.texts = turned;
    b.codes = swapped;
    assert_int_equal(compare(state, &a, &a, spec).verdict, VEL_AGREES);
    vel_comparison got = compare(state, &a, &b, spec);
    assert_int_equal(got.gap.outside, 0);
    assert_int_equal(got.verdict, VEL_DRIFTS);
    assert_int_equal(compare(state, &a, &plain, spec).verdict, VEL_AGREES);
}

static void records_are_compared_column_by_column(void **state) {
    double x[] = {1, 2}, y[] = {1, 3};
    char *s[] = {"g", "h"}, *names[] = {"names", "scores"}, *other[] = {"names", "score"};
    vel_field columns[] = {texts(s, 2), reals(x, 2)}, changed[] = {texts(s, 2), reals(y, 2)};
    vel_field a = {.kind = VEL_RECORDS, .ndim = 1, .rows = 2, .names = names, .columns = columns, .n_columns = 2};
    vel_field b = a;
    vel_comparison got = compare(state, &a, &a, spec);
    assert_int_equal(got.verdict, VEL_AGREES);
    assert_int_equal(got.gap.n, 4);
    b.columns = changed;
    got = compare(state, &a, &b, spec);
    assert_int_equal(got.verdict, VEL_DRIFTS);
    assert_int_equal(got.gap.outside, 1);
    b = a;
    b.names = other;
    assert_int_equal(compare(state, &a, &b, spec).verdict, VEL_DRIFTS);
    b = a;
    b.n_columns = 1;
    assert_int_equal(compare(state, &a, &b, spec).verdict, VEL_DRIFTS);
}

static void gaps_are_kept_by_gene_and_by_cell(void **state) {
    double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 9, 8};
    vel_field a = reals(x, 2), b;
    a.ndim = 2;
    a.cols = 3;
    b = a;
    b.data = y;
    vel_match cells = {.n = 2}, genes = {.n = 3};
    vel_comparison got;
    assert_ok(vel_compare_fields(*state, &a, &b, &(vel_axes){&cells, &genes}, spec, &got));
    assert_int_equal(got.by_row[0].outside, 0);
    assert_int_equal(got.by_row[1].outside, 2);
    assert_int_equal(got.by_col[0].outside, 0);
    assert_int_equal(got.by_col[1].outside, 1);
    assert_true(got.by_col[1].max_abs == 4 && got.by_col[2].max_abs == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(other_shapes_are_told_apart_from_drift),
        WITH_CONTEXT(numbers_against_texts_drift),
        WITH_CONTEXT(truth_values_must_be_equal_under_any_tolerance),
        WITH_CONTEXT(the_type_counts_only_when_bits_must_be_equal),
        WITH_CONTEXT(the_last_whole_number_of_64_bits_is_seen),
        WITH_CONTEXT(texts_are_compared_exactly_missing_ones_included),
        WITH_CONTEXT(categories_count_in_values_names_and_order),
        WITH_CONTEXT(records_are_compared_column_by_column),
        WITH_CONTEXT(gaps_are_kept_by_gene_and_by_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
