#include "verify/match.h"

#include "tests/verify/fixture.h"

static char *abc[] = {"a", "b", "c"}, *cab[] = {"c", "a", "b"}, *abd[] = {"a", "b", "d"}, *aab[] = {"a", "a", "b"};

static void equal_lists_need_no_permutation(void **state) {
    vel_match m;
    assert_ok(vel_match_names(*state, abc, 3, abc, 3, &m));
    assert_false(m.differ);
    assert_null(m.to);
    assert_null(m.from);
}

static void unique_names_are_matched_in_any_order(void **state) {
    vel_match m;
    assert_ok(vel_match_names(*state, abc, 3, cab, 3, &m));
    assert_false(m.differ);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(abc[i], cab[m.to[i]]);
        assert_int_equal(m.from[m.to[i]], i);
    }
}

static void repeated_names_are_matched_by_position(void **state) {
    vel_match m;
    assert_ok(vel_match_names(*state, abc, 3, aab, 3, &m));
    assert_false(m.differ);
    assert_null(m.to);
    assert_ok(vel_match_names(*state, aab, 3, cab, 3, &m));
    assert_false(m.differ);
    assert_null(m.to);
}

static void other_sets_of_names_differ_and_one_is_named(void **state) {
    vel_match m;
    assert_ok(vel_match_names(*state, abc, 3, abd, 3, &m));
    assert_true(m.differ);
    assert_string_equal(m.why, "c is only in the reference");
    assert_ok(vel_match_names(*state, abd, 3, abc, 3, &m));
    assert_string_equal(m.why, "c is only in the result");
}

static void other_numbers_differ(void **state) {
    vel_match m;
    assert_ok(vel_match_names(*state, abc, 3, abc, 2, &m));
    assert_true(m.differ);
    assert_string_equal(m.why, "3 in the reference, 2 in the result");
}

static void a_missing_name_is_an_empty_one(void **state) {
    char *with[] = {"a", NULL}, *empty[] = {"", "a"};
    vel_match m;
    assert_ok(vel_match_names(*state, with, 2, empty, 2, &m));
    assert_false(m.differ);
    assert_int_equal(m.to[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(equal_lists_need_no_permutation),
        WITH_CONTEXT(unique_names_are_matched_in_any_order),
        WITH_CONTEXT(repeated_names_are_matched_by_position),
        WITH_CONTEXT(other_sets_of_names_differ_and_one_is_named),
        WITH_CONTEXT(other_numbers_differ),
        WITH_CONTEXT(a_missing_name_is_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
