/* text.h - a string that grows in an arena: for messages, recipes and everything else that is put together in pieces.
 *
 * A failed allocation is kept and told once, by vel_text_done. */
#ifndef VEL_CORE_TEXT_H
#define VEL_CORE_TEXT_H

#include "core/ctx.h"
#include "core/value.h"

typedef struct {
    vel_arena *arena;
    char *chars; /* ends with 0 once anything was added */
    size_t length, room;
    bool failed;
} vel_text;

vel_text vel_text_new(vel_arena *arena);
void vel_text_add(vel_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The value as a user would write it, so that reading it gives the same value again: `30`, `0.5`, `none`, `[5,95]`;
 * texts bare where they can be, else as JSON strings. Reals have the fewest digits that give the same bits. */
void vel_text_value(vel_text *t, const vel_value *value);

/* s as a JSON string, quotes included; each byte that is not UTF-8 becomes U+FFFD. */
void vel_text_json(vel_text *t, const char *s);

/* Bytes of the UTF-8 character that begins at s (RFC 3629: none longer than need be, no surrogate); 0: none does. */
size_t vel_utf8_length(const char *s);

/* The string, which lives as long as the arena. */
vel_err vel_text_done(vel_ctx *ctx, vel_text *t, const char **s) VEL_CHECKED;

/* A path around a name, from ctx->scratch: vel_path_of(ctx, "layers/variance_", vkey, "", &path). */
vel_err vel_path_of(vel_ctx *ctx, const char *before, const char *name, const char *after,
                    const char **path) VEL_CHECKED;

#endif
