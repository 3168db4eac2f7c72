#include "pipelines/layers.h"

#include <math.h>
#include <string.h>

#include "core/text.h"

vel_err vel_number_or(vel_ctx *ctx, const char *option, const vel_value *v, double otherwise, double *x) {
    *x = otherwise;
    if (vel_is_none(v)) return VEL_OK;
    if (!vel_is_number(v)) return vel_fail(ctx, VEL_EUSAGE, "option %s takes a number, or none", option);
    *x = v->real;
    return VEL_OK;
}

bool vel_is_integer(vel_type t) { return t >= VEL_BOOL && t <= VEL_U64; }

vel_counts vel_counts_of(const vel_field *f) {
    bool sparse = f->kind == VEL_SPARSE;
    return (vel_counts){f->rows,
                        f->cols,
                        f->type,
                        f->data,
                        sparse ? f->indptr : NULL,
                        sparse ? f->indices : NULL,
                        !sparse && f->gene_major};
}

vel_err vel_get_counts(vel_ctx *ctx, vel_adata *ad, const char *path, vel_counts *m) {
    const vel_field *f;
    VEL_TRY(vel_get_matrix(ctx, ad, path, &f));
    *m = vel_counts_of(f);
    return VEL_OK;
}

/* Integers as float32, in the memory that they have. */
static void narrow(vel_field *f) {
    int64_t n = f->kind == VEL_SPARSE ? f->indptr[f->rows] : f->rows * f->cols;
    char *bytes = f->data;
    for (int64_t e = 0; e < n && f->type == VEL_F64; e++) {
        double wide;
        memcpy(&wide, bytes + 8 * e, sizeof wide);
        float value = (float)wide;
        memcpy(bytes + 4 * e, &value, sizeof value);
    }
    f->type = f->origin = VEL_F32;
}

vel_err vel_edit_counts(vel_ctx *ctx, vel_adata *ad, const char *path, vel_counts *m, void **values) {
    const vel_field *found;
    vel_field *f;
    VEL_TRY(vel_get_matrix(ctx, ad, path, &found));
    VEL_TRY(vel_edit(ctx, ad, path, &f));
    if (vel_is_integer(f->origin)) {
        vel_say(ctx, VEL_INFO, "%s is %s: converted to float32", path, vel_type_name(f->origin));
        narrow(f);
    }
    *m = vel_counts_of(f);
    *values = f->data;
    return VEL_OK;
}

vel_err vel_check_not_empty(vel_ctx *ctx, const vel_adata *ad) {
    if (vel_n_obs(ad) == 0) return vel_fail(ctx, VEL_ESHAPE, "%s has no cells", vel_adata_name(ad));
    if (vel_n_vars(ad) == 0) return vel_fail(ctx, VEL_ESHAPE, "%s has no genes", vel_adata_name(ad));
    return VEL_OK;
}

vel_err vel_check_counts(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m) {
    vel_bad_count bad;
    char **cells, **genes;
    VEL_TRY(vel_counts_bad(ctx, m, &bad));
    if (bad.row < 0) return VEL_OK;
    VEL_TRY(vel_obs_names(ctx, ad, &cells));
    VEL_TRY(vel_var_names(ctx, ad, &genes));
    const char *gene = genes[bad.col], *cell = cells[bad.row];
    if (!isfinite(bad.value))
        return vel_fail(ctx, VEL_EVALUE, "%s of %s is %g for gene %s in cell %s: not a count", path, vel_adata_name(ad),
                        bad.value, gene, cell);
    vel_say(ctx, VEL_WARN, "%s is %g for gene %s in cell %s: negative values are no counts", path, bad.value, gene,
            cell);
    return VEL_OK;
}

vel_err vel_put_sizes(vel_ctx *ctx, vel_adata *ad, const char *column, const char *matrix) {
    const vel_field *f;
    vel_field *to;
    void *sizes;
    VEL_TRY(vel_get_matrix(ctx, ad, matrix, &f));
    vel_counts m = vel_counts_of(f);
    bool whole = vel_is_integer(f->origin);
    int64_t n = m.rows;
    sizes = vel_arena_alloc(ctx->scratch, (size_t)n, sizeof(double));
    if (!sizes) return vel_no_memory(ctx, (size_t)n, sizeof(double));
    VEL_TRY(vel_counts_sizes(ctx, &m, sizes));
    VEL_TRY(vel_put_dense(ctx, ad, column, whole ? VEL_I64 : m.type, 1, n, 1, &to));
    for (int64_t i = 0; i < n; i++) {
        double size = m.type == VEL_F32 ? (double)((float *)sizes)[i] : ((double *)sizes)[i];
        if (whole)
            ((int64_t *)to->data)[i] = (int64_t)size;
        else if (m.type == VEL_F32)
            ((float *)to->data)[i] = (float)size;
        else
            ((double *)to->data)[i] = size;
    }
    return VEL_OK;
}

vel_err vel_set_initial_sizes(vel_ctx *ctx, vel_adata *ad) {
    static const char *const pairs[][2] = {{"layers/unspliced", "obs/initial_size_unspliced"},
                                           {"layers/spliced", "obs/initial_size_spliced"},
                                           {"X", "obs/initial_size"}};
    for (int i = 0; i < 3; i++)
        if (vel_has(ad, pairs[i][0]) && !vel_has(ad, pairs[i][1]))
            VEL_TRY(vel_put_sizes(ctx, ad, pairs[i][1], pairs[i][0]));
    return VEL_OK;
}
