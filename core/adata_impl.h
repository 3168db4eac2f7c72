/* adata_impl.h - the inside of the handle, for core/adata*.c only.
 *
 * A slot is a path that is or was there. Slots are never taken away: a dropped one is kept, marked, so that the writer
 * knows. The store's slots come first, in the file's order. */
#ifndef VEL_CORE_ADATA_IMPL_H
#define VEL_CORE_ADATA_IMPL_H

#include "core/field.h"

typedef struct {
    char *path;
    const vel_entry *entry; /* the store's, NULL: it has none */
    vel_field field;        /* if resident */
    vel_field part;         /* columns of a layer that is not resident, read for a step (VEL_ABSENT: none) */
    int64_t *part_genes;    /* which */
    bool present, resident, changed;
    unsigned free_of;  /* what its values are known to be free of: a bit a flaw (flaws.h) */
    bool read, listed; /* as a whole; among the paths read */
    bool unhashed;     /* read, and as it was read: its hash is made when somebody asks, or before it changes */
    uint64_t digest;   /* of what was read so far */
} vel_slot;

typedef struct {
    char *from, *to; /* paths: "layers/spliced" leads to "layers/NAME" */
} vel_alias_row;

struct vel_adata {
    vel_store store;
    bool has_store;
    int64_t n_obs, n_vars;
    int64_t *obs, *var; /* what remains of the store's axes; NULL: all */
    vel_slot **slots;
    int64_t n_slots, room;
    int64_t *table, table_size; /* open addressing over paths: slot + 1, 0: free */
    vel_alias_row *aliases;
    int64_t n_aliases;
    const char **reads;    /* paths, in the order of first reading */
    vel_slot **read_slots; /* theirs */
    int64_t n_reads;
};

/* The slot of a path, aliases followed; NULL: never heard of. */
vel_slot *vel_slot_find(const vel_adata *ad, const char *path);
/* The same, made if need be (not present). */
vel_err vel_slot_make(vel_ctx *ctx, vel_adata *ad, const char *path, vel_slot **slot) VEL_CHECKED;
/* Whether the store has the field as it is, and it is not in memory. */
bool vel_slot_is_away(const vel_slot *slot);
/* Columns genes[n], ascending, of a layer that is away: slot->part. What is there already is not read again. */
vel_err vel_slot_read_part(vel_ctx *ctx, vel_adata *ad, vel_slot *slot, const int64_t *genes, int64_t n) VEL_CHECKED;
void vel_slot_give_part(vel_slot *slot);

/* Gives back the field's memory, the slot stays. */
void vel_slot_empty(vel_slot *slot);
/* VEL_EKEY: names the path and what stands beside where it should be. */
vel_err vel_slot_missing(vel_ctx *ctx, const vel_adata *ad, const char *path);

/* What the rows and columns of a path run along. */
typedef enum { VEL_AXIS_NONE, VEL_AXIS_OBS, VEL_AXIS_VAR } vel_axis;
void vel_axes_of(const char *path, vel_axis *rows, vel_axis *cols);
int64_t vel_axis_length(const vel_adata *ad, vel_axis axis, int64_t otherwise);

/* Follows an alias. */
const char *vel_resolve(const vel_adata *ad, const char *path);

/* Lists what was read, to be hashed: the field, once; a part of it, each time. */
vel_err vel_reads_note(vel_ctx *ctx, vel_adata *ad, vel_slot *slot) VEL_CHECKED;
vel_err vel_reads_note_part(vel_ctx *ctx, vel_adata *ad, vel_slot *slot, int64_t n_genes) VEL_CHECKED;
/* To be called before a field that was read is changed, cut or given back. */
void vel_reads_settle(vel_slot *slot);
void vel_reads_free(vel_adata *ad);

#endif
