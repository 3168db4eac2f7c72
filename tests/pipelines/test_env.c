#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/env.h"

static void blas_is_held_only_by_the_one_kernel_set(void **state) {
    (void)state;
    unsetenv("OPENBLAS_CORETYPE");
    assert_false(vel_env_holds_blas());
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
    assert_false(vel_env_holds_blas());
    setenv("OPENBLAS_CORETYPE", "Haswell", 1);
    assert_true(vel_env_holds_blas());
}

static void a_settled_environment_starts_nothing_again(void **state) {
    (void)state;
    char *argv[] = {"no program", NULL};
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
    setenv("OPENBLAS_NUM_THREADS", "2", 1);
    setenv("OMP_WAIT_POLICY", "ACTIVE", 1);
    vel_env_settle(argv);
    assert_string_equal(getenv("OPENBLAS_CORETYPE"), "SkylakeX");
    assert_string_equal(getenv("OMP_WAIT_POLICY"), "ACTIVE");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blas_is_held_only_by_the_one_kernel_set),
        cmocka_unit_test(a_settled_environment_starts_nothing_again),
    };
    return cmocka_run_group_tests_name("pipelines/env", tests, NULL, NULL);
}
