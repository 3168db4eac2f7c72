#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/step.h"

static void every_step_is_found_by_its_name_with_either_dash(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_steps; i++) {
        char dashed[64];
        assert_true(strlen(vel_steps[i]->name) < sizeof dashed);
        strcpy(dashed, vel_steps[i]->name);
        for (char *c = dashed; *c; c++)
            if (*c == '_') *c = '-';
        assert_ptr_equal(vel_step_find(vel_steps[i]->name), vel_steps[i]);
        assert_ptr_equal(vel_step_find(dashed), vel_steps[i]);
    }
    assert_null(vel_steps[vel_n_steps]);
}

static void what_is_no_step_is_not_found(void **state) {
    (void)state;
    assert_null(vel_step_find(""));
    assert_null(vel_step_find("no_such_step"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_found_by_its_name_with_either_dash),
        cmocka_unit_test(what_is_no_step_is_not_found),
    };
    return cmocka_run_group_tests_name("pipelines/steps", tests, NULL, NULL);
}
