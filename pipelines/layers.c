#include "pipelines/layers.h"

#include <math.h>
#include <string.h>

#include "core/field.h"
#include "core/pages.h"
#include "core/text.h"

double vel_number_or(const vel_value *v, double otherwise) { return vel_is_number(v) ? v->real : otherwise; }

bool vel_is_integer(vel_type t) { return t >= VEL_BOOL && t <= VEL_U64; }

vel_counts vel_counts_of(const vel_field *f) {
    bool sparse = f->kind == VEL_SPARSE;
    return (vel_counts){f->rows,
                        f->cols,
                        f->type,
                        f->data,
                        sparse ? f->indptr : NULL,
                        sparse ? f->indices : NULL,
                        !sparse && f->gene_major,
                        false};
}

vel_err vel_get_counts(vel_ctx *ctx, vel_adata *ad, const char *path, vel_counts *m) {
    const vel_field *f;
    VEL_TRY(vel_get_matrix(ctx, ad, path, &f));
    *m = vel_counts_of(f);
    m->by_columns = m->indptr && !strcmp(vel_entry_of(ad, path).encoding, "csc_matrix");
    return VEL_OK;
}

/* Integers as float32, in the first half of the memory that they have; the second goes. */
static void narrow(vel_field *f) {
    int64_t n = f->kind == VEL_SPARSE ? f->indptr[f->rows] : f->rows * f->cols;
    char *bytes = f->data;
    if (f->type != VEL_F64) {
        f->origin = f->type;
        return;
    }
    for (int64_t e = 0; e < n; e++) {
        double wide;
        memcpy(&wide, bytes + 8 * e, sizeof wide);
        float value = (float)wide;
        memcpy(bytes + 4 * e, &value, sizeof value);
    }
    if (f->spill)
        vel_field_rest(f, n / 2, n - n / 2);
    else
        vel_pages_give_back(bytes + 4 * n, (size_t)(4 * n));
    f->type = f->origin = VEL_F32;
}

vel_err vel_edit_counts(vel_ctx *ctx, vel_adata *ad, const char *path, vel_counts *m, void **values) {
    const vel_field *found;
    vel_field *f;
    VEL_TRY(vel_get_matrix(ctx, ad, path, &found));
    bool by_columns = found->kind == VEL_SPARSE && !strcmp(vel_entry_of(ad, path).encoding, "csc_matrix");
    VEL_TRY(vel_edit(ctx, ad, path, &f));
    if (vel_is_integer(f->origin)) {
        vel_say(ctx, VEL_INFO, "%s is %s: converted to float32", path, vel_type_name(f->origin));
        narrow(f);
    }
    *m = vel_counts_of(f);
    m->by_columns = by_columns;
    *values = f->data;
    return VEL_OK;
}

vel_err vel_check_not_empty(vel_ctx *ctx, const vel_adata *ad) {
    if (vel_n_obs(ad) == 0) return vel_fail(ctx, VEL_ESHAPE, "%s has no cells", vel_adata_name(ad));
    if (vel_n_vars(ad) == 0) return vel_fail(ctx, VEL_ESHAPE, "%s has no genes", vel_adata_name(ad));
    return VEL_OK;
}

static vel_err names_of(vel_ctx *ctx, vel_adata *ad, const vel_flawed *bad, const char **gene, const char **cell) {
    char **cells, **genes;
    VEL_TRY(vel_obs_names(ctx, ad, &cells));
    VEL_TRY(vel_var_names(ctx, ad, &genes));
    *gene = genes[bad->col];
    *cell = cells[bad->row];
    return VEL_OK;
}

/* What is free of one flaw is free of these as well. */
static unsigned implied(vel_flaw flaw) {
    const unsigned finite = 1u << VEL_NOT_FINITE;
    return flaw == VEL_NOT_RAW ? 1u << VEL_NOT_COUNT | 1u << VEL_NOT_WHOLE | 1u << VEL_NOT_RAW | finite
                               : 1u << flaw | finite;
}

/* Most matrices are raw counts, or a fraction is among their first values: so both flaws of counts are looked for at
 * once. */
vel_err vel_find_flaw(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m, vel_flaw flaw,
                      vel_flawed *found) {
    *found = (vel_flawed){-1, -1, 0};
    if (vel_known_free_of(ad, path) & 1u << flaw) return VEL_OK;
    if (flaw != VEL_NOT_FINITE) {
        VEL_TRY(vel_counts_find(ctx, m, VEL_NOT_RAW, found));
        if (found->row < 0) flaw = VEL_NOT_RAW;
    }
    if (flaw != VEL_NOT_RAW) VEL_TRY(vel_counts_find(ctx, m, flaw, found));
    if (found->row < 0) vel_note_free_of(ad, path, implied(flaw));
    return VEL_OK;
}

vel_err vel_check_finite(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m) {
    vel_flawed bad;
    const char *gene, *cell;
    VEL_TRY(vel_find_flaw(ctx, ad, path, m, VEL_NOT_FINITE, &bad));
    if (bad.row < 0) return VEL_OK;
    VEL_TRY(names_of(ctx, ad, &bad, &gene, &cell));
    return vel_fail(ctx, VEL_EVALUE, "%s of %s is %g for gene %s in cell %s", path, vel_adata_name(ad), bad.value, gene,
                    cell);
}

/* keep[g] = 0 for the genes of a matrix with values that are no numbers; other values with the flaw are told. */
static vel_err mark_bad(vel_ctx *ctx, vel_adata *ad, const char *path, vel_flaw flaw, uint8_t *keep) {
    vel_counts m;
    vel_flawed bad;
    uint8_t *genes;
    const char *gene, *cell;
    VEL_TRY(vel_get_counts(ctx, ad, path, &m));
    VEL_TRY(vel_find_flaw(ctx, ad, path, &m, flaw, &bad));
    if (bad.row < 0) return VEL_OK;
    VEL_TRY(names_of(ctx, ad, &bad, &gene, &cell));
    VEL_TRY(VEL_ALLOC(ctx, genes, m.cols));
    vel_counts_not_finite(&m, genes);
    int64_t dropped = 0;
    for (int64_t g = 0; g < m.cols; g++) {
        dropped += genes[g];
        keep[g] &= !genes[g];
    }
    if (dropped)
        vel_say(ctx, VEL_WARN,
                "%s has values that are no numbers in %lld genes, which are taken out (%g for gene %s in "
                "cell %s is the first bad value)",
                path, (long long)dropped, isnan(bad.value) ? NAN : bad.value, gene, cell);
    else
        vel_say(ctx, VEL_WARN, "%s has negative values, which are no counts (%g for gene %s in cell %s)", path,
                bad.value, gene, cell);
    return VEL_OK;
}

static vel_err drop_genes(vel_ctx *ctx, vel_adata *ad, const char *const *paths, int n_paths, vel_flaw flaw) {
    int64_t n = vel_n_vars(ad), kept = 0;
    uint8_t *keep;
    VEL_TRY(VEL_ALLOC(ctx, keep, n));
    memset(keep, 1, (size_t)n);
    for (int i = 0; i < n_paths; i++)
        if (vel_has(ad, paths[i])) {
            VEL_TRY(mark_bad(ctx, ad, paths[i], flaw, keep));
            vel_adata_rest(ad);
        }
    for (int64_t g = 0; g < n; g++) kept += keep[g];
    if (kept == 0)
        return vel_fail(ctx, VEL_ENONE, "no gene of %s is free of values that are no numbers", vel_adata_name(ad));
    return kept == n ? VEL_OK : vel_keep_vars(ctx, ad, keep);
}

vel_err vel_drop_bad_genes(vel_ctx *ctx, vel_adata *ad) {
    static const char *const paths[] = {"X", "layers/spliced", "layers/unspliced"};
    return drop_genes(ctx, ad, paths, 3, VEL_NOT_COUNT);
}

vel_err vel_drop_not_finite(vel_ctx *ctx, vel_adata *ad, const char *path) {
    return drop_genes(ctx, ad, &path, 1, VEL_NOT_FINITE);
}

static vel_err copy_sparse(vel_ctx *ctx, vel_adata *ad, const vel_field *from) {
    vel_field *to;
    int64_t stored = from->indptr[from->rows];
    VEL_TRY(vel_put_sparse(ctx, ad, "X", from->type, vel_matrix(from->rows, from->cols), stored, &to));
    memcpy(to->indptr, from->indptr, (size_t)(from->rows + 1) * sizeof *to->indptr);
    memcpy(to->indices, from->indices, (size_t)stored * sizeof *to->indices);
    memcpy(to->data, from->data, (size_t)stored * vel_type_size(from->type));
    to->origin = from->origin;
    return VEL_OK;
}

vel_err vel_need_x(vel_ctx *ctx, vel_adata *ad, vel_counts *m) {
    const vel_field *spliced;
    vel_field *x;
    if (vel_has(ad, "X")) return vel_get_counts(ctx, ad, "X", m);
    if (!vel_has(ad, "layers/spliced"))
        return vel_fail(ctx, VEL_EKEY, "%s has neither X nor layers/spliced", vel_adata_name(ad));
    vel_say(ctx, VEL_WARN, "%s has no X: it is made from layers/spliced", vel_adata_name(ad));
    VEL_TRY(vel_get_matrix(ctx, ad, "layers/spliced", &spliced));
    if (spliced->kind == VEL_SPARSE) {
        VEL_TRY(copy_sparse(ctx, ad, spliced));
    } else {
        VEL_TRY(vel_put_dense(ctx, ad, "X", spliced->type, vel_matrix(spliced->rows, spliced->cols), &x));
        memcpy(x->data, spliced->data, (size_t)(x->rows * x->cols) * vel_type_size(x->type));
        x->origin = spliced->origin;
    }
    return vel_get_counts(ctx, ad, "X", m);
}

/* The sums of integers are integers, 64 bits wide. */
static vel_type size_type(vel_type origin, vel_type type) {
    if (!vel_is_integer(origin)) return type;
    return origin >= VEL_U8 ? VEL_U64 : VEL_I64;
}

static vel_err put_sizes_of(vel_ctx *ctx, vel_adata *ad, const char *column, const vel_counts *m, const void *sizes,
                            vel_type type) {
    vel_field *to;
    VEL_TRY(vel_put_dense(ctx, ad, column, type, vel_vector(m->rows), &to));
    for (int64_t i = 0; i < m->rows; i++) {
        double size = vel_real_at(m->type, sizes, i);
        if (type == VEL_F32)
            ((float *)to->data)[i] = (float)size;
        else if (type == VEL_F64)
            ((double *)to->data)[i] = size;
        else
            ((int64_t *)to->data)[i] = (int64_t)size; /* the same bytes if unsigned: a size of counts is not negative */
    }
    return VEL_OK;
}

vel_err vel_new_sizes(vel_ctx *ctx, const vel_counts *m, void **sizes) {
    const size_t n = (size_t)m->rows, size = vel_type_size(m->type);
    *sizes = vel_arena_alloc(ctx->scratch, n, size);
    return *sizes ? VEL_OK : vel_no_memory(ctx, n, size);
}

vel_err vel_survey(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m, void **sizes) {
    bool raw;
    VEL_TRY(vel_new_sizes(ctx, m, sizes));
    VEL_TRY(vel_counts_survey(ctx, m, *sizes, &raw));
    if (raw) vel_note_free_of(ad, path, implied(VEL_NOT_RAW));
    return VEL_OK;
}

vel_err vel_put_sizes(vel_ctx *ctx, vel_adata *ad, const char *column, const char *matrix, bool by_columns) {
    const vel_field *f;
    vel_counts m;
    void *sizes;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(vel_get_matrix(ctx, ad, matrix, &f));
    VEL_TRY(vel_get_counts(ctx, ad, matrix, &m));
    m.by_columns |= by_columns;
    VEL_TRY(vel_survey(ctx, ad, matrix, &m, &sizes));
    VEL_TRY(put_sizes_of(ctx, ad, column, &m, sizes, size_type(f->origin, m.type)));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

enum { SIZED = 3 };

static const char *const sized[SIZED][2] = {{"layers/unspliced", "obs/initial_size_unspliced"},
                                            {"layers/spliced", "obs/initial_size_spliced"},
                                            {"X", "obs/initial_size"}};

vel_err vel_set_initial_sizes(vel_ctx *ctx, vel_adata *ad) {
    for (int i = 0; i < SIZED; i++)
        if (vel_has(ad, sized[i][0]) && !vel_has(ad, sized[i][1])) {
            VEL_TRY(vel_put_sizes(ctx, ad, sized[i][1], sized[i][0], false));
            vel_adata_rest(ad);
        }
    return VEL_OK;
}

vel_err vel_set_sound_sizes(vel_ctx *ctx, vel_adata *ad) {
    const int64_t n = vel_n_vars(ad);
    bool had[SIZED];
    for (int i = 0; i < SIZED; i++) had[i] = vel_has(ad, sized[i][1]);
    VEL_TRY(vel_set_initial_sizes(ctx, ad));
    VEL_TRY(vel_drop_bad_genes(ctx, ad));
    if (vel_n_vars(ad) == n) return VEL_OK;
    for (int i = 0; i < SIZED; i++)
        if (!had[i]) VEL_TRY(vel_drop(ctx, ad, sized[i][1]));
    return vel_set_initial_sizes(ctx, ad);
}
