#include "core/adata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/adata_impl.h"

/* ---- life */

static vel_err new_handle(vel_ctx *ctx, int64_t n_obs, int64_t n_vars, vel_adata **ad) {
    VEL_TRY(vel_own(ctx, 1, sizeof **ad, ad));
    (*ad)->n_obs = n_obs;
    (*ad)->n_vars = n_vars;
    return VEL_OK;
}

static vel_err take_entries(vel_ctx *ctx, vel_adata *ad) {
    for (int64_t i = 0; i < ad->store.n_entries; i++) {
        vel_slot *slot;
        VEL_TRY(vel_slot_make(ctx, ad, ad->store.entries[i].path, &slot));
        slot->entry = &ad->store.entries[i];
        slot->present = true;
    }
    return VEL_OK;
}

vel_err vel_adata_open(vel_ctx *ctx, const vel_store *store, vel_adata **ad) {
    *ad = NULL;
    vel_adata *made = NULL;
    vel_err e = new_handle(ctx, store->n_obs, store->n_vars, &made);
    if (e) {
        if (store->close) store->close(store->self);
        return e;
    }
    made->store = *store;
    made->has_store = true;
    e = take_entries(ctx, made);
    if (e) {
        vel_adata_free(made);
        return e;
    }
    *ad = made;
    return VEL_OK;
}

vel_err vel_adata_new(vel_ctx *ctx, int64_t n_obs, int64_t n_vars, vel_adata **ad) {
    *ad = NULL;
    if (n_obs < 0 || n_vars < 0)
        return vel_fail(ctx, VEL_ESHAPE, "%lld cells x %lld genes is no shape", (long long)n_obs, (long long)n_vars);
    return new_handle(ctx, n_obs, n_vars, ad);
}

void vel_slot_empty(vel_slot *slot) {
    vel_reads_settle(slot);
    vel_field_free(&slot->field);
    vel_slot_give_part(slot);
    slot->resident = false;
    slot->free_of = 0;
}

void vel_adata_free(vel_adata *ad) {
    if (!ad) return;
    for (int64_t i = 0; i < ad->n_slots; i++) {
        ad->slots[i]->unhashed = false; /* nobody can ask any more */
        vel_slot_empty(ad->slots[i]);
        free(ad->slots[i]->path);
        free(ad->slots[i]);
    }
    for (int64_t i = 0; i < ad->n_aliases; i++) {
        free(ad->aliases[i].from);
        free(ad->aliases[i].to);
    }
    if (ad->has_store && ad->store.close) ad->store.close(ad->store.self);
    vel_reads_free(ad);
    free(ad->aliases);
    free(ad->slots);
    free(ad->table);
    free(ad->obs);
    free(ad->var);
    free(ad);
}

int64_t vel_n_obs(const vel_adata *ad) { return ad->n_obs; }

int64_t vel_n_vars(const vel_adata *ad) { return ad->n_vars; }

const char *vel_adata_name(const vel_adata *ad) {
    return ad->has_store && ad->store.name ? ad->store.name : "the data in memory";
}

/* ---- lookup */

static uint64_t hash_of(const char *path) {
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (; *path; path++) h = (h ^ (unsigned char)*path) * 1099511628211u;
    return h;
}

/* The table's place for a path: where it is, or the free one where it would go. */
static int64_t place_of(const vel_adata *ad, const char *path) {
    uint64_t mask = (uint64_t)ad->table_size - 1, i = hash_of(path) & mask;
    while (ad->table[i] && strcmp(ad->slots[ad->table[i] - 1]->path, path) != 0) i = (i + 1) & mask;
    return (int64_t)i;
}

const char *vel_resolve(const vel_adata *ad, const char *path) {
    for (int64_t i = 0; i < ad->n_aliases; i++)
        if (!strcmp(ad->aliases[i].from, path)) return ad->aliases[i].to;
    return path;
}

vel_slot *vel_slot_find(const vel_adata *ad, const char *path) {
    if (!ad->table_size) return NULL;
    int64_t at = ad->table[place_of(ad, vel_resolve(ad, path))];
    return at ? ad->slots[at - 1] : NULL;
}

static vel_err make_room(vel_ctx *ctx, vel_adata *ad) {
    if (ad->n_slots < ad->room) return VEL_OK;
    int64_t room = ad->room ? 2 * ad->room : 64, *table;
    vel_slot **slots = realloc(ad->slots, (size_t)room * sizeof(vel_slot *));
    if (!slots) return vel_no_memory(ctx, (size_t)room, sizeof *slots);
    ad->slots = slots;
    VEL_TRY(vel_own(ctx, 2 * room, sizeof *table, &table));
    free(ad->table);
    ad->table = table;
    ad->table_size = 2 * room;
    ad->room = room;
    for (int64_t i = 0; i < ad->n_slots; i++) ad->table[place_of(ad, ad->slots[i]->path)] = i + 1;
    return VEL_OK;
}

vel_err vel_slot_make(vel_ctx *ctx, vel_adata *ad, const char *path, vel_slot **slot) {
    path = vel_resolve(ad, path);
    *slot = vel_slot_find(ad, path);
    if (*slot) return VEL_OK;
    VEL_TRY(make_room(ctx, ad));
    vel_slot *made;
    VEL_TRY(vel_own(ctx, 1, sizeof *made, &made));
    made->path = strdup(path);
    if (!made->path) {
        free(made);
        return vel_no_memory(ctx, strlen(path) + 1, 1);
    }
    int64_t at = place_of(ad, path);
    ad->slots[ad->n_slots++] = made;
    ad->table[at] = ad->n_slots;
    *slot = made;
    return VEL_OK;
}

vel_err vel_alias(vel_ctx *ctx, vel_adata *ad, const char *layer, const char *name) {
    if (!strcmp(layer, name)) return VEL_OK;
    vel_alias_row *rows = realloc(ad->aliases, (size_t)(ad->n_aliases + 1) * sizeof *rows);
    if (!rows) return vel_no_memory(ctx, (size_t)(ad->n_aliases + 1), sizeof *rows);
    ad->aliases = rows;
    vel_alias_row row = {0};
    bool made = asprintf(&row.from, "layers/%s", layer) >= 0;
    if (!made) row.from = NULL;
    if (made && asprintf(&row.to, "layers/%s", name) < 0) {
        free(row.from);
        made = false;
    }
    if (!made) return vel_no_memory(ctx, strlen(layer) + strlen(name), 1);
    rows[ad->n_aliases++] = row;
    return VEL_OK;
}

bool vel_has(const vel_adata *ad, const char *path) {
    const vel_slot *slot = vel_slot_find(ad, path);
    return slot && slot->present;
}

vel_err vel_slot_missing(vel_ctx *ctx, const vel_adata *ad, const char *path) {
    const char *wanted = vel_resolve(ad, path), *slash = strrchr(wanted, '/');
    size_t parent = slash ? (size_t)(slash - wanted) + 1 : 0, used = 0;
    char beside[640] = "";
    for (int64_t i = 0; i < ad->n_slots; i++) {
        const vel_slot *s = ad->slots[i];
        if (!s->present || strncmp(s->path, wanted, parent) != 0 || strchr(s->path + parent, '/')) continue;
        if (!strcmp(s->path + parent, "_index")) continue; /* the names, no column */
        int n = snprintf(beside + used, sizeof beside - used, "%s%s", used ? ", " : "", s->path + parent);
        if (n < 0 || used + (size_t)n >= sizeof beside - 8) {
            snprintf(beside + used, sizeof beside - used, ", …");
            break;
        }
        used += (size_t)n;
    }
    return vel_fail(ctx, VEL_EKEY, "%s is missing in %s; %.*s has %s", wanted, vel_adata_name(ad),
                    parent ? (int)parent - 1 : 8, parent ? wanted : "the file", beside[0] ? beside : "nothing");
}

/* ---- axes */

static bool below(const char *path, const char *group) {
    size_t n = strlen(group);
    return !strncmp(path, group, n) && path[n] == '/';
}

bool vel_is_layer(const char *path) { return !strcmp(path, "X") || below(path, "layers"); }

void vel_axes_of(const char *path, vel_axis *rows, vel_axis *cols) {
    *rows = *cols = VEL_AXIS_NONE;
    if (vel_is_layer(path)) {
        *rows = VEL_AXIS_OBS;
        *cols = VEL_AXIS_VAR;
    } else if (below(path, "obs") || below(path, "obsm") || !strcmp(path, "raw/X")) { /* raw: the cells, other genes */
        *rows = VEL_AXIS_OBS;
    } else if (below(path, "var") || below(path, "varm")) {
        *rows = VEL_AXIS_VAR;
    } else if (below(path, "obsp")) {
        *rows = *cols = VEL_AXIS_OBS;
    } else if (below(path, "varp")) {
        *rows = *cols = VEL_AXIS_VAR;
    }
}

int64_t vel_axis_length(const vel_adata *ad, vel_axis axis, int64_t otherwise) {
    return axis == VEL_AXIS_OBS ? ad->n_obs : axis == VEL_AXIS_VAR ? ad->n_vars : otherwise;
}

/* ---- what is there */

static const char *word_for(const vel_field *f) {
    switch (f->kind) {
        case VEL_SPARSE:
            return "csr_matrix";
        case VEL_TEXTS:
            return f->ndim ? "string-array" : "string";
        case VEL_CATEGORICAL:
            return "categorical";
        case VEL_RECORDS:
            return "rec-array";
        case VEL_DICT:
            return "dict";
        default:
            return f->mask ? "nullable" : f->ndim ? "array" : "numeric-scalar";
    }
}

static vel_entry entry_of_field(const vel_field *f, const char *path) {
    vel_entry e = {.path = path,
                   .kind = f->kind,
                   .origin = f->origin,
                   .ndim = f->ndim,
                   .rows = f->rows,
                   .cols = f->cols,
                   .stored = f->rows * f->cols,
                   .encoding = word_for(f)};
    if (f->kind == VEL_SPARSE) e.stored = f->indptr[f->rows];
    return e;
}

/* Neighbours of a selection of cells lie among these: of what runs along cells twice the rows alone count. */
static int64_t selected_share(const vel_entry *selected, const vel_entry *whole, bool square) {
    double rows = (double)selected->rows / (double)(whole->rows ? whole->rows : 1),
           cols = (double)selected->cols / (double)(whole->cols ? whole->cols : 1);
    return (int64_t)((double)whole->stored * rows * (square ? 1 : cols));
}

vel_entry vel_entry_of(const vel_adata *ad, const char *path) {
    const vel_slot *slot = vel_slot_find(ad, path);
    if (!slot || !slot->present) return (vel_entry){.path = "", .kind = VEL_ABSENT, .encoding = ""};
    if (slot->resident) {
        vel_entry e = entry_of_field(&slot->field, slot->path);
        if (!slot->changed && slot->entry) e.encoding = slot->entry->encoding;
        return e;
    }
    if (!slot->entry || slot->changed) /* a parent made on the way */
        return (vel_entry){.path = slot->path, .kind = VEL_DICT, .encoding = "dict"};
    vel_entry e = *slot->entry;
    vel_axis rows, cols;
    vel_axes_of(slot->path, &rows, &cols);
    if (e.ndim >= 1) e.rows = vel_axis_length(ad, rows, e.rows);
    if (e.ndim >= 2) e.cols = vel_axis_length(ad, cols, e.cols);
    if (e.kind == VEL_SPARSE)
        e.stored = selected_share(&e, slot->entry, rows == cols);
    else if (e.kind != VEL_OTHER)
        e.stored = e.rows * e.cols;
    return e;
}

int64_t vel_stored_in_file(const vel_adata *ad, const char *path) {
    const vel_slot *slot = vel_slot_find(ad, path);
    return slot && slot->entry ? slot->entry->stored : 0;
}

vel_err vel_each(vel_ctx *ctx, vel_adata *ad,
                 vel_err (*visit)(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg), void *arg) {
    int64_t n = ad->n_slots;
    for (int64_t i = 0; i < n; i++)
        if (ad->slots[i]->present) VEL_TRY(visit(ctx, ad, ad->slots[i]->path, arg));
    return VEL_OK;
}

/* ---- for the writer */

bool vel_is_changed(const vel_adata *ad, const char *path) {
    const vel_slot *slot = vel_slot_find(ad, path);
    if (slot && slot->present && vel_entry_of(ad, path).kind != VEL_DICT) return slot->changed;
    path = vel_resolve(ad, path);
    for (int64_t i = 0; i < ad->n_slots; i++) {
        const vel_slot *s = ad->slots[i];
        bool changed = s->present ? s->changed : s->entry != NULL;
        if (changed && (!strcmp(s->path, path) || below(s->path, path))) return true;
    }
    return false;
}

vel_selection vel_selection_of(const vel_adata *ad) { return (vel_selection){ad->obs, ad->var, ad->n_obs, ad->n_vars}; }

const vel_store *vel_store_of(const vel_adata *ad) { return ad->has_store ? &ad->store : NULL; }
