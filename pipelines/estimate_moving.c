/* What reading, carrying over and writing take beside the fields. */
#include <math.h>
#include <string.h>

#include "io/h5ad.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* A tile of what is read or carried over, at most; that of a thread, of a dense layer that lies in the file as in
 * memory or compressed; of what HDF5 itself carries over. */
enum { TILE = 4 << 20, FLAT_TILE = 1 << 20, COPIED = 1 << 20, PAGE = 1 << 12 };

/* What HDF5 keeps where it takes chunks apart itself: tables, of each chunk and of those of a tile. Measured. */
enum { TABLES = 4 << 20, OF_CHUNK = 220, OF_CHUNK_OF_TILE = 13000 };
/* Where threads do: a chunk as it is stored, taken apart and put in order, as expected and at most. Measured. */
#define CHUNK_OPEN 3.3
#define CHUNK_OPEN_AT_MOST 3.7

/* A sparse matrix lies in the file by columns, and is dealt out to rows: it is touched everywhere. */
static bool is_dealt(const vel_entry *e) { return e->kind == VEL_SPARSE && !strcmp(e->encoding, "csc_matrix"); }

/* A tile of a sparse matrix, which is one chunk at least: values, and with them indices. */
static double sparse_tile(const vel_tally *t, const vel_entry *e, double of_index) {
    double entries =
        fmin((double)vel_stored_in_file(t->ad, e->path), fmax(VEL_H5AD_SPARSE_TILE, (double)e->piece_rows));
    return entries * (of_index + vel_tally_loaded(e) / fmax((double)e->stored, 1) * vel_tally_values_share(e));
}

static double reading_sparse(const vel_tally *t, const vel_entry *e, bool spilled) {
    double tile = sparse_tile(t, e, sizeof(int32_t));
    if (is_dealt(e)) return tile + (spilled ? vel_tally_loaded(e) : 0) + sizeof(int64_t) * t->n_obs;
    return spilled || e->stored < vel_stored_in_file(t->ad, e->path) ? tile : 0;
}

/* A tile that HDF5 fills is one chunk at least. */
static double layer_tile(const vel_entry *e, double tile) {
    double values = (double)e->piece_rows * (double)e->piece_cols;
    return e->is_slow ? fmax(tile, values * (double)vel_type_size(vel_loaded_type(e->origin))) : tile;
}

/* Where it goes to a scratch file a tile, and as much of the layer, with the page of each gene that a tile comes to. */
static double reading_layer(const vel_tally *t, const vel_entry *e, bool spilled) {
    double all = vel_tally_loaded(e), tile = layer_tile(e, spilled ? VEL_H5AD_READ_TILE : TILE);
    bool is_wide = !e->is_slow && (e->piece_rows > 0 || vel_loaded_type(e->origin) == e->origin);
    if (spilled) return fmin(tile, all) + fmin(tile + t->n_vars * PAGE, all);
    return fmin(is_wide ? t->threads * (double)FLAT_TILE : tile, all);
}

/* Of a sparse matrix those of values and of indices, as if both were in chunks alike. */
static double chunks_of(const vel_entry *e) {
    if (!e->piece_rows || !e->piece_cols) return 0;
    if (e->kind == VEL_SPARSE) return 2 * ceil((double)e->stored / (double)e->piece_rows);
    return ceil((double)e->rows / (double)e->piece_rows) * ceil((double)e->cols / (double)e->piece_cols);
}

static double chunk_bytes(const vel_entry *e) {
    return (double)e->piece_rows * (double)e->piece_cols * (double)vel_type_size(e->origin);
}

/* Chunks that are open at once, where they are larger than a tile: those of one tile, if the matrix is sparse. One that
 * HDF5 opens may be filtered, and is there beside the tile. */
static double open_chunks(const vel_tally *t, const vel_entry *e, bool spilled) {
    double chunk = chunk_bytes(e), n = chunks_of(e);
    if (chunk <= FLAT_TILE) return 0;
    if (e->is_slow) return e->kind == VEL_SPARSE ? chunk : 0;
    if (e->kind == VEL_SPARSE) n = fmax(floor(VEL_H5AD_SPARSE_TILE / (double)e->piece_rows), 1);
    return (spilled ? CHUNK_OPEN_AT_MOST : CHUNK_OPEN) * chunk * fmin(t->threads, n);
}

double vel_tally_tables(vel_tally *t, const vel_planned *s) {
    double of_chunks = 0, of_tile = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        const vel_planned_key *read = &s->reads[r];
        if (!read->in_file || vel_tally_find(t, read->path)) continue;
        vel_entry e = vel_entry_of(t->ad, read->path);
        if ((e.kind != VEL_DENSE && e.kind != VEL_SPARSE) || !e.is_slow) continue;
        double at_once = e.kind == VEL_SPARSE ? VEL_H5AD_SPARSE_CHUNKS : TILE / chunk_bytes(&e);
        of_chunks += OF_CHUNK * chunks_of(&e);
        of_tile = fmax(of_tile, TABLES + OF_CHUNK_OF_TILE * fmin(at_once, chunks_of(&e)));
    }
    double more = fmax(of_tile - t->tables, 0);
    t->tables += more;
    return of_chunks + more;
}

/* Of others a tile, which lies where it stays if it is of a sparse matrix by rows and all of it is read. */
static double reading(const vel_tally *t, const vel_entry *e, bool spilled) {
    vel_entry whole = *e;
    whole.stored = vel_stored_in_file(t->ad, e->path);
    if (e->kind == VEL_SPARSE) return reading_sparse(t, e, spilled) + open_chunks(t, e, spilled);
    if (vel_is_layer(e->path) && e->kind == VEL_DENSE)
        return reading_layer(t, &whole, spilled) + open_chunks(t, e, spilled);
    return fmin(TILE, vel_tally_loaded(&whole));
}

double vel_tally_reading(vel_tally *t, const vel_planned *s, bool spilled) {
    double bytes = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        const vel_planned_key *read = &s->reads[r];
        if (!read->in_file || vel_tally_find(t, read->path)) continue;
        vel_entry e = vel_entry_of(t->ad, read->path);
        bytes = fmax(bytes, reading(t, &e, spilled));
    }
    return bytes;
}

/* Whether genes or cells of what the file has are left out by now. */
static bool is_cut(const vel_tally *t, const vel_store *store, const vel_entry *e, bool kept) {
    return t->n_obs < (double)store->n_obs || (vel_is_layer(e->path) && (kept || t->n_vars < (double)store->n_vars));
}

/* Of a sparse matrix that is cut on the way tiles of what comes, indices wide, and of what goes, and where rows start.
 */
static double cutting(const vel_entry *e) {
    double entries = fmin((double)e->stored, VEL_H5AD_SPARSE_TILE), value = e->origin == VEL_F64 ? 8 : 4;
    return entries * (sizeof(int64_t) + sizeof(int32_t) + 2 * value) + 2 * sizeof(int64_t) * (double)(e->rows + 1);
}

/* A tile of the largest array of the file that no step has made anew. */
double vel_tally_carrying(vel_tally *t, bool kept) {
    const vel_store *store = t->ad ? vel_store_of(t->ad) : NULL;
    double bytes = 0;
    for (int64_t i = 0; store && i < store->n_entries; i++) {
        const vel_entry *e = &store->entries[i];
        const vel_held *f = vel_tally_find(t, e->path);
        double part = e->kind == VEL_SPARSE ? vel_tally_values_share(e) : 1;
        if (f && f->made) continue;
        bool cut = is_cut(t, store, e, kept), pieces = cut && e->kind == VEL_SPARSE;
        double left = vel_is_layer(e->path) ? t->n_vars / (double)store->n_vars : 1;
        double tile = fmin(cut || e->keeps_times ? TILE : COPIED, part * vel_tally_loaded(e));
        bytes = fmax(bytes, pieces ? cutting(e) : (cut ? 1 + left : 1) * tile);
    }
    return bytes;
}

/* Of a layer a tile, and what is mapped of a panel of genes; of a sparse matrix pieces of one array. */
double vel_tally_writing(const vel_tally *t, const vel_held *f) {
    if (!f->made || !vel_tally_rests(f)) return 0;
    if (f->value == 0) return fmin(f->most, TILE);
    if (!f->is_layer) return f->bytes;
    double rows = fmin(t->n_obs, VEL_H5AD_WRITE_TILE / fmax(t->n_vars * f->value, 1));
    return rows * f->value * t->n_vars +
           fmin(VEL_H5AD_PANEL, t->n_vars) * fmin(t->n_obs * f->value, rows * f->value + VEL_MAPPED_AROUND);
}
