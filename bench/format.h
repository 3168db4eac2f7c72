/* format.h - small texts in an arena. */
#ifndef VEL_BENCH_FORMAT_H
#define VEL_BENCH_FORMAT_H

#include "core/ctx.h"

/* printf into the arena. */
vel_err bench_format(vel_ctx *ctx, vel_arena *arena, const char **text, const char *format, ...)
    __attribute__((format(printf, 4, 5))) VEL_CHECKED;

/* A copy; NULL stays NULL. */
vel_err bench_keep(vel_ctx *ctx, vel_arena *arena, const char *text, const char **copy) VEL_CHECKED;

#endif
