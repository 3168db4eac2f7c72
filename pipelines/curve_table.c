#include "pipelines/curve_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/stats.h"

static const char *const arrays[VEL_CURVE_COLUMNS] = {"t", "alpha", "unspliced", "spliced"};

static vel_err put_genes(vel_ctx *ctx, vel_adata *ad, const char *key, const vel_curve_table *table) {
    char path[128], **names;
    const char **fitted;
    VEL_TRY(vel_var_names(ctx, ad, &names));
    VEL_TRY(VEL_ALLOC(ctx, fitted, table->width));
    for (int64_t g = 0; g < vel_n_vars(ad); g++)
        if (table->column[g] >= 0) fitted[table->column[g]] = names[g];
    snprintf(path, sizeof path, "uns/%s_curves/genes", key);
    return vel_put_texts(ctx, ad, path, fitted, table->width);
}

vel_err vel_curve_table_make(vel_ctx *ctx, vel_adata *ad, const char *key, const double *alpha, bool extrapolate,
                             vel_curve_table *table) {
    int64_t n_vars = vel_n_vars(ad);
    *table = (vel_curve_table){.extrapolate = extrapolate, .points = extrapolate ? VEL_CURVE_POINTS : vel_n_obs(ad)};
    VEL_TRY(VEL_ALLOC(ctx, table->column, n_vars));
    for (int64_t g = 0; g < n_vars; g++) table->column[g] = isnan(alpha[g]) ? -1 : table->width++;
    char path[128];
    snprintf(path, sizeof path, "uns/%s_curves", key);
    VEL_TRY(vel_drop(ctx, ad, path));
    VEL_TRY(put_genes(ctx, ad, key, table));
    for (int k = 0; k < VEL_CURVE_COLUMNS; k++) {
        vel_field *f;
        snprintf(path, sizeof path, "uns/%s_curves/%s", key, arrays[k]);
        VEL_TRY(vel_put_dense(ctx, ad, path, VEL_F64, vel_matrix(table->points, table->width), &f));
        table->data[k] = f->data;
    }
    return VEL_OK;
}

static double last_of(const double *t, int64_t n) {
    double last = n ? t[0] : 0;
    for (int64_t c = 1; c < n; c++)
        if (t[c] > last) last = t[c];
    return last;
}

vel_err vel_curve_table_fill(vel_ctx *ctx, const vel_curve_table *table, int64_t g, const vel_curve *curve, int64_t n,
                             const double *t) {
    int64_t at = table->column[g], points = table->points;
    if (at < 0) return VEL_OK;
    double *x[VEL_CURVE_COLUMNS];
    for (int k = 0; k < VEL_CURVE_COLUMNS; k++) VEL_TRY(VEL_ALLOC(ctx, x[k], points));
    if (table->extrapolate) {
        vel_curve_times(curve->switch_at, last_of(t, n), x[0]);
    } else {
        memcpy(x[0], t, (size_t)n * sizeof *t);
        vel_sort_f64(x[0], n);
    }
    vel_curve_at(curve, points, x[0], x[1], x[2], x[3]);
    for (int k = 0; k < VEL_CURVE_COLUMNS; k++)
        for (int64_t p = 0; p < points; p++) table->data[k][p * table->width + at] = x[k][p];
    return VEL_OK;
}
