/* h5ad_impl.h - the inside of the .h5ad store, for io/h5ad*.c only. */
#ifndef VEL_IO_H5AD_IMPL_H
#define VEL_IO_H5AD_IMPL_H

#include "core/field.h"
#include "io/h5.h"
#include "io/h5ad.h"

/* How a field lies in the file. */
typedef enum {
    VEL_LIES_GROUP,           /* a mapping */
    VEL_LIES_DATAFRAME,       /* a mapping whose members are columns */
    VEL_LIES_DATASET,         /* an array, a scalar, strings, records */
    VEL_LIES_ROWS,            /* group of data, indices, indptr: csr */
    VEL_LIES_COLUMNS,         /* the same: csc */
    VEL_LIES_CATEGORICAL,     /* group of codes and categories */
    VEL_LIES_NULLABLE,        /* group of values and mask */
    VEL_LIES_OLD_CATEGORICAL, /* a dataset of codes, the categories in another (anndata 0.7) */
    VEL_LIES_MEMBER,          /* a member of a compound dataset (anndata 0.6) */
    VEL_LIES_FOREIGN,         /* not understood */
} vel_lies;

typedef struct {
    const char *object;     /* where it is in the file */
    const char *member;     /* VEL_LIES_MEMBER: of the compound dataset */
    const char *categories; /* old categoricals: where these are; else NULL */
    vel_lies lies;
} vel_h5ad_item;

/* The groups above an object: a link may lead back to one of them. */
typedef struct vel_h5ad_trail {
    const struct vel_h5ad_trail *up;
    unsigned long file;
    haddr_t address; /* in that file */
    int depth;
} vel_h5ad_trail;

/* Goes on to a group. False: it is above itself, or deeper than any sound file. */
bool vel_h5ad_enter(hid_t group, const vel_h5ad_trail *up, vel_h5ad_trail *here);

typedef struct {
    hid_t file;
    char *name;         /* of the file, for messages */
    vel_arena *strings; /* of entries and items */
    vel_entry *entries;
    vel_h5ad_item *items; /* one an entry */
    int64_t n, room;
    int64_t *order; /* entries by path */
    int64_t n_obs, n_vars;
    const vel_h5ad_trail *trail; /* while listing */
} vel_h5ad;

/* Which of n things: index[k], ascending, or all if index is NULL (then k = n). */
typedef struct {
    const int64_t *index;
    int64_t k;
} vel_pick;

/* ---- listing (h5ad_list.c, h5ad_frame.c, h5ad_legacy.c) */
vel_err vel_h5ad_list(vel_ctx *ctx, vel_h5ad *h) VEL_CHECKED;
/* What one object is; path, object must be long-lived. Members of mappings follow. */
vel_err vel_h5ad_list_object(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) VEL_CHECKED;
vel_err vel_h5ad_list_frame(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) VEL_CHECKED;
/* A compound dataset taken for the mapping `path` of its members. */
vel_err vel_h5ad_list_compound(vel_ctx *ctx, vel_h5ad *h, const char *path, const char *object) VEL_CHECKED;
/* Graphs from uns/neighbors to obsp, categories from uns to their columns; once n_obs is known. */
vel_err vel_h5ad_modernise(vel_ctx *ctx, vel_h5ad *h) VEL_CHECKED;
vel_err vel_h5ad_add(vel_ctx *ctx, vel_h5ad *h, const vel_entry *entry, const vel_h5ad_item *item) VEL_CHECKED;
/* "a/b", long-lived. */
vel_err vel_h5ad_join(vel_ctx *ctx, vel_h5ad *h, const char *a, const char *b, const char **joined) VEL_CHECKED;
/* Names of a group's members, by name, in ctx->scratch. */
vel_err vel_h5ad_members(vel_ctx *ctx, const vel_h5ad *h, const char *object, char ***names, int64_t *n) VEL_CHECKED;
vel_err vel_h5ad_open_object(vel_ctx *ctx, const vel_h5ad *h, const char *object, hid_t *id) VEL_CHECKED;
/* What a group says that it is, in ctx->scratch; NULL: nothing. is_old: in the words of h5sparse. */
vel_err vel_h5ad_word_of(vel_ctx *ctx, hid_t group, char **word, bool *is_old) VEL_CHECKED;
vel_lies vel_h5ad_lies_of(const char *word);
/* A soft or external link to a group of more than one field (or to what is no AnnData): it is not followed, but stays a
 * link, as whole files could hang on it. One to an array, a sparse matrix or a column is taken for what it leads to,
 * and so is one in the place of layers, obsm and their like. */
bool vel_h5ad_is_link(vel_ctx *ctx, const vel_h5ad *h, const char *object);
bool vel_h5ad_exists(const vel_h5ad *h, const char *object);

/* The file that a handle reads from; NULL: none of ours. */
const vel_h5ad *vel_h5ad_of(const vel_adata *ad);

/* The entry's number, -1: none. */
int64_t vel_h5ad_find(const vel_h5ad *h, const char *path);

/* ---- reading: rows and columns are what is wanted of each axis */
typedef struct {
    const vel_h5ad *h;
    const vel_entry *entry;
    const vel_h5ad_item *item;
    vel_pick rows, cols;
} vel_h5ad_source;

/* VEL_ESHAPE if the entry does not fit the axes that it runs along. */
vel_err vel_h5ad_source_of(vel_ctx *ctx, const vel_h5ad *h, const char *path, const vel_selection *sel,
                           vel_h5ad_source *s) VEL_CHECKED;
vel_err vel_h5ad_read(vel_ctx *ctx, const vel_h5ad_source *s, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_dense(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_sparse(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_texts(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_categorical(vel_ctx *ctx, const vel_h5ad_source *s, hid_t object, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_nullable(vel_ctx *ctx, const vel_h5ad_source *s, hid_t group, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_records(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) VEL_CHECKED;
vel_err vel_h5ad_read_member(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_field *out) VEL_CHECKED;

/* "PATH of FILE" for messages, in ctx->scratch. */
const char *vel_h5ad_where(vel_ctx *ctx, const vel_h5ad_source *s);

/* A whole vector of numbers as `type`, in ctx->scratch; n is checked against the dataset's length if it is >= 0. */
vel_err vel_h5ad_vector(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, vel_type type, int64_t *n,
                        void *values) VEL_CHECKED; /* values: address of the pointer */
/* A whole vector of strings, or of numbers and bools as Python writes them; in ctx->scratch. */
vel_err vel_h5ad_words(vel_ctx *ctx, const vel_h5ad_source *s, hid_t dataset, int64_t *n,
                       const char ***texts) VEL_CHECKED;

/* ---- writing */
typedef struct {
    vel_adata *ad;
    const vel_h5ad *from; /* NULL: nothing to carry over from */
    hid_t file;
    const char *name; /* of the output, for messages */
    const vel_packing *packing;
} vel_h5ad_output;

/* Makes an external link anew, by the whole name of its file, if it says where this is from the folder of its own, and
 * the output lies in another. False: it may be copied as it is. */
bool vel_h5ad_move_link(const vel_h5ad_output *out, const char *from, const char *object, hid_t links);
vel_err vel_h5ad_write_field(vel_ctx *ctx, const vel_h5ad_output *out, const char *path, const char *object,
                             const vel_field *f) VEL_CHECKED;
/* A layer that is not compressed, into its dataset of the same shape and type. */
vel_err vel_h5ad_put_turned(vel_ctx *ctx, const vel_h5ad_output *out, const char *object, hid_t dataset,
                            const vel_field *f) VEL_CHECKED;
/* From the store's file, cut as the handle is cut. */
vel_err vel_h5ad_carry(vel_ctx *ctx, const vel_h5ad_output *out, const char *path, const char *object) VEL_CHECKED;
/* A new dataset of the chunks and compression of another. */
typedef struct {
    hid_t from, type;
    int ndim;
    const hsize_t *dims;
    hid_t group; /* where it is made */
    const char *name;
} vel_h5ad_like;
vel_err vel_h5ad_make_like(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_like *like,
                           hid_t *made) VEL_CHECKED;
/* The same for what must be cut: a dataset of any type and any number of dimensions, a sparse matrix. */
vel_err vel_h5ad_cut_dataset(vel_ctx *ctx, const vel_h5ad_output *out, hid_t from, const vel_pick *rows,
                             const vel_pick *cols, hid_t to_group, const char *name) VEL_CHECKED;
vel_err vel_h5ad_cut_sparse(vel_ctx *ctx, const vel_h5ad_output *out, const vel_h5ad_source *s, hid_t from,
                            hid_t to) VEL_CHECKED;
vel_err vel_h5ad_copy_attributes(vel_ctx *ctx, hid_t from, hid_t to) VEL_CHECKED;
/* encoding-type and encoding-version, for what has none. */
vel_err vel_h5ad_mark(vel_ctx *ctx, hid_t object, const char *encoding) VEL_CHECKED;

#endif
