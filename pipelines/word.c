#include "pipelines/word.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"

static vel_err copy(vel_ctx *ctx, vel_arena *arena, const char *s, const char **out) {
    *out = vel_arena_strdup(arena, s);
    return *out ? VEL_OK : vel_no_memory(ctx, strlen(s) + 1, 1);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
    return !strcmp(word, a) || !strcmp(word, b) || (c && !strcmp(word, c));
}

static bool is_constant(const char *word, vel_value *v) {
    if (is_one_of(word, "none", "None", "null"))
        *v = (vel_value){.kind = VEL_VNONE};
    else if (is_one_of(word, "true", "True", NULL))
        *v = (vel_value){.kind = VEL_VBOOL, .boolean = true};
    else if (is_one_of(word, "false", "False", NULL))
        *v = (vel_value){.kind = VEL_VBOOL};
    else
        return false;
    return true;
}

static bool is_integer(const char *word, vel_value *v) {
    char *end;
    errno = 0;
    long long x = strtoll(word, &end, 10);
    if (*end || errno) return false;
    *v = (vel_value){.kind = VEL_VINT, .integer = x, .real = (double)x};
    return true;
}

static bool is_number(const char *word, vel_value *v) {
    if (is_one_of(word, "inf", "-inf", "nan")) {
        *v = (vel_value){.kind = VEL_VREAL, .real = vel_decimal_read(word, NULL)};
        return true;
    }
    const char *digits = word + (*word == '-' || *word == '+');
    digits += *digits == '.';
    if (!isdigit((unsigned char)*digits) || digits[strspn(digits, "0123456789.eE+-")]) return false;
    if (is_integer(word, v)) return true;
    char *end;
    double x = vel_decimal_read(word, &end);
    if (*end || !isfinite(x)) return false;
    *v = (vel_value){.kind = VEL_VREAL, .real = x};
    return true;
}

static vel_err from_json(vel_ctx *ctx, vel_arena *arena, const json_t *j, vel_value *v);

static vel_err from_array(vel_ctx *ctx, vel_arena *arena, const json_t *j, vel_value *v) {
    size_t n = json_array_size(j);
    vel_value *items = vel_arena_alloc(arena, n, sizeof *items);
    if (!items) return vel_no_memory(ctx, n, sizeof *items);
    for (size_t i = 0; i < n; i++) VEL_TRY(from_json(ctx, arena, json_array_get(j, i), &items[i]));
    *v = (vel_value){.kind = VEL_VLIST, .items = items, .n_items = (int64_t)n};
    return VEL_OK;
}

static vel_err from_json(vel_ctx *ctx, vel_arena *arena, const json_t *j, vel_value *v) {
    switch (json_typeof(j)) {
        case JSON_NULL:
            *v = (vel_value){.kind = VEL_VNONE};
            return VEL_OK;
        case JSON_TRUE:
        case JSON_FALSE:
            *v = (vel_value){.kind = VEL_VBOOL, .boolean = json_is_true(j)};
            return VEL_OK;
        case JSON_INTEGER:
            *v = (vel_value){.kind = VEL_VINT, .integer = json_integer_value(j), .real = (double)json_integer_value(j)};
            return VEL_OK;
        case JSON_REAL:
            *v = (vel_value){.kind = VEL_VREAL, .real = json_real_value(j)};
            return VEL_OK;
        case JSON_STRING:
            *v = (vel_value){.kind = VEL_VTEXT};
            return copy(ctx, arena, json_string_value(j), &v->text);
        case JSON_ARRAY:
            return from_array(ctx, arena, j, v);
        case JSON_OBJECT:
            break;
    }
    return vel_fail(ctx, VEL_EUSAGE, "a value is a word, a number or an array, found a JSON object");
}

static vel_err parse_json(vel_ctx *ctx, vel_arena *arena, const char *word, vel_value *v) {
    json_error_t error;
    json_t *j = json_loads(word, JSON_DECODE_ANY, &error);
    if (!j) return vel_fail(ctx, VEL_EUSAGE, "malformed JSON value %s: %s", word, error.text);
    vel_err e = from_json(ctx, arena, j, v);
    json_decref(j);
    return e;
}

static vel_err value_of(vel_ctx *ctx, vel_arena *arena, const char *word, vel_value *v) {
    size_t n = strlen(word);
    if (n >= 2 && word[0] == '\'' && word[n - 1] == '\'') {
        char *inner = vel_arena_alloc(arena, n - 1, 1);
        if (!inner) return vel_no_memory(ctx, n, 1);
        memcpy(inner, word + 1, n - 2);
        inner[n - 2] = 0;
        *v = (vel_value){.kind = VEL_VTEXT, .text = inner};
        return VEL_OK;
    }
    if (*word && strchr("[{\"", *word)) return parse_json(ctx, arena, word, v);
    if (is_constant(word, v)) return VEL_OK;
    if (!is_number(word, v)) *v = (vel_value){.kind = VEL_VTEXT};
    return copy(ctx, arena, word, &v->text);
}

vel_err vel_word_value(vel_ctx *ctx, vel_arena *arena, const char *option, const char *word, vel_value *v) {
    vel_err e = value_of(ctx, arena, word, v);
    if (e != VEL_EUSAGE) return e;
    char where[64];
    snprintf(where, sizeof where, "option %s", option);
    return vel_fail_at(ctx, e, where);
}
