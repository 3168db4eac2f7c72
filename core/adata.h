/* adata.h - the annotated data matrix: every array of an AnnData, reached by its path.
 *
 * Paths: "X", "layers/Ms", "obs/clusters", "var/fit_alpha", "obsm/X_pca", "varm/loss", "obsp/connectivities",
 * "uns/neighbors/params/n_neighbors". The handle owns every array; a field pointer stays good until the field is
 * put again, dropped or let go, or the handle is cut or freed. Arrays come in from the store when they are first asked
 * for, and what nobody asks for never does: it is carried over on writing. Everything here is called from one thread.
 */
#ifndef VEL_CORE_ADATA_H
#define VEL_CORE_ADATA_H

#include "core/ctx.h"
#include "core/mat.h"

typedef struct vel_adata vel_adata;

typedef enum {
    VEL_ABSENT,
    VEL_DENSE,       /* numbers: a scalar (ndim 0), a vector (ndim 1: cols = 1) or a matrix (ndim 2) */
    VEL_SPARSE,      /* a matrix in compressed sparse rows, whatever the storage in the file */
    VEL_TEXTS,       /* strings: one (ndim 0) or a vector */
    VEL_CATEGORICAL, /* codes into categories */
    VEL_RECORDS,     /* numpy record array: columns of equal length */
    VEL_DICT,        /* a mapping; its members have paths of their own */
    VEL_OTHER,       /* not understood: carried over, never read */
} vel_kind;

typedef struct vel_field {
    vel_kind kind;
    vel_type type;   /* DENSE: of data. SPARSE: of data, VEL_F32 or VEL_F64 */
    vel_type origin; /* what the file had: integers of 32 bits and more come in as VEL_F64 in matrices, narrower ones,
                        bool and float16 as VEL_F32 */
    int ndim;
    int64_t rows, cols;
    bool gene_major; /* DENSE X and layers/…: element (c, g) is data[g * rows + c]; all other matrices: data[i * cols +
                        j] */
    void *data;      /* DENSE, SPARSE */
    int64_t *indptr;  /* SPARSE: rows + 1 */
    int32_t *indices; /* SPARSE: ascending in a row; duplicates were added up on reading */
    char **texts;     /* TEXTS: rows strings (NULL: missing). CATEGORICAL: n_categories names */
    int32_t *codes;   /* CATEGORICAL: rows codes, -1: missing */
    uint8_t *mask;    /* DENSE vector read from a nullable column: 1 where missing; NULL: none missing */
    int64_t n_categories;
    bool ordered;
    char **names;              /* RECORDS: n_columns names */
    struct vel_field *columns; /* RECORDS: n_columns vectors, DENSE or TEXTS */
    int64_t n_columns;
    const vel_spill *spill; /* data and indices are from there; NULL: from malloc */
} vel_field;

/* How large a field is: of two dimensions, one or none. */
typedef struct {
    int ndim;
    int64_t rows, cols;
} vel_extent;

static inline vel_extent vel_matrix(int64_t rows, int64_t cols) {
    vel_extent extent = {2, rows, cols};
    return extent;
}
static inline vel_extent vel_vector(int64_t n) {
    vel_extent extent = {1, n, 1};
    return extent;
}
static inline vel_extent vel_scalar(void) {
    vel_extent extent = {0, 1, 1};
    return extent;
}

/* ---- a store: where fields come from (an .h5ad file, memory in tests). Sel gives what remains of each axis, NULL:
 * all. */

typedef struct {
    const int64_t *obs, *var; /* ascending indices into the file's axis, or NULL */
    int64_t n_obs, n_vars;    /* of the file if NULL, else of the selection */
} vel_selection;

typedef struct {
    const char *path;
    vel_kind kind;
    vel_type origin;
    int ndim;
    int64_t rows, cols, stored; /* stored: explicit entries of a sparse matrix, else rows * cols */
    const char *encoding;       /* the file's word for it: "csr_matrix", "categorical" */
    int64_t piece_rows;         /* rows of a chunk; 0: it lies in the file in one piece */
    int64_t piece_cols;         /* of a matrix: columns of a chunk */
    int passes;                 /* filters that a chunk goes through */
    int64_t packed;             /* bytes that its chunks take in the file, as far as they are filtered */
    bool is_slow;               /* chunked, and HDF5 takes the chunks apart: slower */
    bool keeps_times;           /* it is carried over in tiles, as it may keep times; else by HDF5 itself */
    const char *flaw;           /* VEL_OTHER: why it is not understood ("it holds text"); NULL: nobody knows */
} vel_entry;

typedef struct vel_store {
    void *self;
    const char *name; /* of the file, for messages */
    int64_t n_obs, n_vars;
    const vel_entry *entries; /* in the file's order, parents before members */
    int64_t n_entries;
    vel_err (*read)(vel_ctx *ctx, void *self, const char *path, const vel_selection *sel, vel_field *out);
    void (*close)(void *self);
} vel_store;

/* ---- life */

/* Takes the store over, also on failure; NULL: an empty handle of n_obs x n_vars. */
vel_err vel_adata_open(vel_ctx *ctx, const vel_store *store, vel_adata **ad) VEL_CHECKED;
vel_err vel_adata_new(vel_ctx *ctx, int64_t n_obs, int64_t n_vars, vel_adata **ad) VEL_CHECKED;
void vel_adata_free(vel_adata *ad);

int64_t vel_n_obs(const vel_adata *ad);
int64_t vel_n_vars(const vel_adata *ad);
const char *vel_adata_name(const vel_adata *ad); /* of the file, for messages */

/* ---- fields */

/* Layer names that the user has chosen: "spliced" and "unspliced" lead to these. */
vel_err vel_alias(vel_ctx *ctx, vel_adata *ad, const char *layer, const char *name) VEL_CHECKED;

bool vel_has(const vel_adata *ad, const char *path);

/* X or layers/…: cells x genes, gene-major where it is dense. */
bool vel_is_layer(const char *path);

/* What is known without reading: kind VEL_ABSENT if the path is not there. Of a sparse matrix in the file, of which a
 * selection will be read, stored is the share that falls to it. Text lives as long as the handle. */
vel_entry vel_entry_of(const vel_adata *ad, const char *path);
/* Entries, as vel_entry.stored, that the file has before anything is selected. 0: it has no such field. */
int64_t vel_stored_in_file(const vel_adata *ad, const char *path);

/* Calls visit for every field there, the file's order first, then the new ones. */
vel_err vel_each(vel_ctx *ctx, vel_adata *ad,
                 vel_err (*visit)(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg), void *arg);

/* The field, read now if it must be. VEL_EKEY names the path and what is there instead. */
vel_err vel_get(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_field **f) VEL_CHECKED;
/* The same, to be changed in place (counts as written). */
vel_err vel_edit(vel_ctx *ctx, vel_adata *ad, const char *path, vel_field **f) VEL_CHECKED;

/* A numeric matrix (2-D, DENSE or SPARSE) n_obs x n_vars, VEL_ETYPE or VEL_ESHAPE if it is none. */
vel_err vel_get_matrix(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_field **f) VEL_CHECKED;

/* The field if it is in memory, else NULL: nothing is read. Its values may be moved about where they lie, if all are
 * back before anybody else looks: it does not count as changed. */
vel_field *vel_borrow(vel_adata *ad, const char *path);

/* What the values of a resident field are known to be free of, so that nobody looks again: a bit a flaw (flaws.h).
 * Forgotten when the field is put or edited, kept when it is cut. */
unsigned vel_known_free_of(const vel_adata *ad, const char *path);
void vel_note_free_of(vel_adata *ad, const char *path, unsigned flaws);

/* A numeric vector as double or bool of length n, in ctx->scratch (missing: NaN, false). */
vel_err vel_get_reals(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, double **x) VEL_CHECKED;
vel_err vel_get_bools(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, uint8_t **x) VEL_CHECKED;
/* Strings of a vector, whether TEXTS or CATEGORICAL (NULL: missing), in ctx->scratch. */
vel_err vel_get_texts(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t n, const char ***x) VEL_CHECKED;
/* A text or number under uns; VEL_EKEY if absent. */
vel_err vel_get_text(vel_ctx *ctx, vel_adata *ad, const char *path, const char **text) VEL_CHECKED;
vel_err vel_get_real(vel_ctx *ctx, vel_adata *ad, const char *path, double *x) VEL_CHECKED;

/* Names of cells and genes: the index of obs and var; those that are missing are "nan". */
vel_err vel_obs_names(vel_ctx *ctx, vel_adata *ad, char ***names) VEL_CHECKED;
vel_err vel_var_names(vel_ctx *ctx, vel_adata *ad, char ***names) VEL_CHECKED;

/* Creates a field or replaces it whole. data is zeroed and owned by the handle; fill it through *f. Layers are made
 * gene-major. Parents under uns are made as needed. An existing field of equal shape and type keeps its memory. Of a
 * sparse one extent is a matrix, stored its entries. VEL_ESHAPE: the path asks for another extent. */
vel_err vel_put_dense(vel_ctx *ctx, vel_adata *ad, const char *path, vel_type type, vel_extent extent,
                      vel_field **f) VEL_CHECKED;
vel_err vel_put_sparse(vel_ctx *ctx, vel_adata *ad, const char *path, vel_type type, vel_extent extent, int64_t stored,
                       vel_field **f) VEL_CHECKED;
vel_err vel_put_texts(vel_ctx *ctx, vel_adata *ad, const char *path, const char *const *texts,
                      int64_t n) VEL_CHECKED; /* n < 0: one string, ndim 0 */
vel_err vel_put_categorical(vel_ctx *ctx, vel_adata *ad, const char *path, const int32_t *codes, int64_t n,
                            const char *const *categories, int64_t n_categories) VEL_CHECKED;
vel_err vel_put_names(vel_ctx *ctx, vel_adata *ad, bool of_vars,
                      const char *const *names) VEL_CHECKED; /* the index of obs or var */

/* Convenience for columns and uns: values are copied. */
vel_err vel_put_reals(vel_ctx *ctx, vel_adata *ad, const char *path, const double *x, int64_t n) VEL_CHECKED;
vel_err vel_put_bools(vel_ctx *ctx, vel_adata *ad, const char *path, const uint8_t *x, int64_t n) VEL_CHECKED;
vel_err vel_put_text(vel_ctx *ctx, vel_adata *ad, const char *path, const char *text) VEL_CHECKED;
vel_err vel_put_real(vel_ctx *ctx, vel_adata *ad, const char *path, double x) VEL_CHECKED;
vel_err vel_put_int(vel_ctx *ctx, vel_adata *ad, const char *path, int64_t x) VEL_CHECKED;
vel_err vel_put_bool(vel_ctx *ctx, vel_adata *ad, const char *path, bool x) VEL_CHECKED;

/* Removes a field (with its members, for a DICT). Absent is fine. */
vel_err vel_drop(vel_ctx *ctx, vel_adata *ad, const char *path) VEL_CHECKED;

/* Gives back the memory of a field that the store has as it is: whoever asks for it again has it read again. A field
 * that was put or edited stays. */
void vel_let_go(vel_adata *ad, const char *path);

/* Between steps: everything that lies in ctx->spill may leave RAM until it is used again, and what was read for blocks
 * of a selection of genes is given back. */
void vel_adata_rest(const vel_adata *ad);

/* ---- cutting: keep[n] says which cells or genes stay. Everything aligned is cut: what is resident at once, what is in
 * the store when it is read or written. */
vel_err vel_keep_obs(vel_ctx *ctx, vel_adata *ad, const uint8_t *keep) VEL_CHECKED;
vel_err vel_keep_vars(vel_ctx *ctx, vel_adata *ad, const uint8_t *keep) VEL_CHECKED;

/* ---- blocks: how kernels see layers (design, sentence 5).
 *
 *     vel_block_field f[] = {{"layers/Ms", VEL_NOTYPE, false}, {"layers/velocity", VEL_F32, true}};
 *     VEL_TRY(vel_blocks_open(ctx, ad, f, 2, 0, &it));
 *     for (;;) { VEL_TRY(vel_blocks_next(ctx, it)); if (!it->count) break; … it->in[0], it->out[1] … }
 *
 * A block is a run of genes, every cell: views are gene-major (row_stride 1), so a gene is contiguous. An input that is
 * sparse, in another type than asked for, spilled or still in the file is brought to that form in the iterator's own
 * memory. */
typedef struct {
    const char *path;
    vel_type type; /* VEL_F32, VEL_F64; VEL_NOTYPE: as the field has it (not for outputs) */
    bool write;    /* an output: an n_obs x n_vars layer that was put before */
} vel_block_field;

enum { VEL_BLOCK_FIELDS = 8 };

typedef struct vel_blocks {
    int64_t first, count;          /* genes first .. first + count - 1; count 0: the end */
    vel_cmat in[VEL_BLOCK_FIELDS]; /* n_obs x count */
    vel_mat out[VEL_BLOCK_FIELDS];
    struct vel_blocks_state *state;
} vel_blocks;

/* block: genes a block, 0: chosen so that the iterator's own memory stays small. Memory comes from ctx->scratch: mark
 * and release around the loop, or let the step end. */
vel_err vel_blocks_open(vel_ctx *ctx, vel_adata *ad, const vel_block_field *fields, int n_fields, int64_t block,
                        vel_blocks **it) VEL_CHECKED;
vel_err vel_blocks_next(vel_ctx *ctx, vel_blocks *it) VEL_CHECKED;

/* Blocks of genes of a selection only: genes[n_genes] ascending; it->first then counts within the selection. Of a layer
 * that is still in the file only these are read. Call before the first next. */
vel_err vel_blocks_select(vel_ctx *ctx, vel_blocks *it, const int64_t *genes, int64_t n_genes) VEL_CHECKED;

/* The iterator is not used again: what was read for it alone goes now, not at the end of the step. */
void vel_blocks_done(vel_blocks *it);

/* The field is asked for by vel_blocks_column only (its views have no data): a dense layer is then used where it lies,
 * whatever genes are selected. Call before the first next. */
void vel_blocks_by_column(vel_blocks *it, int field);
/* What an input has to be brought to its form for lies in the columns of the output `room`, which is written only after
 * the block has been read: no memory beside, if it can be so. Call before the first next. */
void vel_blocks_lay_into(vel_blocks *it, int field, int room);
/* Gene `first + i` of a field: n_obs values, contiguous, to be read, or written if it is an output. */
void *vel_blocks_column(const vel_blocks *it, int field, int64_t i);

/* ---- for the writer (io): what has been changed since the store was opened. */
bool vel_is_changed(const vel_adata *ad, const char *path); /* put or edited, or a member of it was */
vel_selection vel_selection_of(const vel_adata *ad);        /* what remains of the store's axes */
const vel_store *vel_store_of(const vel_adata *ad);         /* NULL: none */

/* Reads a field past the handle: it does not stay, and nothing is recorded of it, since to look is not to take for
 * input. sel NULL: what remains of the axes. *f is the caller's to free; empty on failure. VEL_ENONE: no store. */
vel_err vel_peek(vel_ctx *ctx, const vel_adata *ad, const char *path, const vel_selection *sel,
                 vel_field *f) VEL_CHECKED;

/* Which fields were read from the store, in the order of first reading, and a hash of the bytes read (xxh3-64 over
 * path, type, shape and values of each, and over these hashes): for uns/vel. Reading itself does not pay for it: a
 * field is hashed here, or before it changes. */
vel_err vel_reads_of(vel_ctx *ctx, const vel_adata *ad, const char *const **paths, int64_t *n,
                     uint64_t *hash) VEL_CHECKED;

#endif
