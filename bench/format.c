#include "bench/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

vel_err bench_format(vel_ctx *ctx, vel_arena *arena, const char **text, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *chars = n < 0 ? NULL : vel_arena_alloc(arena, (size_t)n + 1, 1);
    if (chars) vsnprintf(chars, (size_t)n + 1, format, again);
    va_end(again);
    *text = chars;
    return chars ? VEL_OK : vel_no_memory(ctx, (size_t)(n < 0 ? 0 : n), 1);
}

vel_err bench_keep(vel_ctx *ctx, vel_arena *arena, const char *text, const char **copy) {
    *copy = NULL;
    if (!text) return VEL_OK;
    *copy = vel_arena_strdup(arena, text);
    return *copy ? VEL_OK : vel_no_memory(ctx, strlen(text), 1);
}
