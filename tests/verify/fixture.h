/* fixture.h - a context and small handles for the tests of verify. */
#ifndef VEL_TESTS_VERIFY_FIXTURE_H
#define VEL_TESTS_VERIFY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/adata.h"

static inline int fixture_open(void **state) {
    static vel_ctx ctx;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    *state = &ctx;
    return ctx.scratch ? 0 : -1;
}

static inline int fixture_close(void **state) {
    vel_arena_free(((vel_ctx *)*state)->scratch);
    return 0;
}

#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

#define assert_ok(call) assert_int_equal((call), VEL_OK)

#endif
