/* estimate_impl.h - the inside of the memory estimate, for pipelines/estimate*.c only. */
#ifndef VEL_PIPELINES_ESTIMATE_IMPL_H
#define VEL_PIPELINES_ESTIMATE_IMPL_H

#include "pipelines/estimate.h"

enum { VEL_MOST_FIELDS = 512 };

typedef struct {
    const char *path;
    double bytes, value; /* value: bytes of one, 0 if sparse */
    double width;        /* the same, sparse or not */
    double most;         /* bytes, where the number of velocity genes or of entries is not known */
    double stored_share; /* of its bytes those of values */
    double narrows;      /* of its bytes those that go once it is changed: of integers, which become float32 */
    double unused;       /* of its bytes those of large pages beyond its end, which a scratch file has not */
    bool is_layer, is_matrix, made;
    bool is_graph; /* it leaves RAM while it is made, if it is spilled */
    bool is_part;  /* a selection of a layer's genes, which is given back at the end of the step */
} vel_held;

typedef struct {
    vel_ctx *ctx;
    const vel_adata *ad;
    const vel_plan *plan;
    int threads;
    double n_obs, n_vars, n_neighbors;
    double sought;                    /* neighbours that the velocity graph looks for itself; 0: those stored will do */
    double share, most_share;         /* of the genes that are velocity genes */
    double told[VEL_MOST_PLANNED];    /* of each step the share that it will choose, 0: that is not known */
    double reach, most_reach;         /* cells that a cell leads to in the velocity graph */
    double bound;                     /* that no cell leads to more */
    bool kept, most_kept;             /* genes are left out whose number is not known yet, likely and possibly */
    double tables, spilled_tables;    /* that HDF5 has by now, of chunks of a tile; more for the larger of a limit */
    bool raw;                         /* what the step runs within itself if counts look raw, it will run */
    vel_held fields[VEL_MOST_FIELDS]; /* that are in memory, in the order of coming in */
    int n_fields;
    vel_estimate *e;
    double lasting; /* what libraries keep */
    double peak, sure, least, inputs, results;
} vel_tally;

/* ---- estimate_step.c: what a step has in memory, from the reading of its fields to its results */

/* A step counts: t->peak, t->sure and t->least, and the fields that it leaves in memory. */
void vel_tally_step(vel_tally *t, const vel_planned *s);
/* The larger of bytes and *most, and where it is. */
void vel_tally_note(double bytes, const char *step, double *most, const char **where);

/* ---- estimate_fields.c: how large fields are, and which are in memory */

/* NULL: it is not in memory. */
vel_held *vel_tally_find(vel_tally *t, const char *path);

/* Bytes of a field of the file in memory. */
double vel_tally_loaded(const vel_entry *e);
/* Of those of a sparse matrix the share of its values. */
double vel_tally_values_share(const vel_entry *e);

/* A field of the file comes in; returns its bytes if it does not stay. */
double vel_tally_read(vel_tally *t, const vel_planned_key *read);
/* A step makes a field, or changes it in place. */
void vel_tally_write(vel_tally *t, const vel_planned *s, const vel_planned_key *write);
/* Layers that the step may change in place: integers become narrow. */
void vel_tally_change(vel_tally *t, const vel_planned *s);
/* The step has ended: parts of layers go. */
void vel_tally_give_parts(vel_tally *t);
/* Of layers that are there the chosen genes stay; parts have no others. */
void vel_tally_keep_chosen(vel_tally *t);
/* Genes are cut to so many. */
void vel_tally_cut(vel_tally *t, double n_vars);

/* Bytes in memory, as expected and at most. */
double vel_tally_resident(const vel_tally *t);
double vel_tally_most_resident(const vel_tally *t);

/* Principal components that a step makes. */
double vel_tally_components(const vel_tally *t, const vel_planned *s);

/* Bytes of a value of the layers that a step reads: of the one that the key is like, else of the widest. */
double vel_tally_width(const vel_tally *t, const vel_planned *s, const vel_key *key);

/* ---- estimate_within.c: steps that a step runs within itself */

/* Whether the counts look raw by which the step runs another within itself. Of the file the first values are read. */
bool vel_tally_is_raw(vel_tally *t, const vel_planned *s);
/* The next of these steps, from the k-th write on: they make what it would read if it were there, or bring it to what
 * it takes. NULL: none. */
const vel_step *vel_tally_within(const vel_tally *t, const vel_planned *s, int *k);
/* Layers come in that such a step changes, and the step itself does not read. */
void vel_tally_read_within(vel_tally *t, const vel_planned *s);
/* Bytes of layers that such a step has as a whole: of those that change layers, or of the others, which come later. */
double vel_tally_whole_within(vel_tally *t, const vel_planned *s, bool changing);

/* ---- estimate_graph.c: how far a velocity graph will lead */

/* t->reach, t->most_reach and t->bound of a step. If the neighbour graph that it takes is in the file, that is read,
 * walked from some of its cells, and let go: O(cells * neighbours + cells walked); else they are foretold. */
void vel_tally_walk(vel_tally *t, const vel_planned *s);
/* Whether it walks in both directions of neighbours. */
bool vel_tally_walks_ties(const vel_planned *s);
/* Rows of the graph that are made at once, and bytes of their entries at most. */
double vel_tally_rows_at_once(const vel_tally *t);
double vel_tally_bytes_at_once(const vel_tally *t, double reach);

/* ---- estimate_beside.c: what a step has beside its fields */

/* What the iterator of blocks has of each layer, in bytes at most. */
enum { VEL_BLOCK_BYTES = 32 << 20 };

/* Whether the step writes that field, and likely. */
bool vel_planned_writes(const vel_planned *s, const char *path);
/* Whether a condition, as vel_key.when, holds for a call; false if the step has no such option. */
bool vel_planned_holds(const vel_planned *s, const char *when);
/* Whether genes are chosen, but no more than so many, where a row says that there must be more: for a limit those that
 * may be. */
bool vel_tally_are_few(const vel_tally *t, int more_than);
/* The step's row of work for a call. */
const vel_work *vel_planned_work(const vel_tally *t, const vel_planned *s);
/* Genes that a step takes care of; those that it takes at once, if what the iterator has of one is so many bytes. */
double vel_tally_genes(const vel_tally *t, const vel_planned *s);
double vel_tally_genes_at_once(const vel_tally *t, const vel_planned *s, double bytes);
/* Bytes: what a step has before layers are read, and no more once they are, as expected or at most. */
double vel_tally_early(const vel_tally *t, const vel_planned *s, bool most);
/* Of what it keeps what is there while they are read. */
double vel_tally_lists(const vel_tally *t, const vel_planned *s);
/* Bytes: of what a step has beside its fields what goes before its results are made; the rest, of a share of the genes,
 * and at most. */
double vel_tally_at_first(vel_tally *t, const vel_planned *s);
double vel_tally_beside(vel_tally *t, const vel_planned *s, double share);
double vel_tally_beside_at_most(vel_tally *t, const vel_planned *s);
/* Bytes: what a step that changes layers, run within this one, has beside its fields. */
double vel_tally_beside_changing(const vel_tally *t, const vel_planned *s);
/* What other steps have that are run within it; what it has itself once they have ended. */
double vel_tally_beside_within(vel_tally *t, const vel_planned *s);
double vel_tally_beside_own(vel_tally *t, const vel_planned *s);
/* Of the rest the copy of a layer that passes, if it is turned in its place instead. */
double vel_tally_turned_in_place(vel_tally *t, const vel_planned *s, double share);
/* A copy of the stored values of X. */
double vel_tally_logged(vel_tally *t, const vel_planned *s);

/* ---- estimate_pca.c: what principal components take beside the fields, in bytes; 0 if the step makes none */

/* What linear algebra keeps once it was used. */
double vel_tally_lasting_of_components(vel_tally *t, const vel_planned *s);
/* What goes before the results are made, and the rest. */
double vel_tally_components_at_first(vel_tally *t, const vel_planned *s);
double vel_tally_components_beside(vel_tally *t, const vel_planned *s);

/* ---- estimate_spilled.c: what is in memory at once, if layers lie in a scratch file, in bytes */

/* Linux maps so much of a file around a page that is read. */
enum { VEL_MAPPED_AROUND = 1 << 16 };

/* Whether a field lies in the scratch file. */
bool vel_tally_rests(const vel_held *f);
/* Fields that do not; of the other matrices those that a step uses, of layers what it touches at once. */
double vel_tally_small_fields(const vel_tally *t);
double vel_tally_matrices(const vel_tally *t, const vel_planned *s);
/* Of those what it reads itself, without what only steps within it need. */
double vel_tally_own_matrices(vel_tally *t, const vel_planned *s);
double vel_tally_touched(vel_tally *t, const vel_planned *s);

/* ---- estimate_moving.c: what reading, carrying over and writing take beside the fields, in bytes */

double vel_tally_reading(vel_tally *t, const vel_planned *s, bool spilled);
/* What HDF5 and threads that open chunks keep of what comes in: chunks, tables, heaps. */
double vel_tally_tables(vel_tally *t, const vel_planned *s);
double vel_tally_carrying(vel_tally *t, bool kept);
double vel_tally_writing(const vel_tally *t, const vel_held *f);

/* ---- estimate_genes.c: how many genes a step will choose */

/* A number that an option of the step has; false and *x as it was if it is none. */
bool vel_option_number(const vel_planned *s, const char *name, double *x);
/* The same of a list: how long it is. */
bool vel_option_count(const vel_planned *s, const char *name, double *x);

/* t->share and t->most_share of a step: all genes if it looks for the choice and there is none; those that are chosen
 * if the file has it; else what the step that makes it tells from some cells of the file, or about four of five of
 * those that may be, and all of these at most. */
void vel_tally_choose(vel_tally *t, const vel_planned *s);

#endif
