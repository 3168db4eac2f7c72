/* fiber.h - a function on a stack of its own, which rests where it likes and goes on from there.
 *
 * For two computations that take turns in one thread. A fiber belongs to the thread that made it. */
#ifndef VEL_CORE_FIBER_H
#define VEL_CORE_FIBER_H

#include "core/ctx.h"

typedef struct vel_fiber vel_fiber;

/* body(arg), not yet begun. The stack is memory of ctx->scratch, 64 KiB, and running out of it ends the program: a fit
 * takes a third, whatever its values are (no recursion has arrays of its own). */
vel_err vel_fiber_new(vel_ctx *ctx, void (*body)(void *arg), void *arg, vel_fiber **fiber) VEL_CHECKED;

/* Goes on until the body rests or ends: true if it rests. Must not be called once it has ended. */
bool vel_fiber_resume(vel_fiber *fiber);

/* Called by the body: vel_fiber_resume returns, and this does at the next one. */
void vel_fiber_rest(vel_fiber *fiber);

#endif
