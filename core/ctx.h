/* ctx.h - what a call may use and how it speaks: scratch, threads, budget, cancelling, the first failure, the listener.
 *
 * There are no globals: everything that is not data comes in here. A context belongs to one thread; vel_for (par.h)
 * makes one for each of its workers. */
#ifndef VEL_CORE_CTX_H
#define VEL_CORE_CTX_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"
#include "core/spill.h"

typedef enum { VEL_DEBUG, VEL_INFO, VEL_WARN } vel_level;

/* The listener: only a program knows how to speak to people. Every member may be NULL. */
typedef struct {
    void *user;
    void (*say)(void *user, vel_level level, const char *text);
    /* done of total items of `what`; called from the thread that called vel_for, at most about ten times a second */
    void (*progress)(void *user, const char *what, int64_t done, int64_t total);
} vel_sink;

typedef struct vel_ctx {
    vel_arena *scratch;                  /* a step's scratch; reset by the runner after each step */
    int threads;                         /* >= 1 */
    int64_t max_memory;                  /* bytes the whole process may use; 0: no limit */
    const vel_spill *spill;              /* where large fields go when memory is short; NULL: nowhere */
    const volatile sig_atomic_t *cancel; /* the signal that asks to stop, or 0; may be NULL */
    vel_sink sink;
    char message[1024]; /* of the first failure: names file, field, expected and found */
} vel_ctx;

/* Keeps the first failure's message and returns e, so that `return vel_fail(…)` reads well. */
vel_err vel_fail(vel_ctx *ctx, vel_err e, const char *format, ...) __attribute__((format(printf, 3, 4), cold));
/* After a failure, puts before its message where it was: "layers/spliced of a.h5ad". Returns e. */
vel_err vel_fail_at(vel_ctx *ctx, vel_err e, const char *where) __attribute__((cold));

void vel_say(const vel_ctx *ctx, vel_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* VEL_EINTR or VEL_ETERM once the user has asked to stop, else VEL_OK. Cheap. */
vel_err vel_poll(vel_ctx *ctx) VEL_CHECKED;

/* Scratch for n elements of *ptr; VEL_ENOMEM says how much was asked for. n may be any integer type, >= 0. */
#define VEL_ALLOC(ctx, ptr, n)                                                     \
    (((ptr) = vel_arena_alloc((ctx)->scratch, (size_t)(n), sizeof *(ptr))) != NULL \
         ? VEL_OK                                                                  \
         : vel_no_memory(ctx, (size_t)(n), sizeof *(ptr)))
#define VEL_ZALLOC(ctx, ptr, n)                                                     \
    (((ptr) = vel_arena_zalloc((ctx)->scratch, (size_t)(n), sizeof *(ptr))) != NULL \
         ? VEL_OK                                                                   \
         : vel_no_memory(ctx, (size_t)(n), sizeof *(ptr)))
vel_err vel_no_memory(vel_ctx *ctx, size_t count, size_t size) __attribute__((cold));

/* Gives back what a field took on its way from or to a file, to the system: a tile may be large beside the field. */
static inline void vel_release_tiles(vel_ctx *ctx, vel_mark mark) {
    vel_arena_release(ctx->scratch, mark);
    vel_arena_trim(ctx->scratch);
}

#endif
