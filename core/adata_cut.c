/* Cutting cells or genes: resident fields at once, the store's by the selection that is kept for later. */
#include <stdlib.h>

#include "core/adata_impl.h"

static bool is_cut_by(const char *path, vel_axis axis) {
    vel_axis rows, cols;
    vel_axes_of(path, &rows, &cols);
    return rows == axis || cols == axis;
}

/* What is not understood can be cut only if its first dimension is the axis; the store does that when it is written. */
static vel_err check_cuttable(vel_ctx *ctx, const vel_adata *ad, vel_axis axis) {
    int64_t length = axis == VEL_AXIS_OBS ? ad->store.n_obs : ad->store.n_vars;
    for (int64_t i = 0; i < ad->n_slots; i++) {
        const vel_slot *s = ad->slots[i];
        if (!s->present || s->resident || !s->entry || !is_cut_by(s->path, axis)) continue;
        if (s->entry->kind == VEL_OTHER && (s->entry->ndim < 1 || s->entry->rows != length))
            return vel_fail(ctx, VEL_ETYPE, "%s of %s (%s) runs along the %s but cannot be cut%s%s; drop it first",
                            s->path, vel_adata_name(ad), s->entry->encoding, axis == VEL_AXIS_OBS ? "cells" : "genes",
                            s->entry->flaw ? ": " : "", s->entry->flaw ? s->entry->flaw : "");
    }
    return VEL_OK;
}

static vel_err keep_selection(vel_ctx *ctx, const vel_adata *ad, vel_axis axis, const uint8_t *keep, int64_t kept,
                              int64_t **selection) {
    const int64_t *old = axis == VEL_AXIS_OBS ? ad->obs : ad->var;
    int64_t n = axis == VEL_AXIS_OBS ? ad->n_obs : ad->n_vars, k = 0;
    VEL_TRY(vel_own(ctx, kept, sizeof **selection, selection));
    for (int64_t i = 0; i < n; i++)
        if (keep[i]) (*selection)[k++] = old ? old[i] : i;
    return VEL_OK;
}

static void cut_resident(vel_adata *ad, vel_axis axis, const uint8_t *keep, const int32_t *places) {
    for (int64_t i = 0; i < ad->n_slots; i++) {
        vel_slot *s = ad->slots[i];
        vel_axis rows, cols;
        vel_slot_give_part(s);
        vel_axes_of(s->path, &rows, &cols);
        if (!s->resident || (rows != axis && cols != axis)) continue;
        vel_reads_settle(s);
        int64_t n = s->field.spill ? vel_field_elements(&s->field) : 0;
        vel_field_cut(&s->field, rows == axis ? keep : NULL, cols == axis ? places : NULL);
        vel_field_rest(&s->field, 0, n);
    }
}

static vel_err keep_axis(vel_ctx *ctx, vel_adata *ad, vel_axis axis, const uint8_t *keep) {
    int64_t n = axis == VEL_AXIS_OBS ? ad->n_obs : ad->n_vars, kept = 0, *selection = NULL;
    for (int64_t i = 0; i < n; i++) kept += keep[i] != 0;
    int32_t *places;
    if (kept == n) return VEL_OK;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, places, n));
    vel_field_places(keep, n, places);
    if (ad->has_store) {
        VEL_TRY(check_cuttable(ctx, ad, axis));
        VEL_TRY(keep_selection(ctx, ad, axis, keep, kept, &selection));
        int64_t **place = axis == VEL_AXIS_OBS ? &ad->obs : &ad->var;
        free(*place);
        *place = selection;
    }
    cut_resident(ad, axis, keep, places);
    vel_arena_release(ctx->scratch, mark);
    *(axis == VEL_AXIS_OBS ? &ad->n_obs : &ad->n_vars) = kept;
    return VEL_OK;
}

vel_err vel_keep_obs(vel_ctx *ctx, vel_adata *ad, const uint8_t *keep) {
    return keep_axis(ctx, ad, VEL_AXIS_OBS, keep);
}

vel_err vel_keep_vars(vel_ctx *ctx, vel_adata *ad, const uint8_t *keep) {
    return keep_axis(ctx, ad, VEL_AXIS_VAR, keep);
}
