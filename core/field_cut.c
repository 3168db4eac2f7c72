/* Cutting fields, in place. */
#include <stdlib.h>
#include <string.h>

#include "core/field.h"

static int64_t count_kept(const uint8_t *keep, int64_t n) {
    if (!keep) return n;
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) k += keep[i] != 0;
    return k;
}

/* Keeps items of size bytes in place; to may overlap from, from below. */
static void *keep_items(char *to, const char *from, size_t size, const uint8_t *keep, int64_t n) {
    if (!keep) {
        memmove(to, from, (size_t)n * size);
        return to + (size_t)n * size;
    }
    for (int64_t i = 0; i < n; i++) {
        if (!keep[i]) continue;
        memmove(to, from + (size_t)i * size, size);
        to += size;
    }
    return to;
}

static void shrink(void *ptr, size_t bytes) {
    void *old, *p;
    memcpy(&old, ptr, sizeof old);
    p = old ? realloc(old, bytes ? bytes : 1) : NULL;
    if (p) memcpy(ptr, &p, sizeof p);
}

/* The same by places. */
static void *keep_placed(char *to, const char *from, size_t size, const int32_t *places, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (places[i] < 0) continue;
        memmove(to, from + (size_t)i * size, size);
        to += size;
    }
    return to;
}

/* Bytes of a spilled array that are cut before they rest. */
enum { CUT_AT_ONCE = 1 << 20 };

/* What lies from `from` to `to`, bytes of a spilled array, has been gone through. */
static void rest_behind(const vel_field *f, size_t *from, size_t to) {
    if (!f->spill || to - *from < CUT_AT_ONCE) return;
    f->spill->rest(f->data, *from, to - *from);
    *from = to;
}

static void cut_dense(vel_field *f, const uint8_t *keep_rows, const int32_t *places) {
    size_t size = vel_type_size(f->type);
    int64_t outer = f->gene_major ? f->cols : f->rows, inner = f->gene_major ? f->rows : f->cols;
    char *from = f->data, *to = f->data;
    size_t read = 0, kept = 0;
    for (int64_t i = 0; i < outer; i++, from += (size_t)inner * size) {
        rest_behind(f, &read, (size_t)(from - (char *)f->data));
        rest_behind(f, &kept, (size_t)(to - (char *)f->data));
        if (f->gene_major ? places && places[i] < 0 : keep_rows && !keep_rows[i]) continue;
        to = places && !f->gene_major ? keep_placed(to, from, size, places, inner)
                                      : keep_items(to, from, size, f->gene_major ? keep_rows : NULL, inner);
    }
    if (!f->spill) shrink(&f->data, (size_t)(to - (char *)f->data));
}

/* Entries [begin, end) to the place `kept`; returns the first place after them. Without branches: an entry that goes
 * away is written over by the next. */
#define KEEP_ENTRIES(name, value)                                                                        \
    static int64_t name(vel_field *f, int64_t begin, int64_t end, const int32_t *places, int64_t kept) { \
        value *data = f->data;                                                                           \
        int32_t *indices = f->indices;                                                                   \
        for (int64_t e = begin; e < end; e++) {                                                          \
            int32_t place = places[indices[e]];                                                          \
            indices[kept] = place;                                                                       \
            data[kept] = data[e];                                                                        \
            kept += place >= 0;                                                                          \
        }                                                                                                \
        return kept;                                                                                     \
    }
KEEP_ENTRIES(keep_entries_f32, float)
KEEP_ENTRIES(keep_entries_f64, double)

static int64_t keep_row(vel_field *f, int64_t begin, int64_t end, const int32_t *places, int64_t kept) {
    size_t size = vel_type_size(f->type);
    if (places) return (f->type == VEL_F32 ? keep_entries_f32 : keep_entries_f64)(f, begin, end, places, kept);
    memmove(f->indices + kept, f->indices + begin, (size_t)(end - begin) * sizeof *f->indices);
    memmove((char *)f->data + (size_t)kept * size, (char *)f->data + (size_t)begin * size,
            (size_t)(end - begin) * size);
    return kept + end - begin;
}

static void cut_sparse(vel_field *f, const uint8_t *keep_rows, const int32_t *places) {
    int64_t kept = 0, row = 0, begin = f->indptr[0];
    for (int64_t i = 0; i < f->rows; i++) {
        int64_t end = f->indptr[i + 1];
        if (!keep_rows || keep_rows[i]) {
            kept = keep_row(f, begin, end, places, kept);
            f->indptr[++row] = kept;
        }
        begin = end;
    }
    shrink(&f->indptr, (size_t)(row + 1) * sizeof *f->indptr);
    if (f->spill) return;
    shrink(&f->indices, (size_t)kept * sizeof *f->indices);
    shrink(&f->data, (size_t)kept * vel_type_size(f->type));
}

void vel_field_places(const uint8_t *keep, int64_t n, int32_t *places) {
    int32_t place = 0;
    for (int64_t i = 0; i < n; i++) places[i] = keep[i] ? place++ : -1;
}

static int64_t count_placed(const int32_t *places, int64_t n) {
    if (!places) return n;
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) k += places[i] >= 0;
    return k;
}

void vel_field_cut(vel_field *f, const uint8_t *keep_rows, const int32_t *places) {
    if (f->kind == VEL_DENSE) cut_dense(f, keep_rows, f->ndim == 2 ? places : NULL);
    if (f->kind == VEL_SPARSE) cut_sparse(f, keep_rows, places);
    if (f->kind == VEL_TEXTS) keep_items((char *)f->texts, (char *)f->texts, sizeof *f->texts, keep_rows, f->rows);
    if (f->codes) keep_items((char *)f->codes, (char *)f->codes, sizeof *f->codes, keep_rows, f->rows);
    if (f->mask) keep_items((char *)f->mask, (char *)f->mask, sizeof *f->mask, keep_rows, f->rows);
    for (int64_t i = 0; i < f->n_columns; i++) vel_field_cut(&f->columns[i], keep_rows, NULL);
    f->rows = count_kept(keep_rows, f->rows);
    if (f->ndim == 2) f->cols = count_placed(places, f->cols);
}
