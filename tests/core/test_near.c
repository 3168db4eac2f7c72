#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/near.h"

static void edits_are_counted(void **state) {
    (void)state;
    assert_int_equal(vel_edits("moments", "moments"), 0);
    assert_int_equal(vel_edits("moment", "moments"), 1);
    assert_int_equal(vel_edits("momnets", "moments"), 1);
    assert_int_equal(vel_edits("n-pcs", "n_pcs"), 0);
    assert_int_equal(vel_edits("", "abc"), 3);
    assert_int_equal(vel_edits("kitten", "sitting"), 3);
}

static void edits_are_symmetric_even_of_endless_names(void **state) {
    (void)state;
    char a[300], b[200];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = 0;
    assert_int_equal(vel_edits(a, b), vel_edits(b, a));
}

static void the_nearest_of_the_offered_wins(void **state) {
    (void)state;
    vel_near near = {.name = "velocty"};
    vel_near_offer(&near, "velocity_graph");
    vel_near_offer(&near, "velocity");
    vel_near_offer(&near, "moments");
    assert_string_equal(near.best, "velocity");
}

static void the_beginning_of_a_name_is_near_it(void **state) {
    (void)state;
    vel_near near = {.name = "recover"};
    vel_near_offer(&near, "recover_dynamics");
    assert_string_equal(near.best, "recover_dynamics");
}

static void nothing_is_near_a_stranger(void **state) {
    (void)state;
    vel_near near = {.name = "umap"};
    vel_near_offer(&near, "moments");
    vel_near_offer(&near, "pca");
    assert_null(near.best);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(edits_are_symmetric_even_of_endless_names),
        cmocka_unit_test(the_nearest_of_the_offered_wins),
        cmocka_unit_test(the_beginning_of_a_name_is_near_it),
        cmocka_unit_test(nothing_is_near_a_stranger),
    };
    return cmocka_run_group_tests_name("core/near", tests, NULL, NULL);
}
