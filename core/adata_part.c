/* Some columns of a layer that is not in memory: what a step needs that works on a selection of genes. */
#include <stdlib.h>
#include <string.h>

#include "core/adata_impl.h"

bool vel_slot_is_away(const vel_slot *slot) {
    return slot && slot->present && !slot->resident && !slot->changed && slot->entry;
}

void vel_slot_give_part(vel_slot *slot) {
    if (slot->part.kind != VEL_ABSENT) vel_field_free(&slot->part);
    free(slot->part_genes);
    slot->part_genes = NULL;
}

static bool is_there(const vel_slot *slot, const int64_t *genes, int64_t n) {
    return slot->part.kind != VEL_ABSENT && slot->part.cols == n &&
           !memcmp(slot->part_genes, genes, (size_t)n * sizeof *genes);
}

static vel_err read_columns(vel_ctx *ctx, vel_adata *ad, vel_slot *slot, const int64_t *genes, int64_t n) {
    int64_t *places;
    VEL_TRY(VEL_ALLOC(ctx, places, n));
    for (int64_t k = 0; k < n; k++) places[k] = ad->var ? ad->var[genes[k]] : genes[k];
    vel_selection sel = {ad->obs, places, ad->n_obs, n};
    VEL_TRY(ad->store.read(ctx, ad->store.self, slot->path, &sel, &slot->part));
    if (slot->part.rows == ad->n_obs && slot->part.cols == n) return VEL_OK;
    return vel_fail(ctx, VEL_ESHAPE, "%s of %s does not fit its cells and genes", slot->path, vel_adata_name(ad));
}

vel_err vel_slot_read_part(vel_ctx *ctx, vel_adata *ad, vel_slot *slot, const int64_t *genes, int64_t n) {
    if (is_there(slot, genes, n)) return VEL_OK;
    vel_slot_give_part(slot);
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = read_columns(ctx, ad, slot, genes, n);
    vel_release_tiles(ctx, mark);
    if (!e) e = vel_own(ctx, n, sizeof *genes, &slot->part_genes);
    if (!e) {
        memcpy(slot->part_genes, genes, (size_t)n * sizeof *genes);
        e = vel_reads_note_part(ctx, ad, slot, n);
    }
    if (e) vel_slot_give_part(slot);
    return e;
}
