/* Getting fields in, putting, editing and dropping them. */
#include <string.h>

#include "core/adata_impl.h"
#include "core/floats.h"

/* ---- get */

static vel_extent extent_of(const vel_field *f) { return (vel_extent){f->ndim, f->rows, f->cols}; }

static bool is_like(vel_extent a, vel_extent b) { return a.ndim == b.ndim && a.rows == b.rows && a.cols == b.cols; }

static vel_err check_shape(vel_ctx *ctx, const vel_adata *ad, const char *path, vel_extent found, int64_t n_obs,
                           int64_t n_vars) {
    vel_axis by_row, by_col;
    vel_axes_of(path, &by_row, &by_col);
    vel_extent need = found;
    if (by_row) need.rows = by_row == VEL_AXIS_OBS ? n_obs : n_vars;
    if (by_col) need.cols = by_col == VEL_AXIS_OBS ? n_obs : n_vars;
    if (by_col)
        need.ndim = 2;
    else if (by_row && found.ndim == 0)
        need.ndim = 1;
    if (is_like(found, need)) return VEL_OK;
    return vel_fail(ctx, VEL_ESHAPE, "%s of %s is %lld x %lld (%d-dimensional), expected %lld x %lld (%d-dimensional)",
                    path, vel_adata_name(ad), (long long)found.rows, (long long)found.cols, found.ndim,
                    (long long)need.rows, (long long)need.cols, need.ndim);
}

static vel_err plain_names(vel_ctx *ctx, vel_field *f) {
    const char **names;
    vel_field made;
    VEL_TRY(VEL_ALLOC(ctx, names, f->rows));
    for (int64_t i = 0; i < f->rows; i++) names[i] = f->codes[i] < 0 ? NULL : f->texts[f->codes[i]];
    VEL_TRY(vel_field_texts(ctx, names, f->rows, &made));
    vel_field_free(f);
    *f = made;
    return VEL_OK;
}

/* Names of cells and genes are texts, whatever the index is in the file; those that are missing are "nan", as Python
 * shows them. */
static vel_err settle_names(vel_ctx *ctx, const char *path, vel_field *f) {
    static char missing[] = "nan";
    if (strcmp(path, "obs/_index") != 0 && strcmp(path, "var/_index") != 0) return VEL_OK;
    if (f->kind == VEL_CATEGORICAL) VEL_TRY(plain_names(ctx, f));
    for (int64_t i = 0; f->kind == VEL_TEXTS && i < f->rows; i++)
        if (!f->texts[i]) f->texts[i] = missing;
    return VEL_OK;
}

static vel_err read_field(vel_ctx *ctx, const vel_adata *ad, const char *path, const vel_selection *sel, vel_field *f) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_PLAIN_FLOATS;
    vel_err e = ad->store.read(ctx, ad->store.self, path, sel, f);
    if (!e) e = settle_names(ctx, path, f);
    vel_release_tiles(ctx, mark);
    return e;
}

vel_err vel_peek(vel_ctx *ctx, const vel_adata *ad, const char *path, const vel_selection *sel, vel_field *f) {
    *f = (vel_field){0};
    if (!vel_store_of(ad)) return vel_fail(ctx, VEL_ENONE, "%s lies in no file", vel_adata_name(ad));
    vel_selection remains = vel_selection_of(ad);
    vel_err e = read_field(ctx, ad, path, sel ? sel : &remains, f);
    if (!e) return VEL_OK;
    vel_field_free(f);
    *f = (vel_field){0};
    return e;
}

static vel_err load(vel_ctx *ctx, vel_adata *ad, vel_slot *slot) {
    const vel_entry *entry = slot->entry;
    VEL_TRY(check_shape(ctx, ad, slot->path, (vel_extent){entry->ndim, entry->rows, entry->cols}, ad->store.n_obs,
                        ad->store.n_vars));
    vel_selection sel = vel_selection_of(ad);
    vel_err e = read_field(ctx, ad, slot->path, &sel, &slot->field);
    if (!e) e = check_shape(ctx, ad, slot->path, extent_of(&slot->field), ad->n_obs, ad->n_vars);
    if (!e) e = vel_reads_note(ctx, ad, slot);
    slot->resident = !e;
    if (e) vel_field_free(&slot->field);
    return e;
}

static vel_err resident(vel_ctx *ctx, vel_adata *ad, const char *path, vel_slot **slot) {
    *slot = vel_slot_find(ad, path);
    if (!*slot || !(*slot)->present) return vel_slot_missing(ctx, ad, path);
    if ((*slot)->resident) return VEL_OK;
    vel_entry entry = vel_entry_of(ad, path);
    if (entry.kind == VEL_DICT)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is a group (%s), not an array", path, vel_adata_name(ad),
                        entry.encoding);
    if (entry.kind == VEL_OTHER)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s (%s) is not understood%s%s", path, vel_adata_name(ad), entry.encoding,
                        entry.flaw ? ": " : "", entry.flaw ? entry.flaw : "");
    return load(ctx, ad, *slot);
}

vel_err vel_get(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_field **f) {
    vel_slot *slot;
    VEL_TRY(resident(ctx, ad, path, &slot));
    *f = &slot->field;
    return VEL_OK;
}

vel_err vel_edit(vel_ctx *ctx, vel_adata *ad, const char *path, vel_field **f) {
    vel_slot *slot;
    VEL_TRY(resident(ctx, ad, path, &slot));
    vel_reads_settle(slot);
    slot->changed = true;
    slot->free_of = 0;
    *f = &slot->field;
    return VEL_OK;
}

vel_field *vel_borrow(vel_adata *ad, const char *path) {
    vel_slot *slot = vel_slot_find(ad, path);
    return slot && slot->present && slot->resident ? &slot->field : NULL;
}

unsigned vel_known_free_of(const vel_adata *ad, const char *path) {
    const vel_slot *slot = vel_slot_find(ad, path);
    return slot ? slot->free_of : 0;
}

void vel_note_free_of(vel_adata *ad, const char *path, unsigned flaws) {
    vel_slot *slot = vel_slot_find(ad, path);
    if (slot && slot->resident) slot->free_of |= flaws;
}

vel_err vel_get_matrix(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_field **f) {
    VEL_TRY(vel_get(ctx, ad, path, f));
    const vel_field *m = *f;
    if ((m->kind != VEL_DENSE && m->kind != VEL_SPARSE) || m->ndim != 2)
        return vel_fail(ctx, VEL_ETYPE, "%s of %s is %s, expected a matrix of numbers", path, vel_adata_name(ad),
                        vel_entry_of(ad, path).encoding);
    if (m->rows != ad->n_obs || m->cols != ad->n_vars)
        return vel_fail(ctx, VEL_ESHAPE, "%s of %s is %lld x %lld, expected %lld x %lld", path, vel_adata_name(ad),
                        (long long)m->rows, (long long)m->cols, (long long)ad->n_obs, (long long)ad->n_vars);
    return VEL_OK;
}

/* ---- put */

static void drop_members(vel_adata *ad, const char *path) {
    size_t n = strlen(path);
    for (int64_t i = 0; i < ad->n_slots; i++) {
        vel_slot *s = ad->slots[i];
        if (strncmp(s->path, path, n) != 0 || s->path[n] != '/') continue;
        vel_slot_empty(s);
        s->present = false;
    }
}

static vel_err make_parent(vel_ctx *ctx, vel_adata *ad, const char *path, size_t length) {
    char *parent = vel_arena_alloc(ctx->scratch, length + 1, 1);
    if (!parent) return vel_no_memory(ctx, length + 1, 1);
    memcpy(parent, path, length);
    parent[length] = 0;
    vel_slot *slot;
    VEL_TRY(vel_slot_make(ctx, ad, parent, &slot));
    if (slot->present && !slot->resident && vel_entry_of(ad, parent).kind == VEL_DICT) return VEL_OK;
    vel_slot_empty(slot);
    slot->present = slot->changed = true;
    return VEL_OK;
}

/* The groups above a path. Only uns has groups within groups; elsewhere a name may hold a slash. */
static vel_err make_parents(vel_ctx *ctx, vel_adata *ad, const char *path) {
    bool nested = !strncmp(path, "uns/", 4);
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = VEL_OK;
    for (const char *slash = strchr(path, '/'); slash && !e; slash = nested ? strchr(slash + 1, '/') : NULL)
        e = make_parent(ctx, ad, path, (size_t)(slash - path));
    vel_arena_release(ctx->scratch, mark);
    return e;
}

/* Makes *field the whole of path; takes it over, also on failure. */
static vel_err put(vel_ctx *ctx, vel_adata *ad, const char *path, vel_field *field, vel_field **f) {
    vel_slot *slot = NULL;
    path = vel_resolve(ad, path);
    vel_err e = check_shape(ctx, ad, path, extent_of(field), ad->n_obs, ad->n_vars);
    if (!e) e = make_parents(ctx, ad, path);
    if (!e) e = vel_slot_make(ctx, ad, path, &slot);
    if (e) {
        vel_field_free(field);
        return e;
    }
    if (!slot->resident) drop_members(ad, slot->path);
    vel_slot_empty(slot);
    slot->field = *field;
    slot->present = slot->resident = slot->changed = true;
    if (f) *f = &slot->field;
    return VEL_OK;
}

vel_err vel_put_dense(vel_ctx *ctx, vel_adata *ad, const char *path, vel_type type, vel_extent extent, vel_field **f) {
    vel_slot *slot = vel_slot_find(ad, path);
    if (slot && slot->present && slot->resident) {
        vel_field *old = &slot->field;
        vel_reads_settle(slot);
        if (old->kind == VEL_DENSE && old->type == type && is_like(extent_of(old), extent) && !old->mask &&
            !old->spill) { /* a new one of a scratch file is all holes */
            memset(old->data, 0, (size_t)(extent.rows * extent.cols) * vel_type_size(type));
            old->origin = type;
            slot->changed = true;
            slot->free_of = 0;
            *f = old;
            return VEL_OK;
        }
        vel_field_free(&slot->field); /* before the new one is made: never both */
        slot->resident = false;
        slot->present = slot->changed = false;
    }
    vel_field made;
    VEL_TRY(vel_field_dense(ctx, type, extent, &made));
    made.gene_major = extent.ndim == 2 && vel_is_layer(vel_resolve(ad, path));
    return put(ctx, ad, path, &made, f);
}

vel_err vel_put_sparse(vel_ctx *ctx, vel_adata *ad, const char *path, vel_type type, vel_extent extent, int64_t stored,
                       vel_field **f) {
    vel_field made;
    VEL_TRY(vel_field_sparse(ctx, type, extent, stored, &made));
    return put(ctx, ad, path, &made, f);
}

vel_err vel_put_texts(vel_ctx *ctx, vel_adata *ad, const char *path, const char *const *texts, int64_t n) {
    vel_field made;
    VEL_TRY(vel_field_texts(ctx, texts, n, &made));
    return put(ctx, ad, path, &made, NULL);
}

vel_err vel_put_categorical(vel_ctx *ctx, vel_adata *ad, const char *path, const int32_t *codes, int64_t n,
                            const char *const *categories, int64_t n_categories) {
    vel_field made;
    VEL_TRY(vel_field_categorical(ctx, n, categories, n_categories, &made));
    memcpy(made.codes, codes, (size_t)n * sizeof *codes);
    return put(ctx, ad, path, &made, NULL);
}

vel_err vel_put_names(vel_ctx *ctx, vel_adata *ad, bool of_vars, const char *const *names) {
    return vel_put_texts(ctx, ad, of_vars ? "var/_index" : "obs/_index", names, of_vars ? ad->n_vars : ad->n_obs);
}

/* ---- drop */

vel_err vel_drop(vel_ctx *ctx, vel_adata *ad, const char *path) {
    (void)ctx;
    vel_slot *slot = vel_slot_find(ad, path);
    if (!slot || !slot->present) return VEL_OK;
    drop_members(ad, slot->path);
    vel_slot_empty(slot);
    slot->present = slot->changed = false;
    return VEL_OK;
}

void vel_let_go(vel_adata *ad, const char *path) {
    vel_slot *slot = vel_slot_find(ad, path);
    if (slot && slot->resident && slot->entry && !slot->changed) vel_slot_empty(slot);
}

void vel_adata_rest(const vel_adata *ad) {
    for (int64_t i = 0; i < ad->n_slots; i++) {
        const vel_field *f = &ad->slots[i]->field;
        vel_slot_give_part(ad->slots[i]);
        if (!ad->slots[i]->resident || !f->spill) continue;
        vel_field_rest(f, 0, vel_field_elements(f));
    }
}
