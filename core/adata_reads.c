/* Which fields came from the store, and a hash of what was in them: the provenance of an output. */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1 /* builds with -Og and sanitizers cannot force inlining */
#include <xxhash.h>

#include "core/adata_impl.h"

struct vel_reads {
    XXH3_state_t state;
};

static void add(struct vel_reads *h, const void *bytes, size_t n) {
    if (n) XXH3_64bits_update(&h->state, bytes, n);
}

static void add_texts(struct vel_reads *h, char *const *texts, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const char *text = texts[i] ? texts[i] : "\xff"; /* in no UTF-8 text */
        add(h, text, strlen(text) + 1);
    }
}

/* An array that may be large, in pieces: a spilled one leaves RAM as it goes by. */
static void add_large(struct vel_reads *h, const vel_field *f, const void *array, size_t size, int64_t n) {
    enum { PIECE = 1 << 20 };
    for (int64_t from = 0; array && from < n; from += PIECE) {
        int64_t count = n - from < PIECE ? n - from : PIECE;
        vel_field_want(f, from, count);
        add(h, (const char *)array + (size_t)from * size, (size_t)count * size);
        vel_field_rest(f, from, count);
    }
}

static void add_field(struct vel_reads *h, const vel_field *f) {
    const int64_t shape[] = {f->kind, f->type, f->origin, f->ndim, f->rows, f->cols, f->n_categories, f->n_columns};
    add(h, shape, sizeof shape);
    int64_t n = f->kind == VEL_SPARSE ? f->indptr[f->rows] : f->rows * f->cols;
    if (f->indptr) add(h, f->indptr, (size_t)(f->rows + 1) * sizeof *f->indptr);
    add_large(h, f, f->indices, sizeof *f->indices, n);
    add_large(h, f, f->data, vel_type_size(f->type), n);
    if (f->texts) add_texts(h, f->texts, f->codes ? f->n_categories : f->rows);
    if (f->codes) add(h, f->codes, (size_t)f->rows * sizeof *f->codes);
    if (f->mask) add(h, f->mask, (size_t)f->rows);
    if (f->names) add_texts(h, f->names, f->n_columns);
    for (int64_t i = 0; i < f->n_columns; i++) add_field(h, &f->columns[i]);
}

static vel_err make_hash(vel_ctx *ctx, vel_adata *ad) {
    ad->hash = aligned_alloc(64, (sizeof *ad->hash + 63) / 64 * 64);
    if (!ad->hash) return vel_no_memory(ctx, 1, sizeof *ad->hash);
    XXH3_64bits_reset(&ad->hash->state);
    return VEL_OK;
}

static vel_err list(vel_ctx *ctx, vel_adata *ad, vel_slot *slot) {
    if (!ad->hash) VEL_TRY(make_hash(ctx, ad));
    if (slot->listed) return VEL_OK;
    const char **reads = realloc(ad->reads, (size_t)(ad->n_reads + 1) * sizeof *reads);
    if (!reads) return vel_no_memory(ctx, (size_t)(ad->n_reads + 1), sizeof *reads);
    ad->reads = reads;
    reads[ad->n_reads++] = slot->path;
    slot->listed = true;
    return VEL_OK;
}

vel_err vel_reads_note(vel_ctx *ctx, vel_adata *ad, vel_slot *slot) {
    if (slot->read) return VEL_OK;
    VEL_TRY(list(ctx, ad, slot));
    add(ad->hash, slot->path, strlen(slot->path) + 1);
    add_field(ad->hash, &slot->field);
    slot->read = true;
    return VEL_OK;
}

vel_err vel_reads_note_part(vel_ctx *ctx, vel_adata *ad, vel_slot *slot, int64_t n_genes) {
    VEL_TRY(list(ctx, ad, slot));
    add(ad->hash, slot->path, strlen(slot->path) + 1);
    add(ad->hash, slot->part_genes, (size_t)n_genes * sizeof *slot->part_genes);
    add_field(ad->hash, &slot->part);
    return VEL_OK;
}

void vel_reads_free(vel_adata *ad) {
    free(ad->reads);
    free(ad->hash);
}

vel_err vel_reads_of(vel_ctx *ctx, const vel_adata *ad, const char *const **paths, int64_t *n, uint64_t *hash) {
    (void)ctx;
    *paths = ad->reads;
    *n = ad->n_reads;
    *hash = ad->hash ? XXH3_64bits_digest(&ad->hash->state) : 0;
    return VEL_OK;
}
