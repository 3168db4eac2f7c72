/* context.h - a context to run kernels in. With new_context and free_context as set-up and tear-down, of a test or of a
 * group, *state is one of two threads. */
#ifndef VEL_TESTS_CONTEXT_H
#define VEL_TESTS_CONTEXT_H

#include "core/ctx.h"

static inline vel_ctx test_ctx(int threads) { return (vel_ctx){.scratch = vel_arena_new(), .threads = threads}; }

static inline int new_context(void **state) {
    static vel_ctx ctx;
    ctx = test_ctx(2);
    *state = &ctx;
    return ctx.scratch ? 0 : -1;
}

static inline int free_context(void **state) {
    vel_arena_free(((vel_ctx *)*state)->scratch);
    return 0;
}

#endif
