#include "pipelines/key.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

static const vel_opt *find_part(const vel_opt *rows, const char *from, size_t n) {
    for (const vel_opt *row = rows; row && row->name; row++)
        if (strlen(row->name) == n && !memcmp(row->name, from, n)) return row;
    return NULL;
}

/* Whether a value is the word, written as in a recipe. */
static bool is_word(const vel_value *v, const char *word, size_t n) {
    char number[32];
    const char *text = "";
    switch (v->kind) {
        case VEL_VNONE:
            text = "none";
            break;
        case VEL_VBOOL:
            text = v->boolean ? "true" : "false";
            break;
        case VEL_VTEXT:
            text = v->text;
            break;
        case VEL_VINT:
            snprintf(number, sizeof number, "%lld", (long long)v->integer);
            text = number;
            break;
        case VEL_VREAL:
        case VEL_VLIST:
            return false;
    }
    return strlen(text) == n && !memcmp(text, word, n);
}

/* One condition, "option=word|word", of n characters. */
static bool holds(const char *condition, size_t n, const vel_opt *rows, const void *opts) {
    size_t name = strcspn(condition, "=");
    const vel_opt *row = name < n ? find_part(rows, condition, name) : NULL;
    if (!row) return false;
    vel_value value = vel_opt_get(row, opts);
    for (const char *word = condition + name + 1, *end = condition + n; word <= end;) {
        size_t length = strcspn(word, "|,");
        if (is_word(&value, word, length)) return true;
        word += length + 1;
    }
    return false;
}

bool vel_key_counts(const vel_key *key, const vel_opt *rows, const void *opts) {
    for (const char *at = key->when; at && *at;) {
        size_t n = strcspn(at, ",");
        if (!holds(at, n, rows, opts)) return false;
        at += n + (at[n] == ',');
    }
    return true;
}

/* A word that names one member of a group, and no names of rows. */
static bool is_name(const char *word) {
    static const char *const others[] = {"", ".", "..", "_index"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(word, others[i])) return false;
    return !strchr(word, '/');
}

vel_err vel_key_path(vel_ctx *ctx, vel_arena *arena, const vel_key *key, const vel_opt *rows, const void *opts,
                     const char **path) {
    vel_text t = vel_text_new(arena);
    *path = NULL;
    for (const char *s = key->name; *s;) {
        size_t plain = strcspn(s, "{");
        vel_text_add(&t, "%.*s", (int)plain, s);
        s += plain;
        if (!*s) break;
        size_t n = strcspn(s + 1, "}");
        const vel_opt *row = find_part(rows, s + 1, n);
        vel_value value = row ? vel_opt_get(row, opts) : (vel_value){.kind = VEL_VNONE};
        if (value.kind == VEL_VTEXT && !is_name(value.text))
            return vel_fail(ctx, VEL_EUSAGE, "option %s takes the name of a field, found '%s'", row->name, value.text);
        if (value.kind == VEL_VTEXT)
            vel_text_add(&t, "%s", value.text);
        else if (value.kind == VEL_VINT)
            vel_text_add(&t, "%lld", (long long)value.integer);
        else
            return VEL_OK;
        s += n + 1 + (s[n + 1] == '}');
    }
    return vel_text_done(ctx, &t, path);
}

bool vel_key_covers(const char *name, const char *path) {
    size_t n = strlen(name);
    if (!strncmp(name, path, n) && (!path[n] || path[n] == '/')) return true;
    return fnmatch(name, path, 0) == 0;
}

bool vel_key_is_sound(const vel_key *key, const vel_opt *rows) {
    for (const char *at = key->when; at && *at; at += strcspn(at, ","), at += *at == ',') {
        size_t n = strcspn(at, "=,");
        if (at[n] != '=' || !find_part(rows, at, n)) return false;
    }
    for (const char *s = strchr(key->name, '{'); s; s = strchr(s + 1, '{')) {
        size_t n = strcspn(s + 1, "}");
        if (s[n + 1] != '}' || !find_part(rows, s + 1, n)) return false;
    }
    return true;
}
