#include "core/field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/pages.h"

/* calloc would touch the first page of a large array, which then stays a small one, and 511 after it. */
static void *zeroed(size_t bytes) {
    if (bytes < VEL_LARGE_PAGE) return calloc(1, bytes);
    void *p = aligned_alloc(VEL_LARGE_PAGE, vel_pages_room(bytes));
    if (p) vel_pages_clear(p, bytes);
    return p;
}

vel_err vel_own(vel_ctx *ctx, int64_t n, size_t size, void *ptr) {
    void *p = NULL;
    if (n >= 0 && (uint64_t)n <= (SIZE_MAX / 2) / (size ? size : 1)) p = zeroed(n ? (size_t)n * size : size);
    memcpy(ptr, &p, sizeof p);
    return p ? VEL_OK : vel_no_memory(ctx, (size_t)n, size);
}

/* The arrays that may be large come from the field's spill, if it has one. */
static vel_err own_large(vel_ctx *ctx, const vel_field *f, int64_t n, size_t size, void *ptr) {
    if (!f->spill) return vel_own(ctx, n, size, ptr);
    void *p = NULL;
    errno = ENOMEM;
    if ((uint64_t)n <= (SIZE_MAX / 2) / size) p = f->spill->take(f->spill->self, (size_t)n * size);
    memcpy(ptr, &p, sizeof p);
    if (p) return VEL_OK;
    const char *folder = f->spill->folder;
    return vel_fail(ctx, VEL_ENOMEM, "the scratch file%s%s cannot take %lld elements of %zu bytes (%s)",
                    folder ? " in " : "", folder ? folder : "", (long long)n, size, strerror(errno));
}

static void free_large(const vel_field *f, void *p) {
    if (f->spill && p)
        f->spill->give(f->spill->self, p);
    else
        free(p);
}

static const vel_spill *spill_for(const vel_ctx *ctx, int64_t n, size_t size) {
    return ctx->spill && (size_t)n >= ctx->spill->least / size ? ctx->spill : NULL;
}

void vel_field_want(const vel_field *f, int64_t from, int64_t n) {
    if (!f->spill || !f->spill->want || n <= 0) return;
    size_t size = vel_type_size(f->type), isize = sizeof *f->indices;
    f->spill->want(f->data, (size_t)from * size, (size_t)n * size);
    if (f->indices) f->spill->want(f->indices, (size_t)from * isize, (size_t)n * isize);
}

void vel_field_rest(const vel_field *f, int64_t from, int64_t n) {
    if (!f->spill || n <= 0) return;
    size_t size = vel_type_size(f->type), isize = sizeof *f->indices;
    f->spill->rest(f->data, (size_t)from * size, (size_t)n * size);
    if (f->indices) f->spill->rest(f->indices, (size_t)from * isize, (size_t)n * isize);
}

void vel_field_free(vel_field *f) {
    for (int64_t i = 0; f->columns && i < f->n_columns; i++) vel_field_free(&f->columns[i]);
    free(f->columns);
    free(f->names);
    free_large(f, f->data);
    free(f->indptr);
    free_large(f, f->indices);
    free(f->texts);
    free(f->codes);
    free(f->mask);
    *f = (vel_field){.kind = VEL_ABSENT};
}

static vel_err whole(vel_field *f, vel_err e) {
    if (e) vel_field_free(f);
    return e;
}

vel_err vel_field_dense(vel_ctx *ctx, vel_type type, vel_extent extent, vel_field *f) {
    int64_t n, rows = extent.rows, cols = extent.cols;
    *f = (vel_field){.kind = VEL_DENSE, .type = type, .origin = type, .ndim = extent.ndim, .rows = rows, .cols = cols};
    if (rows < 0 || cols < 0 || __builtin_mul_overflow(rows, cols, &n))
        return whole(f, vel_no_memory(ctx, SIZE_MAX, vel_type_size(type)));
    if (extent.ndim == 2) f->spill = spill_for(ctx, n, vel_type_size(type));
    return whole(f, own_large(ctx, f, n, vel_type_size(type), &f->data));
}

vel_err vel_field_sparse(vel_ctx *ctx, vel_type type, vel_extent extent, int64_t stored, vel_field *f) {
    int64_t rows = extent.rows;
    *f = (vel_field){.kind = VEL_SPARSE, .type = type, .origin = type, .ndim = 2, .rows = rows, .cols = extent.cols};
    f->spill = spill_for(ctx, stored, vel_type_size(type));
    vel_err e = vel_own(ctx, rows + 1, sizeof *f->indptr, &f->indptr);
    if (!e) e = own_large(ctx, f, stored, sizeof *f->indices, &f->indices);
    if (!e) e = own_large(ctx, f, stored, vel_type_size(type), &f->data);
    return whole(f, e);
}

vel_err vel_pack_texts(vel_ctx *ctx, const char *const *texts, int64_t n, char ***packed) {
    size_t bytes = (size_t)n * sizeof **packed;
    for (int64_t i = 0; i < n; i++) bytes += texts[i] ? strlen(texts[i]) + 1 : 0;
    char **out = malloc(bytes ? bytes : 1);
    *packed = out;
    if (!out) return vel_no_memory(ctx, bytes, 1);
    char *p = (char *)(out + n);
    for (int64_t i = 0; i < n; i++) {
        size_t length = texts[i] ? strlen(texts[i]) + 1 : 0;
        out[i] = texts[i] ? memcpy(p, texts[i], length) : NULL;
        p += length;
    }
    return VEL_OK;
}

vel_err vel_field_texts(vel_ctx *ctx, const char *const *texts, int64_t n, vel_field *f) {
    *f = (vel_field){.kind = VEL_TEXTS, .ndim = n < 0 ? 0 : 1, .rows = n < 0 ? 1 : n, .cols = 1};
    return whole(f, vel_pack_texts(ctx, texts, f->rows, &f->texts));
}

vel_err vel_field_categorical(vel_ctx *ctx, int64_t n, const char *const *categories, int64_t n_categories,
                              vel_field *f) {
    *f = (vel_field){.kind = VEL_CATEGORICAL, .ndim = 1, .rows = n, .cols = 1, .n_categories = n_categories};
    vel_err e = vel_own(ctx, n, sizeof *f->codes, &f->codes);
    if (!e) e = vel_pack_texts(ctx, categories, n_categories, &f->texts);
    return whole(f, e);
}

/* ---- canonical rows */

typedef struct {
    int32_t column;
    double value; /* holds a float exactly */
    int64_t order;
} term;

static int by_column(const void *pa, const void *pb) {
    const term *a = pa, *b = pb;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static bool is_ascending(const int32_t *indices, int64_t n) {
    for (int64_t e = 1; e < n; e++)
        if (indices[e] <= indices[e - 1]) return false;
    return true;
}

static double value_at(const vel_field *f, int64_t e) { return vel_real_at(f->type, f->data, e); }

static void store_at(vel_field *f, int64_t e, double value) {
    if (f->type == VEL_F32)
        ((float *)f->data)[e] = (float)value;
    else
        ((double *)f->data)[e] = value;
}

/* Sorts one row and writes it at `to`; returns the end. */
static int64_t canonical_row(vel_field *f, int64_t begin, int64_t end, int64_t to, term *terms) {
    int64_t n = end - begin;
    for (int64_t e = 0; e < n; e++) terms[e] = (term){f->indices[begin + e], value_at(f, begin + e), e};
    qsort(terms, (size_t)n, sizeof *terms, by_column);
    for (int64_t e = 0; e < n; e++) {
        bool again = e > 0 && terms[e].column == terms[e - 1].column;
        if (!again) {
            f->indices[to] = terms[e].column;
            store_at(f, to++, terms[e].value);
        } else if (f->type == VEL_F32) {
            store_at(f, to - 1, (double)((float)value_at(f, to - 1) + (float)terms[e].value));
        } else {
            store_at(f, to - 1, value_at(f, to - 1) + terms[e].value);
        }
    }
    return to;
}

vel_err vel_field_canonical(vel_ctx *ctx, vel_field *f) {
    int64_t longest = 0;
    bool canonical = true;
    for (int64_t i = 0; i < f->rows; i++) {
        int64_t n = f->indptr[i + 1] - f->indptr[i];
        canonical = canonical && is_ascending(f->indices + f->indptr[i], n);
        if (n > longest) longest = n;
    }
    if (canonical) return VEL_OK;
    term *terms;
    VEL_TRY(VEL_ALLOC(ctx, terms, longest));
    int64_t to = 0, begin = 0;
    for (int64_t i = 0; i < f->rows; i++) {
        int64_t end = f->indptr[i + 1];
        to = canonical_row(f, begin, end, to, terms);
        f->indptr[i + 1] = to;
        begin = end;
    }
    return VEL_OK;
}

double vel_field_real(const vel_field *f, int64_t i) {
    switch (f->type) {
        case VEL_BOOL:
            return ((const uint8_t *)f->data)[i] != 0;
        case VEL_I8:
            return ((const int8_t *)f->data)[i];
        case VEL_I16:
            return ((const int16_t *)f->data)[i];
        case VEL_I32:
            return ((const int32_t *)f->data)[i];
        case VEL_I64:
            return (double)((const int64_t *)f->data)[i];
        case VEL_U8:
            return ((const uint8_t *)f->data)[i];
        case VEL_U16:
            return ((const uint16_t *)f->data)[i];
        case VEL_U32:
            return ((const uint32_t *)f->data)[i];
        case VEL_U64:
            return (double)((const uint64_t *)f->data)[i];
        case VEL_F32:
            return (double)((const float *)f->data)[i];
        case VEL_F64:
            return ((const double *)f->data)[i];
        default:
            return 0;
    }
}
