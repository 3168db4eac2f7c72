#include "core/ctx.h"

#include <stdio.h>
#include <string.h>

vel_err vel_fail(vel_ctx *ctx, vel_err e, const char *format, ...) {
    if (ctx->message[0]) return e;
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    return e;
}

vel_err vel_fail_at(vel_ctx *ctx, vel_err e, const char *where) {
    char why[sizeof ctx->message];
    memcpy(why, ctx->message, sizeof why);
    ctx->message[0] = 0;
    return vel_fail(ctx, e, "%s: %s", where, why);
}

void vel_say(const vel_ctx *ctx, vel_level level, const char *format, ...) {
    if (!ctx->sink.say) return;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctx->sink.say(ctx->sink.user, level, text);
}

vel_err vel_poll(vel_ctx *ctx) {
    sig_atomic_t asked = ctx->cancel ? __atomic_load_n(ctx->cancel, __ATOMIC_RELAXED) : 0;
    if (!asked) return VEL_OK;
    bool term = asked == SIGTERM;
    return vel_fail(ctx, term ? VEL_ETERM : VEL_EINTR, term ? "terminated" : "interrupted");
}

vel_err vel_no_memory(vel_ctx *ctx, size_t count, size_t size) {
    return vel_fail(ctx, VEL_ENOMEM, "out of memory: %zu elements of %zu bytes were asked for", count, size);
}
