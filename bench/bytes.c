#include "bench/bytes.h"

#include <string.h>

static int64_t text_bytes(char *const *texts, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) sum += texts[i] ? (int64_t)strlen(texts[i]) : 0;
    return sum;
}

int64_t bench_field_bytes(const vel_field *f) {
    int64_t sum = 0;
    switch (f->kind) {
        case VEL_DENSE:
            return f->rows * f->cols * (int64_t)vel_type_size(f->type);
        case VEL_SPARSE:
            return f->indptr[f->rows] * (int64_t)(vel_type_size(f->type) + sizeof *f->indices) +
                   (f->rows + 1) * (int64_t)sizeof *f->indptr;
        case VEL_TEXTS:
            return text_bytes(f->texts, f->rows);
        case VEL_CATEGORICAL:
            return f->rows * (int64_t)sizeof *f->codes + text_bytes(f->texts, f->n_categories);
        case VEL_RECORDS:
            for (int64_t i = 0; i < f->n_columns; i++) sum += bench_field_bytes(&f->columns[i]);
            return sum;
        default:
            return 0;
    }
}

static vel_err add_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *sum) {
    const vel_field *f;
    const vel_kind kind = vel_entry_of(ad, path).kind;
    if (kind == VEL_ABSENT || kind == VEL_DICT || kind == VEL_OTHER) return VEL_OK;
    VEL_TRY(vel_get(ctx, ad, path, &f));
    *(int64_t *)sum += bench_field_bytes(f);
    return VEL_OK;
}

static vel_err add_changed(vel_ctx *ctx, vel_adata *ad, const char *path, void *sum) {
    return vel_is_changed(ad, path) ? add_field(ctx, ad, path, sum) : VEL_OK;
}

vel_err bench_all_bytes(vel_ctx *ctx, vel_adata *ad, int64_t *bytes) {
    *bytes = 0;
    return vel_each(ctx, ad, add_field, bytes);
}

vel_err bench_changed_bytes(vel_ctx *ctx, vel_adata *ad, int64_t *bytes) {
    *bytes = 0;
    return vel_each(ctx, ad, add_changed, bytes);
}
