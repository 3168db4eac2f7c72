/* What reading, carrying over and writing take beside the fields. */
#include <math.h>
#include <string.h>

#include "io/h5ad.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* A tile of what is read or carried over, at most; that of a thread, of a dense layer that lies in the file as in
 * memory or compressed; of what HDF5 itself carries over. */
enum { TILE = 4 << 20, FLAT_TILE = 1 << 20, COPIED = 1 << 20, PAGE = 1 << 12 };

/* What HDF5 keeps of each chunk; where it takes them apart itself tables, and more of those of a tile. Measured. */
enum { TABLES = 3 << 19, OF_CHUNK = 220, OF_CHUNK_OF_TILE = 6000 };
/* io/h5_chunks.c: of chunks as they are stored so many are in memory at once that they would take this as float64. */
enum { BATCH = 8 << 20 };
/* What threads that open chunks leave in their heaps. Measured. */
enum { OPENING = 3 << 19 };

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

/* Of a sparse matrix those of values; as many hold indices. */
static double chunks_of(const vel_entry *e) {
    if (!e->piece_rows || !e->piece_cols) return 0;
    if (e->kind == VEL_SPARSE) return ceil((double)e->stored / (double)e->piece_rows);
    return ceil((double)e->rows / (double)e->piece_rows) * ceil((double)e->cols / (double)e->piece_cols);
}

/* Of a chunk, in a type. */
static double chunk_in(const vel_entry *e, vel_type type) {
    return (double)e->piece_rows * (double)e->piece_cols * (double)vel_type_size(type);
}

static double chunk_bytes(const vel_entry *e) { return chunk_in(e, e->origin); }

/* Filtered chunks that threads open, as we know how they are filtered. */
static bool is_opened(const vel_entry *e) { return e->passes > 0 && !e->is_slow; }

/* Filtered chunks that are open at once: each filter has one of its own, and what has another type in memory one more;
 * with those that wait as they are stored. What HDF5 takes apart itself is one chunk. */
static double open_chunks(const vel_tally *t, const vel_entry *e, bool at_most) {
    double n = chunks_of(e), size = chunk_bytes(e), elements = (double)e->piece_rows * (double)e->piece_cols;
    vel_type loaded = vel_loaded_type(e->origin);
    if (n < 1 || e->passes < 1) return 0;
    double batch = e->kind == VEL_SPARSE ? VEL_H5AD_SPARSE_TILE : (double)BATCH / 8;
    double at_once = e->is_slow ? 1 : fmin(t->threads, n),
           waiting = e->is_slow ? 1 : fmin(n, fmax(t->threads, floor(batch / elements))),
           stored = waiting * (double)e->packed / n;
    if (at_most) stored = fmin((double)e->packed, waiting * size);
    double converted = !e->is_slow && loaded != e->origin ? chunk_in(e, loaded) : 0;
    return at_once * (e->passes * size + converted) + stored;
}

/* Whole chunks that HDF5 reads at once, at least a tile. */
static double whole_tile(const vel_entry *e, double least) {
    return fmax(least, chunk_in(e, vel_loaded_type(e->origin)));
}

/* Where it goes to a scratch file a tile, and as much of the layer, with the page of each gene that a tile comes to. */
static double reading_layer(const vel_tally *t, const vel_entry *e, bool spilled) {
    double all = vel_tally_loaded(e), open = open_chunks(t, e, spilled), tile = whole_tile(e, VEL_H5AD_READ_TILE);
    bool is_flat = !e->piece_rows && vel_loaded_type(e->origin) == e->origin;
    if (spilled) return open + (is_opened(e) ? 0 : fmin(tile, all)) + fmin(tile + t->n_vars * PAGE, all);
    if (is_opened(e)) return open;
    return open + fmin(is_flat ? t->threads * (double)FLAT_TILE : whole_tile(e, TILE), all);
}

/* Tables of a matrix that HDF5 takes apart itself; what more the larger tile has of one that is spilled. */
static double tables_of(const vel_entry *e, double *spilled) {
    bool is_sparse = e->kind == VEL_SPARSE;
    double n = is_sparse ? 2 * chunks_of(e) : chunks_of(e);
    double of_tile = fmin(is_sparse ? VEL_H5AD_SPARSE_CHUNKS : TILE / chunk_bytes(e), n);
    if (!is_sparse)
        *spilled = fmax(*spilled, OF_CHUNK_OF_TILE * (fmin(VEL_H5AD_READ_TILE / chunk_bytes(e), n) - of_tile));
    return TABLES + OF_CHUNK_OF_TILE * of_tile;
}

/* Whether a step brings the field in from the file. */
static bool comes_in(vel_tally *t, const vel_planned_key *read) {
    return read->in_file && !vel_tally_find(t, read->path);
}

double vel_tally_tables(vel_tally *t, const vel_planned *s) {
    double of_chunks = 0, of_tile = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        const vel_planned_key *read = &s->reads[r];
        if (!comes_in(t, read)) continue;
        vel_entry e = vel_entry_of(t->ad, read->path);
        if (e.kind != VEL_DENSE && e.kind != VEL_SPARSE) continue;
        of_chunks += OF_CHUNK * chunks_of(&e) * (e.kind == VEL_SPARSE ? 2 : 1);
        if (is_opened(&e)) of_tile = fmax(of_tile, OPENING);
        if (e.is_slow) of_tile = fmax(of_tile, tables_of(&e, &t->spilled_tables));
    }
    double more = fmax(of_tile - t->tables, 0);
    t->tables += more;
    return of_chunks + more;
}

/* Of others a tile, which lies where it stays if it is of a sparse matrix by rows and all of it is read. */
static double reading(const vel_tally *t, const vel_entry *e, bool spilled) {
    vel_entry whole = *e;
    whole.stored = vel_stored_in_file(t->ad, e->path);
    if (e->kind == VEL_SPARSE) return reading_sparse(t, e, spilled) + open_chunks(t, &whole, spilled);
    if (vel_is_layer(e->path) && e->kind == VEL_DENSE) return reading_layer(t, &whole, spilled);
    return fmin(TILE, vel_tally_loaded(&whole));
}

double vel_tally_reading(vel_tally *t, const vel_planned *s, bool spilled) {
    double bytes = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        const vel_planned_key *read = &s->reads[r];
        if (!comes_in(t, read)) continue;
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

/* HDF5 copies chunk by chunk, as they are stored, and so do we where we know how they are filtered; else it is rows of
 * whole chunks, at least a tile, as of what is cut. */
static double carried(const vel_entry *e, bool cut) {
    double n = chunks_of(e), across = e->kind == VEL_SPARSE ? 1 : (double)e->cols;
    if (cut || (e->keeps_times && !is_opened(e)))
        return fmax(TILE, (double)e->piece_rows * across * (double)vel_type_size(e->origin));
    return fmax(COPIED, n < 1 ? 0 : e->passes ? (double)e->packed / n : chunk_bytes(e));
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
        double tile = fmin(carried(e, cut), part * vel_tally_loaded(e));
        double opened = !cut ? 0 : e->passes ? open_chunks(t, e, true) : left * chunk_bytes(e);
        bytes = fmax(bytes, opened + (pieces ? cutting(e) : (cut ? 1 + left : 1) * tile));
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
