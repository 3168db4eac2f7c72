/* Which fields came from the store, and a hash of what was in them: the provenance of an output. */
#include <stdlib.h>
#include <string.h>

#include "core/adata_impl.h"
#include "core/least.h"
#include "core/xxh3.h"

typedef XXH3_state_t hasher;

static void add(hasher *h, const void *bytes, size_t n) {
    if (n) XXH3_64bits_update(h, bytes, n);
}

static void add_texts(hasher *h, char *const *texts, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const char *text = texts[i] ? texts[i] : "\xff"; /* in no UTF-8 text */
        add(h, text, strlen(text) + 1);
    }
}

/* An array that may be large, in pieces: a spilled one leaves RAM as it goes by. */
static void add_large(hasher *h, const vel_field *f, const void *array, size_t size, int64_t n) {
    enum { PIECE = 1 << 20 };
    for (int64_t from = 0; array && from < n; from += PIECE) {
        int64_t count = vel_least(n - from, PIECE);
        vel_field_want(f, from, count);
        add(h, (const char *)array + (size_t)from * size, (size_t)count * size);
        vel_field_rest(f, from, count);
    }
}

static void add_field(hasher *h, const vel_field *f) {
    const int64_t shape[] = {f->kind, f->type, f->origin, f->ndim, f->rows, f->cols, f->n_categories, f->n_columns};
    add(h, shape, sizeof shape);
    int64_t n = vel_field_elements(f);
    if (f->indptr) add(h, f->indptr, (size_t)(f->rows + 1) * sizeof *f->indptr);
    add_large(h, f, f->indices, sizeof *f->indices, n);
    add_large(h, f, f->data, vel_type_size(f->type), n);
    if (f->texts) add_texts(h, f->texts, f->codes ? f->n_categories : f->rows);
    if (f->codes) add(h, f->codes, (size_t)f->rows * sizeof *f->codes);
    if (f->mask) add(h, f->mask, (size_t)f->rows);
    if (f->names) add_texts(h, f->names, f->n_columns);
    for (int64_t i = 0; i < f->n_columns; i++) add_field(h, &f->columns[i]);
}

/* What the slot was read as before goes first, so that nothing is forgotten. */
static void note(vel_slot *slot, const int64_t *genes, int64_t n_genes, const vel_field *f) {
    hasher h;
    XXH3_64bits_reset(&h);
    add(&h, &slot->digest, sizeof slot->digest);
    add(&h, slot->path, strlen(slot->path) + 1);
    if (genes) add(&h, genes, (size_t)n_genes * sizeof *genes);
    add_field(&h, f);
    slot->digest = XXH3_64bits_digest(&h);
}

static vel_err list(vel_ctx *ctx, vel_adata *ad, vel_slot *slot) {
    if (slot->listed) return VEL_OK;
    size_t n = (size_t)ad->n_reads + 1;
    const char **reads = realloc(ad->reads, n * sizeof *reads);
    if (!reads) return vel_no_memory(ctx, n, sizeof *reads);
    ad->reads = reads;
    vel_slot **slots = realloc(ad->read_slots, n * sizeof(vel_slot *));
    if (!slots) return vel_no_memory(ctx, n, sizeof(vel_slot *));
    ad->read_slots = slots;
    slots[ad->n_reads] = slot;
    reads[ad->n_reads++] = slot->path;
    slot->listed = true;
    return VEL_OK;
}

vel_err vel_reads_note(vel_ctx *ctx, vel_adata *ad, vel_slot *slot) {
    if (slot->read) return VEL_OK;
    VEL_TRY(list(ctx, ad, slot));
    slot->read = slot->unhashed = true;
    if (slot->field.spill) vel_reads_settle(slot); /* as long as it is in RAM */
    return VEL_OK;
}

void vel_reads_settle(vel_slot *slot) {
    if (slot->unhashed) note(slot, NULL, 0, &slot->field);
    slot->unhashed = false;
}

vel_err vel_reads_note_part(vel_ctx *ctx, vel_adata *ad, vel_slot *slot, int64_t n_genes) {
    VEL_TRY(list(ctx, ad, slot));
    note(slot, slot->part_genes, n_genes, &slot->part);
    return VEL_OK;
}

void vel_reads_free(vel_adata *ad) {
    free(ad->reads);
    free(ad->read_slots);
}

vel_err vel_reads_of(vel_ctx *ctx, const vel_adata *ad, const char *const **paths, int64_t *n, uint64_t *hash) {
    (void)ctx;
    *paths = ad->reads;
    *n = ad->n_reads;
    hasher h;
    XXH3_64bits_reset(&h);
    for (int64_t i = 0; i < ad->n_reads; i++) {
        vel_reads_settle(ad->read_slots[i]);
        add(&h, &ad->read_slots[i]->digest, sizeof ad->read_slots[i]->digest);
    }
    *hash = ad->n_reads ? XXH3_64bits_digest(&h) : 0;
    return VEL_OK;
}
