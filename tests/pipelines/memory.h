/* memory.h - a handle whose store is another handle, in memory: what a test file is to a real run. The base is left as
 * it is, so that one base serves many handles. */
#ifndef VEL_TESTS_PIPELINES_MEMORY_H
#define VEL_TESTS_PIPELINES_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "core/field.h"

typedef struct {
    vel_adata *base;
    vel_entry *entries;
    int64_t n_entries;
} memory_store;

static inline vel_err memory_copy_array(vel_ctx *ctx, const void *from, int64_t n, size_t size, void *to) {
    VEL_TRY(vel_own(ctx, n, size, to));
    if (n) memcpy(*(void **)to, from, (size_t)n * size);
    return VEL_OK;
}

static inline vel_err memory_copy(vel_ctx *ctx, const vel_field *f, vel_field *out);

static inline vel_err memory_copy_records(vel_ctx *ctx, const vel_field *f, vel_field *out) {
    *out = (vel_field){.kind = f->kind, .ndim = f->ndim, .rows = f->rows, .cols = f->cols};
    VEL_TRY(vel_pack_texts(ctx, (const char *const *)f->names, f->n_columns, &out->names));
    VEL_TRY(vel_own(ctx, f->n_columns, sizeof *out->columns, &out->columns));
    out->n_columns = f->n_columns;
    for (int64_t i = 0; i < f->n_columns; i++) VEL_TRY(memory_copy(ctx, &f->columns[i], &out->columns[i]));
    return VEL_OK;
}

static inline vel_err memory_copy_as(vel_ctx *ctx, const vel_field *f, vel_field *out) {
    int64_t n = f->rows * f->cols;
    switch (f->kind) {
        case VEL_DENSE:
            VEL_TRY(vel_field_dense(ctx, f->type, (vel_extent){f->ndim, f->rows, f->cols}, out));
            memcpy(out->data, f->data, (size_t)n * vel_type_size(f->type));
            out->gene_major = f->gene_major;
            return f->mask ? memory_copy_array(ctx, f->mask, n, 1, &out->mask) : VEL_OK;
        case VEL_SPARSE:
            n = f->indptr[f->rows];
            VEL_TRY(vel_field_sparse(ctx, f->type, vel_matrix(f->rows, f->cols), n, out));
            memcpy(out->indptr, f->indptr, (size_t)(f->rows + 1) * sizeof *f->indptr);
            memcpy(out->indices, f->indices, (size_t)n * sizeof *f->indices);
            memcpy(out->data, f->data, (size_t)n * vel_type_size(f->type));
            return VEL_OK;
        case VEL_TEXTS:
            return vel_field_texts(ctx, (const char *const *)f->texts, f->ndim ? f->rows : -1, out);
        case VEL_CATEGORICAL:
            VEL_TRY(vel_field_categorical(ctx, f->rows, (const char *const *)f->texts, f->n_categories, out));
            memcpy(out->codes, f->codes, (size_t)f->rows * sizeof *f->codes);
            out->ordered = f->ordered;
            return VEL_OK;
        case VEL_RECORDS:
            return memory_copy_records(ctx, f, out);
        case VEL_DICT:
            *out = (vel_field){.kind = VEL_DICT};
            return VEL_OK;
        case VEL_ABSENT:
        case VEL_OTHER:
            break;
    }
    return vel_fail(ctx, VEL_ETYPE, "a test field has no copy");
}

static inline vel_err memory_copy(vel_ctx *ctx, const vel_field *f, vel_field *out) {
    *out = (vel_field){0};
    vel_err e = memory_copy_as(ctx, f, out);
    if (e) vel_field_free(out);
    if (!e) out->origin = f->origin;
    return e;
}

/* Where the genes or, in a square, the cells go that are cut by the flags; NULL: nowhere, or no memory. */
static inline int32_t *memory_places(const uint8_t *keep, int64_t n) {
    int32_t *places = keep ? malloc(((size_t)n + 1) * sizeof *places) : NULL;
    if (places) vel_field_places(keep, n, places);
    return places;
}

static inline uint8_t *memory_flags(const int64_t *selected, int64_t n_selected, int64_t n) {
    if (!selected) return NULL;
    uint8_t *keep = calloc((size_t)n + 1, 1);
    for (int64_t i = 0; keep && i < n_selected; i++) keep[selected[i]] = 1;
    return keep;
}

static inline vel_err memory_read(vel_ctx *ctx, void *self, const char *path, const vel_selection *sel,
                                  vel_field *out) {
    memory_store *m = self;
    const vel_field *f;
    VEL_TRY(vel_get(ctx, m->base, path, &f));
    VEL_TRY(memory_copy(ctx, f, out));
    uint8_t *obs = memory_flags(sel->obs, sel->n_obs, vel_n_obs(m->base));
    uint8_t *var = memory_flags(sel->var, sel->n_vars, vel_n_vars(m->base));
    bool square = !strncmp(path, "obsp", 4);
    const uint8_t *columns = square ? obs : var;
    int32_t *places = memory_places(columns, square ? vel_n_obs(m->base) : vel_n_vars(m->base));
    vel_err e = VEL_OK;
    if ((sel->obs && !obs) || (sel->var && !var) || (columns && !places)) {
        vel_field_free(out);
        e = vel_no_memory(ctx, 1, 1);
    } else {
        bool of_obs = !strncmp(path, "obs", 3) || !strncmp(path, "layers", 6) || *path == 'X';
        bool genes_by_row = !strncmp(path, "var", 3);
        bool of_genes = !strncmp(path, "layers", 6) || *path == 'X';
        if (strncmp(path, "uns", 3) != 0)
            vel_field_cut(out, of_obs ? obs : genes_by_row ? var : NULL, square || of_genes ? places : NULL);
    }
    free(obs);
    free(var);
    free(places);
    return e;
}

static inline void memory_close(void *self) {
    memory_store *m = self;
    free(m->entries);
    free(m);
}

static inline vel_err memory_note_entry(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    memory_store *m = arg;
    vel_entry *entries = realloc(m->entries, (size_t)(m->n_entries + 1) * sizeof *entries);
    if (!entries) return vel_no_memory(ctx, 1, sizeof *entries);
    m->entries = entries;
    entries[m->n_entries++] = vel_entry_of(ad, path);
    return VEL_OK;
}

/* A fresh handle on the base, nothing read yet. */
static inline vel_err memory_open(vel_ctx *ctx, vel_adata *base, vel_adata **ad) {
    *ad = NULL;
    memory_store *m = calloc(1, sizeof *m);
    if (!m) return vel_no_memory(ctx, 1, sizeof *m);
    m->base = base;
    vel_err e = vel_each(ctx, base, memory_note_entry, m);
    if (e) {
        memory_close(m);
        return e;
    }
    vel_store store = {m,          "memory",     vel_n_obs(base), vel_n_vars(base),
                       m->entries, m->n_entries, memory_read,     memory_close};
    return vel_adata_open(ctx, &store, ad);
}

static inline vel_err memory_touch(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)arg;
    vel_kind kind = vel_entry_of(ad, path).kind;
    const vel_field *f;
    return kind == VEL_DICT || kind == VEL_OTHER ? VEL_OK : vel_get(ctx, ad, path, &f);
}

/* Brings everything of a handle into memory, so that it can be a base. */
static inline vel_err memory_settle(vel_ctx *ctx, vel_adata *ad) { return vel_each(ctx, ad, memory_touch, NULL); }

/* ---- equality, bit for bit */

static inline bool memory_same_texts(char *const *a, char *const *b, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (!a[i] || !b[i]) {
            if (a[i] != b[i]) return false;
        } else if (strcmp(a[i], b[i]) != 0) {
            return false;
        }
    }
    return true;
}

static inline bool memory_same(const vel_field *a, const vel_field *b) {
    if (a->kind != b->kind || a->type != b->type || a->ndim != b->ndim || a->rows != b->rows || a->cols != b->cols)
        return false;
    if (a->n_categories != b->n_categories || a->n_columns != b->n_columns || !a->mask != !b->mask) return false;
    int64_t n = a->rows * a->cols;
    if (a->kind == VEL_SPARSE) {
        n = a->indptr[a->rows];
        if (memcmp(a->indptr, b->indptr, (size_t)(a->rows + 1) * sizeof *a->indptr)) return false;
        if (n && memcmp(a->indices, b->indices, (size_t)n * sizeof *a->indices)) return false;
    }
    if (a->data && n && memcmp(a->data, b->data, (size_t)n * vel_type_size(a->type))) return false;
    if (a->mask && n && memcmp(a->mask, b->mask, (size_t)n)) return false;
    if (a->codes && n && memcmp(a->codes, b->codes, (size_t)n * sizeof *a->codes)) return false;
    if (a->texts && !memory_same_texts(a->texts, b->texts, a->codes ? a->n_categories : a->rows)) return false;
    if (a->names && !memory_same_texts(a->names, b->names, a->n_columns)) return false;
    for (int64_t i = 0; i < a->n_columns; i++)
        if (!memory_same(&a->columns[i], &b->columns[i])) return false;
    return true;
}

#endif
