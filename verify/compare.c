#include "verify/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify/pairs.h"

static bool is_numeric(const vel_field *f) { return f->kind == VEL_DENSE || f->kind == VEL_SPARSE; }

static bool is_text(const vel_field *f) { return f->kind == VEL_TEXTS || f->kind == VEL_CATEGORICAL; }

static void speak(vel_comparison *out, vel_verdict verdict, const char *why) {
    if (verdict > out->verdict) out->verdict = verdict;
    if (!out->why[0]) snprintf(out->why, sizeof out->why, "%s", why);
}

static bool same_shape(const vel_field *a, const vel_field *b, vel_comparison *out) {
    int64_t h = vel_field_height(a), w = vel_field_width(a), h2 = vel_field_height(b), w2 = vel_field_width(b);
    if (h == h2 && w == w2) return true;
    char why[160];
    snprintf(why, sizeof why, "%lld x %lld in the reference, %lld x %lld in the result", (long long)h, (long long)w,
             (long long)h2, (long long)w2);
    speak(out, VEL_MISSHAPEN, why);
    return false;
}

static void add(vel_comparison *out, int64_t row, int64_t col, double a, double b, double rest) {
    vel_gap_add(&out->gap, &out->tolerance, a, b, rest);
    if (out->by_row) vel_gap_add(&out->by_row[row], &out->tolerance, a, b, rest);
    if (out->by_col) vel_gap_add(&out->by_col[col], &out->tolerance, a, b, rest);
}

static double largest(vel_pairs *p) {
    double most = 0;
    for (int64_t line = 0; line < p->lines; line++) {
        vel_pairs_line(p, line);
        for (int64_t k = 0; k < p->n; k++)
            if (isfinite(p->x[k]) && fabs(p->x[k]) > most) most = fabs(p->x[k]);
    }
    return most;
}

static vel_err compare_numbers(vel_ctx *ctx, const vel_field *a, const vel_field *b, const vel_axes *axes,
                               vel_comparison *out) {
    vel_pairs p;
    out->numeric = true;
    VEL_TRY(vel_pairs_open(ctx, a, b, axes->rows, axes->cols, &p));
    if (out->tolerance.of_max) {
        out->tolerance.atol *= largest(&p);
        out->tolerance.of_max = false;
    }
    if (a->type == VEL_BOOL) out->tolerance.atol = out->tolerance.rtol = 0;
    for (int64_t line = 0; line < p.lines; line++) {
        VEL_TRY(vel_poll(ctx));
        vel_pairs_line(&p, line);
        for (int64_t k = 0; k < p.n; k++)
            add(out, vel_pairs_row(&p, line, k), vel_pairs_col(&p, line, k), p.x[k], p.y[k], p.rest ? p.rest[k] : 0);
    }
    if (out->tolerance.bits && a->origin != b->origin) {
        char why[160];
        snprintf(why, sizeof why, "%s in the reference, %s in the result", vel_type_name(a->origin),
                 vel_type_name(b->origin));
        speak(out, VEL_DRIFTS, why);
    }
    return VEL_OK;
}

static const char *text_at(const vel_field *f, int64_t i) {
    if (f->kind == VEL_TEXTS) return f->texts[i];
    return f->codes[i] < 0 ? NULL : f->texts[f->codes[i]];
}

static bool same_text(const char *s, const char *t) { return s && t ? strcmp(s, t) == 0 : s == t; }

static bool same_categories(const vel_field *a, const vel_field *b) {
    if (a->n_categories != b->n_categories || a->ordered != b->ordered) return false;
    for (int64_t i = 0; i < a->n_categories; i++)
        if (!same_text(a->texts[i], b->texts[i])) return false;
    return true;
}

static void compare_texts(const vel_field *a, const vel_field *b, const vel_axes *axes, vel_comparison *out) {
    const int64_t *to = axes->rows ? axes->rows->to : NULL;
    vel_tolerance exactly = {.bits = true, .outliers = out->tolerance.outliers};
    out->tolerance = exactly;
    for (int64_t i = 0; i < vel_field_height(a); i++) {
        const char *s = text_at(a, i), *t = text_at(b, to ? to[i] : i);
        bool same = same_text(s, t);
        add(out, i, 0, 0, same ? 0 : 1, 0);
        if (same || out->why[0]) continue;
        char why[160];
        snprintf(why, sizeof why, "\"%.60s\" in the reference, \"%.60s\" in the result", s ? s : "", t ? t : "");
        speak(out, VEL_AGREES, why);
    }
    if (a->kind == VEL_CATEGORICAL && b->kind == VEL_CATEGORICAL && !same_categories(a, b))
        speak(out, VEL_DRIFTS, "the categories or their order differ");
}

static vel_err compare_plain(vel_ctx *ctx, const vel_field *a, const vel_field *b, const vel_axes *axes,
                             vel_comparison *out) {
    if (is_numeric(a) && is_numeric(b)) {
        if (same_shape(a, b, out)) VEL_TRY(compare_numbers(ctx, a, b, axes, out));
    } else if (is_text(a) && is_text(b)) {
        if (same_shape(a, b, out)) compare_texts(a, b, axes, out);
    } else {
        speak(out, VEL_DRIFTS, "numbers in one file, something else in the other");
    }
    return VEL_OK;
}

static vel_err compare_records(vel_ctx *ctx, const vel_field *a, const vel_field *b, vel_comparison *out) {
    static const vel_axes unnamed = {0};
    vel_tolerance given = out->tolerance;
    if (a->n_columns != b->n_columns) speak(out, VEL_DRIFTS, "the columns of the record array differ");
    for (int64_t i = 0; i < a->n_columns && i < b->n_columns; i++) {
        if (strcmp(a->names[i], b->names[i]) != 0)
            speak(out, VEL_DRIFTS, "the columns of the record array differ");
        else
            VEL_TRY(compare_plain(ctx, &a->columns[i], &b->columns[i], &unnamed, out));
        out->tolerance = given;
    }
    return VEL_OK;
}

static vel_err want(vel_ctx *ctx, const vel_match *match, vel_gap **gaps) {
    *gaps = NULL;
    return match ? VEL_ZALLOC(ctx, *gaps, match->n) : VEL_OK;
}

vel_err vel_compare_fields(vel_ctx *ctx, const vel_field *a, const vel_field *b, const vel_axes *axes, vel_tolerance t,
                           vel_comparison *out) {
    *out = (vel_comparison){.verdict = VEL_AGREES, .tolerance = t};
    if (a->kind == VEL_RECORDS && b->kind == VEL_RECORDS) {
        VEL_TRY(compare_records(ctx, a, b, out));
    } else {
        VEL_TRY(want(ctx, axes->rows, &out->by_row));
        VEL_TRY(want(ctx, axes->cols, &out->by_col));
        VEL_TRY(compare_plain(ctx, a, b, axes, out));
    }
    if (out->verdict == VEL_AGREES && vel_gap_exceeds(&out->gap, &out->tolerance)) out->verdict = VEL_DRIFTS;
    return VEL_OK;
}
