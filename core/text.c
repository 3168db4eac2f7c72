#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"

vel_text vel_text_new(vel_arena *arena) { return (vel_text){.arena = arena}; }

static bool reserve(vel_text *t, size_t more) {
    if (t->failed) return false;
    size_t need = t->length + more + 1;
    if (need <= t->room) return true;
    size_t room = 2 * t->room > need ? 2 * t->room : need + 32;
    char *chars = vel_arena_alloc(t->arena, room, 1);
    if (!chars) {
        t->failed = true;
        return false;
    }
    if (t->length) memcpy(chars, t->chars, t->length);
    chars[t->length] = 0;
    t->chars = chars;
    t->room = room;
    return true;
}

static void add_bytes(vel_text *t, const char *bytes, size_t n) {
    if (!reserve(t, n)) return;
    memcpy(t->chars + t->length, bytes, n);
    t->length += n;
    t->chars[t->length] = 0;
}

void vel_text_add(vel_text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n >= 0 && reserve(t, (size_t)n)) {
        vsnprintf(t->chars + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

size_t vel_utf8_length(const char *s) {
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) return 1;
    size_t n = u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80) return 0;
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0)) return 0;
    if ((u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] >= 0x90)) return 0;
    return n;
}

void vel_text_json(vel_text *t, const char *s) {
    add_bytes(t, "\"", 1);
    for (size_t n; *s; s += n ? n : 1) {
        unsigned char c = (unsigned char)*s;
        n = vel_utf8_length(s);
        if (c == '"' || c == '\\')
            vel_text_add(t, "\\%c", c);
        else if (c == '\n')
            add_bytes(t, "\\n", 2);
        else if (c == '\t')
            add_bytes(t, "\\t", 2);
        else if (c < 0x20)
            vel_text_add(t, "\\u%04x", c);
        else if (!n)
            add_bytes(t, "\\ufffd", 6);
        else
            add_bytes(t, s, n);
    }
    add_bytes(t, "\"", 1);
}

static void add_real(vel_text *t, double x) {
    char digits[VEL_DECIMAL];
    vel_decimal_write(x, digits);
    vel_text_add(t, "%s%s", digits, strpbrk(digits, ".en") ? "" : ".0");
}

/* Whether a text reads back as itself without quotes. */
static bool is_bare(const char *s) {
    static const char *const taken[] = {"none", "None", "null", "true", "True", "false", "False", "nan", "inf", NULL};
    for (int i = 0; taken[i]; i++)
        if (!strcmp(s, taken[i])) return false;
    if (!*s || strchr("0123456789+-.[{\"'", *s)) return false;
    return !strpbrk(s, " \t\r\n|\"'[");
}

static void add_value(vel_text *t, const vel_value *v, bool in_list) {
    switch (v->kind) {
        case VEL_VNONE:
            vel_text_add(t, "%s", in_list ? "null" : "none");
            break;
        case VEL_VBOOL:
            vel_text_add(t, "%s", v->boolean ? "true" : "false");
            break;
        case VEL_VINT:
            vel_text_add(t, "%lld", (long long)v->integer);
            break;
        case VEL_VREAL:
            add_real(t, v->real);
            break;
        case VEL_VTEXT:
            if (!in_list && is_bare(v->text))
                vel_text_add(t, "%s", v->text);
            else
                vel_text_json(t, v->text);
            break;
        case VEL_VLIST:
            add_bytes(t, "[", 1);
            for (int64_t i = 0; i < v->n_items; i++) {
                if (i) add_bytes(t, ",", 1);
                add_value(t, &v->items[i], true);
            }
            add_bytes(t, "]", 1);
            break;
    }
}

void vel_text_value(vel_text *t, const vel_value *value) { add_value(t, value, false); }

vel_err vel_text_done(vel_ctx *ctx, vel_text *t, const char **s) {
    if (t->failed) return vel_no_memory(ctx, t->length + 1, 1);
    *s = t->chars ? t->chars : "";
    return VEL_OK;
}

vel_err vel_path_of(vel_ctx *ctx, const char *before, const char *name, const char *after, const char **path) {
    vel_text t = vel_text_new(ctx->scratch);
    vel_text_add(&t, "%s%s%s", before, name, after);
    return vel_text_done(ctx, &t, path);
}
