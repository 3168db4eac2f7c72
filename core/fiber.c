#include "core/fiber.h"

#include <ucontext.h>

/* What is at the end of the memory is the fiber itself: one piece, so that none lies between the stacks of several. */
enum { STACK = 64 << 10, ALIGN = 64 };

struct vel_fiber {
    ucontext_t own, caller;
    void (*body)(void *);
    void *arg;
    bool ended;
};

/* makecontext hands over int only: the address in two halves. */
static void enter(unsigned low, unsigned high) {
    vel_fiber *f = (vel_fiber *)((uintptr_t)high << 32 | low);
    f->body(f->arg);
    f->ended = true;
}

vel_err vel_fiber_new(vel_ctx *ctx, void (*body)(void *), void *arg, vel_fiber **fiber) {
    const size_t size = STACK - (sizeof(vel_fiber) + ALIGN - 1) / ALIGN * ALIGN;
    char *stack = vel_arena_stack(ctx->scratch, STACK);
    if (!stack) return vel_no_memory(ctx, STACK, 1);
    vel_fiber *f = *fiber = (vel_fiber *)(void *)(stack + size);
    *f = (vel_fiber){.body = body, .arg = arg};
    if (getcontext(&f->own)) return vel_fail(ctx, VEL_ENONE, "a computation cannot have a stack of its own");
    f->own.uc_stack.ss_sp = stack;
    f->own.uc_stack.ss_size = size;
    f->own.uc_link = &f->caller;
    uint64_t address = (uintptr_t)f;
    makecontext(&f->own, (void (*)(void))enter, 2, (unsigned)address, (unsigned)(address >> 32));
    return VEL_OK;
}

bool vel_fiber_resume(vel_fiber *f) {
    swapcontext(&f->caller, &f->own);
    return !f->ended;
}

void vel_fiber_rest(vel_fiber *f) { swapcontext(&f->own, &f->caller); }
