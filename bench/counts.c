#include "bench/counts.h"

#include <math.h>
#include <string.h>

/* Dense layers are gene-major: element (c, g) is x[g * rows + c]. */

static vel_err put_f32(vel_ctx *ctx, vel_adata *ad, const char *path, const double *x, int64_t rows, int64_t cols) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, VEL_F32, vel_matrix(rows, cols), &f));
    float *out = f->data;
    for (int64_t i = 0; i < rows * cols; i++) out[i] = (float)x[i];
    return VEL_OK;
}

static vel_err put_csr(vel_ctx *ctx, vel_adata *ad, const char *path, const double *x, int64_t rows, int64_t cols) {
    vel_field *f;
    int64_t stored = 0, k = 0;
    for (int64_t i = 0; i < rows * cols; i++) stored += x[i] != 0;
    VEL_TRY(vel_put_sparse(ctx, ad, path, VEL_F32, vel_matrix(rows, cols), stored, &f));
    float *out = f->data;
    f->indptr[0] = 0;
    for (int64_t c = 0; c < rows; c++) {
        for (int64_t g = 0; g < cols; g++)
            if (x[g * rows + c] != 0) {
                f->indices[k] = (int32_t)g;
                out[k++] = (float)x[g * rows + c];
            }
        f->indptr[c + 1] = k;
    }
    return VEL_OK;
}

static vel_err make_one(vel_ctx *ctx, vel_adata *ad, const char *path, bench_form form) {
    vel_field *f;
    VEL_TRY(vel_edit(ctx, ad, path, &f));
    if (f->kind != VEL_DENSE || f->type != VEL_F64) return vel_fail(ctx, VEL_ETYPE, "%s is not dense float64", path);
    const int64_t rows = f->rows, cols = f->cols;
    double *x = f->data, *copy;
    for (int64_t i = 0; i < rows * cols; i++) x[i] = rint(x[i]);
    if (form == BENCH_COUNTS) return VEL_OK;
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, copy, rows * cols)); /* putting takes the old field away */
    memcpy(copy, x, (size_t)(rows * cols) * sizeof *copy);
    VEL_TRY((form == BENCH_COUNTS_CSR ? put_csr : put_f32)(ctx, ad, path, copy, rows, cols));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err put_clusters(vel_ctx *ctx, vel_adata *ad) {
    static const char *const fifths[] = {"first", "second", "third", "fourth", "fifth"};
    const int64_t n = vel_n_obs(ad);
    double *t, last = 0;
    int32_t *codes;
    VEL_TRY(vel_get_reals(ctx, ad, "obs/true_t", n, &t));
    VEL_TRY(VEL_ALLOC(ctx, codes, n));
    for (int64_t i = 0; i < n; i++) last = t[i] > last ? t[i] : last;
    for (int64_t i = 0; i < n; i++) {
        const int32_t fifth = last > 0 ? (int32_t)(5 * t[i] / last) : 0;
        codes[i] = fifth < 4 ? fifth : 4;
    }
    return vel_put_categorical(ctx, ad, "obs/clusters", codes, n, fifths, 5);
}

vel_err bench_make_counts(vel_ctx *ctx, vel_adata *ad, bench_form form) {
    static const char *const layers[] = {"X", "layers/spliced", "layers/unspliced"};
    if (form == BENCH_AS_MADE) return VEL_OK;
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) VEL_TRY(make_one(ctx, ad, layers[i], form));
    return put_clusters(ctx, ad);
}
