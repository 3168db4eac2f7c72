#include "core/opt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/near.h"
#include "core/text.h"

const vel_opt *vel_opt_find(const vel_opt *rows, const char *name) {
    for (const vel_opt *row = rows; row && row->name; row++)
        if (vel_same_name(row->name, name)) return row;
    return NULL;
}

const vel_opt *vel_opt_nearest(const vel_opt *rows, const char *name) {
    vel_near near = {.name = name};
    for (const vel_opt *row = rows; row && row->name; row++) vel_near_offer(&near, row->name);
    return near.best ? vel_opt_find(rows, near.best) : NULL;
}

static bool none_is_default(const vel_opt *row) { return row->def && !strcmp(row->def, "none"); }

/* Whether none is a value, whatever the default is. */
static bool takes_none(const vel_opt *row) { return row->type >= VEL_OSWITCH || none_is_default(row); }

vel_err vel_opt_refuse(vel_ctx *ctx, const char *option, const char *takes, const vel_value *found) {
    const char *text;
    vel_text t = vel_text_new(ctx->scratch);
    vel_text_value(&t, found);
    VEL_TRY(vel_text_done(ctx, &t, &text));
    return vel_fail(ctx, VEL_EUSAGE, "option %s takes %s, found %s", option, takes, text);
}

static vel_err refuse(vel_ctx *ctx, const vel_opt *row, const char *takes, const vel_value *found) {
    if (!takes_none(row)) return vel_opt_refuse(ctx, row->name, takes, found);
    const char *more;
    vel_text t = vel_text_new(ctx->scratch);
    vel_text_add(&t, "%s, or none", takes);
    VEL_TRY(vel_text_done(ctx, &t, &more));
    return vel_opt_refuse(ctx, row->name, more, found);
}

const char *vel_opt_range(const vel_opt *row) {
    bool is_number = row->type == VEL_OINT || row->type == VEL_OREAL;
    return is_number || row->type == VEL_OCOUNT || row->type == VEL_ONUMBER ? row->choices : NULL;
}

static bool is_within(const char *range, double x) {
    double a, b;
    if (!range) return true;
    if (sscanf(range, "at least %lf", &a) == 1) return x >= a && isfinite(x);
    if (sscanf(range, "above %lf", &a) == 1) return x > a && isfinite(x);
    return sscanf(range, "%lf to %lf", &a, &b) == 2 && a <= x && x <= b;
}

/* A number of any kind; NaN is in no range. */
static vel_err check_range(vel_ctx *ctx, const vel_opt *row, const char *what, const vel_value *v, bool is_kind) {
    const char *range = vel_opt_range(row), *takes;
    if (is_kind && is_within(range, v->real)) return VEL_OK;
    vel_text t = vel_text_new(ctx->scratch);
    vel_text_add(&t, "%s%s%s", what, range ? ", " : "", range ? range : "");
    VEL_TRY(vel_text_done(ctx, &t, &takes));
    return refuse(ctx, row, takes, v);
}

/* Whether word is one of "a|b|c"; with no list every word is. */
static bool is_choice(const char *choices, const char *word) {
    if (!choices) return true;
    size_t n = strlen(word);
    for (const char *c = choices;; c++) {
        size_t length = strcspn(c, "|");
        if (length == n && !strncmp(c, word, n)) return true;
        c += length;
        if (!*c) return false;
    }
}

/* A word is taken as it was written: `groupby=1` names the column "1". */
static const char *word_of(const vel_value *v) { return v->kind == VEL_VTEXT || vel_is_number(v) ? v->text : NULL; }

static vel_err set_text(vel_ctx *ctx, const vel_opt *row, const vel_value *v, const char **out) {
    if (vel_is_none(v) && none_is_default(row)) {
        *out = NULL;
        return VEL_OK;
    }
    const char *word = word_of(v);
    if (!word) return refuse(ctx, row, row->choices ? row->choices : "a word", v);
    if (!is_choice(row->choices, word)) return refuse(ctx, row, row->choices, v);
    *out = word;
    return VEL_OK;
}

static bool is_whole(const vel_value *v) {
    const double exact = 9007199254740992.0; /* 2^53 */
    return v->kind == VEL_VINT || (v->kind == VEL_VREAL && fabs(v->real) <= exact && trunc(v->real) == v->real);
}

static vel_err set_int(vel_ctx *ctx, const vel_opt *row, const vel_value *v, int64_t *out) {
    VEL_TRY(check_range(ctx, row, "a whole number", v, is_whole(v)));
    *out = v->kind == VEL_VINT ? v->integer : (int64_t)v->real;
    return VEL_OK;
}

static vel_err set_count(vel_ctx *ctx, const vel_opt *row, const vel_value *v, vel_value *out) {
    int64_t count = 0;
    if (!vel_is_none(v)) VEL_TRY(set_int(ctx, row, v, &count));
    *out = *v;
    if (!vel_is_none(v)) *out = (vel_value){.kind = VEL_VINT, .integer = count, .real = (double)count};
    return VEL_OK;
}

static vel_err check_real(vel_ctx *ctx, const vel_opt *row, const vel_value *v) {
    return check_range(ctx, row, "a number", v, vel_is_number(v) && !isnan(v->real));
}

static vel_err set_any(vel_ctx *ctx, const vel_opt *row, const vel_value *v, vel_value *out) {
    if (v->kind == VEL_VTEXT && !is_choice(row->choices, v->text)) return refuse(ctx, row, row->choices, v);
    *out = *v;
    return VEL_OK;
}

vel_err vel_opt_set(vel_ctx *ctx, const vel_opt *row, const vel_value *v, void *opts) {
    void *at = (char *)opts + row->offset;
    switch (row->type) {
        case VEL_OBOOL:
            if (v->kind != VEL_VBOOL) return refuse(ctx, row, "true or false", v);
            *(bool *)at = v->boolean;
            return VEL_OK;
        case VEL_OINT:
            return set_int(ctx, row, v, at);
        case VEL_OREAL:
            VEL_TRY(check_real(ctx, row, v));
            *(double *)at = v->real;
            return VEL_OK;
        case VEL_OTEXT:
            return set_text(ctx, row, v, at);
        case VEL_OSWITCH:
            if (v->kind != VEL_VBOOL && !vel_is_none(v)) return refuse(ctx, row, "true or false", v);
            *(vel_value *)at = *v;
            return VEL_OK;
        case VEL_OCOUNT:
            return set_count(ctx, row, v, at);
        case VEL_ONUMBER:
            if (!vel_is_none(v)) VEL_TRY(check_real(ctx, row, v));
            *(vel_value *)at = *v;
            return VEL_OK;
        case VEL_OANY:
            return set_any(ctx, row, v, at);
    }
    return vel_fail(ctx, VEL_EUSAGE, "option %s has no type", row->name);
}

vel_value vel_opt_get(const vel_opt *row, const void *opts) {
    const void *at = (const char *)opts + row->offset;
    switch (row->type) {
        case VEL_OBOOL:
            return (vel_value){.kind = VEL_VBOOL, .boolean = *(const bool *)at};
        case VEL_OINT: {
            int64_t x = *(const int64_t *)at;
            return (vel_value){.kind = VEL_VINT, .integer = x, .real = (double)x};
        }
        case VEL_OREAL:
            return (vel_value){.kind = VEL_VREAL, .real = *(const double *)at};
        case VEL_OTEXT: {
            const char *text = *(const char *const *)at;
            return (vel_value){.kind = text ? VEL_VTEXT : VEL_VNONE, .text = text};
        }
        case VEL_OSWITCH:
        case VEL_OCOUNT:
        case VEL_ONUMBER:
        case VEL_OANY:
            break;
    }
    return *(const vel_value *)at;
}
