/* Vectors and scalars of a field as plain C values, and back. */
#include <math.h>
#include <string.h>

#include "core/adata_impl.h"

static vel_err get_vector(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, const char *what,
                          const vel_field **f) {
    VEL_TRY(vel_get(ctx, ad, path, f));
    const vel_field *v = *f;
    bool is_text = v->kind == VEL_TEXTS || v->kind == VEL_CATEGORICAL;
    bool fits = *what == 's' ? is_text : v->kind == VEL_DENSE;
    if (!fits || v->ndim > 1)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is %s, expected %s", path, vel_adata_name(ad),
                        vel_entry_of(ad, path).encoding, what);
    if (v->rows != n)
        return vel_fail(ctx, VEL_ESHAPE, "%s of %s has %lld values, expected %lld", path, vel_adata_name(ad),
                        (long long)v->rows, (long long)n);
    return VEL_OK;
}

vel_err vel_get_reals(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, double **x) {
    const vel_field *f;
    VEL_TRY(get_vector(ctx, ad, path, n, "numbers", &f));
    VEL_TRY(VEL_ALLOC(ctx, *x, n));
    for (int64_t i = 0; i < n; i++) (*x)[i] = f->mask && f->mask[i] ? NAN : vel_field_real(f, i);
    return VEL_OK;
}

vel_err vel_get_bools(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, uint8_t **x) {
    const vel_field *f;
    VEL_TRY(get_vector(ctx, ad, path, n, "true or false values", &f));
    VEL_TRY(VEL_ALLOC(ctx, *x, n));
    for (int64_t i = 0; i < n; i++) {
        double value = f->mask && f->mask[i] ? NAN : vel_field_real(f, i);
        (*x)[i] = value == value && value != 0;
    }
    return VEL_OK;
}

vel_err vel_get_texts(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, const char ***x) {
    const vel_field *f;
    VEL_TRY(get_vector(ctx, ad, path, n, "strings", &f));
    VEL_TRY(VEL_ALLOC(ctx, *x, n));
    for (int64_t i = 0; i < n; i++) {
        int64_t at = f->kind == VEL_CATEGORICAL ? f->codes[i] : i;
        (*x)[i] = at < 0 ? NULL : f->texts[at];
    }
    return VEL_OK;
}

vel_err vel_get_text(vel_ctx *ctx, vel_adata *ad, const char *path, const char **text) {
    const vel_field *f;
    VEL_TRY(vel_get(ctx, ad, path, &f));
    if (f->kind != VEL_TEXTS || f->rows != 1 || !f->texts[0])
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is %s, expected one string", path, vel_adata_name(ad),
                        vel_entry_of(ad, path).encoding);
    *text = f->texts[0];
    return VEL_OK;
}

vel_err vel_get_real(vel_ctx *ctx, vel_adata *ad, const char *path, double *x) {
    const vel_field *f;
    VEL_TRY(vel_get(ctx, ad, path, &f));
    if (f->kind != VEL_DENSE || f->rows != 1 || f->cols != 1)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is %s, expected one number", path, vel_adata_name(ad),
                        vel_entry_of(ad, path).encoding);
    *x = f->mask && f->mask[0] ? NAN : vel_field_real(f, 0);
    return VEL_OK;
}

/* ---- names */

/* The digits of i >= 0 in front of an end; returns where they begin. */
static char *digits_before(char *end, int64_t i) {
    *--end = '\0';
    do *--end = (char)('0' + i % 10);
    while (i /= 10);
    return end;
}

static vel_err put_numbers(vel_ctx *ctx, vel_adata *ad, bool of_vars, int64_t n) {
    enum { MOST_DIGITS = 19 };
    char last[MOST_DIGITS + 1], *texts;
    const char **names;
    int64_t width = last + sizeof last - digits_before(last + sizeof last, n);
    VEL_TRY(VEL_ALLOC(ctx, names, n));
    VEL_TRY(VEL_ALLOC(ctx, texts, n * width));
    for (int64_t i = 0; i < n; i++) names[i] = digits_before(texts + (i + 1) * width, i);
    return vel_put_names(ctx, ad, of_vars, names);
}

/* Without an index cells and genes are called by their number, as anndata does. */
static vel_err number_names(vel_ctx *ctx, vel_adata *ad, bool of_vars) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = put_numbers(ctx, ad, of_vars, of_vars ? ad->n_vars : ad->n_obs);
    vel_arena_release(ctx->scratch, mark);
    return e;
}

static vel_err get_names(vel_ctx *ctx, vel_adata *ad, bool of_vars, char ***names) {
    const char *path = of_vars ? "var/_index" : "obs/_index";
    if (!vel_has(ad, path)) VEL_TRY(number_names(ctx, ad, of_vars));
    const vel_field *f;
    VEL_TRY(get_vector(ctx, ad, path, of_vars ? ad->n_vars : ad->n_obs, "strings", &f));
    if (f->kind != VEL_TEXTS) return vel_fail(ctx, VEL_ETYPE, "%s of %s must be strings", path, vel_adata_name(ad));
    *names = f->texts;
    return VEL_OK;
}

vel_err vel_obs_names(vel_ctx *ctx, vel_adata *ad, char ***names) { return get_names(ctx, ad, false, names); }

vel_err vel_var_names(vel_ctx *ctx, vel_adata *ad, char ***names) { return get_names(ctx, ad, true, names); }

/* ---- put */

static vel_err put_scalar(vel_ctx *ctx, vel_adata *ad, const char *path, vel_type type, const void *x) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, type, vel_scalar(), &f));
    memcpy(f->data, x, vel_type_size(type));
    return VEL_OK;
}

vel_err vel_put_reals(vel_ctx *ctx, vel_adata *ad, const char *path, const double *x, int64_t n) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, VEL_F64, vel_vector(n), &f));
    memcpy(f->data, x, (size_t)n * sizeof *x);
    return VEL_OK;
}

vel_err vel_put_bools(vel_ctx *ctx, vel_adata *ad, const char *path, const uint8_t *x, int64_t n) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, VEL_BOOL, vel_vector(n), &f));
    for (int64_t i = 0; i < n; i++) ((uint8_t *)f->data)[i] = x[i] != 0;
    return VEL_OK;
}

vel_err vel_put_text(vel_ctx *ctx, vel_adata *ad, const char *path, const char *text) {
    return vel_put_texts(ctx, ad, path, &text, -1);
}

vel_err vel_put_real(vel_ctx *ctx, vel_adata *ad, const char *path, double x) {
    return put_scalar(ctx, ad, path, VEL_F64, &x);
}

vel_err vel_put_int(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t x) {
    return put_scalar(ctx, ad, path, VEL_I64, &x);
}

vel_err vel_put_bool(vel_ctx *ctx, vel_adata *ad, const char *path, bool x) {
    uint8_t byte = x;
    return put_scalar(ctx, ad, path, VEL_BOOL, &byte);
}
