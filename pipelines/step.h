/* step.h - a step of the pipeline: one row, seen by the CLI, the benches, velcmp and the tests. A new step is one file
 * and one row of steps.def. */
#ifndef VEL_PIPELINES_STEP_H
#define VEL_PIPELINES_STEP_H

#include "core/adata.h"
#include "core/opt.h"

/* How large a field is, for the memory estimate; velcmp names outliers by the axis. */
typedef enum {
    VEL_ANY_SHAPE,
    VEL_OBS,      /* n_obs */
    VEL_VAR,      /* n_vars */
    VEL_OBS_VAR,  /* n_obs x n_vars */
    VEL_OBS_OBS,  /* n_obs x n_obs, sparse: a cell and its neighbours */
    VEL_OBS_TIES, /* the same in both directions */
    VEL_OBS_HOPS, /* neighbours over two hops: the entries of one sign */
    VEL_OBS_ANY,  /* n_obs x k */
    VEL_VAR_ANY,  /* n_vars x k */
    VEL_UNS,      /* small */
} vel_shape;

/* A field that a step reads or writes.
 *   name      a path with options in braces, filled in for the call: "layers/{vkey}", "var/{vkey}_gamma"
 *   when      a condition "option=word|word" under which the row counts; several with commas: all; NULL: always
 *   optional  read if it is there, which is said and recorded (reads); may be left out (writes)
 *   maker     the step that is run first, with its defaults, when the field is missing: done, said, recorded (reads);
 *             the step that this one runs within itself to make it (writes)
 *   if_raw    only if the layers look raw: then the maker, which normalises them, is run within the step (writes)
 *   unless    a path: what is optional is read, or written, only if that is not there (neither in the file nor made)
 *   selected  a layer of which only the velocity genes are read, unless an earlier step had it in memory
 *   passing   one that is given back before the results are made, unless an earlier step had it in memory
 *   more_than it is read only if more genes are chosen than that
 *   chooses   the column that says which genes are selected (reads)
 *   both_signs     a graph over hops that has the entries of both signs (writes)
 *   of_components  as many columns as there are principal components (writes)
 *   like      a layer: the result has its type, if the step reads it (writes)
 *   wide      the condition under which it is of float64 instead (writes)
 *   whole     it is so, and like the layer, only if all genes are chosen, else of its type, and the others stay
 *             untouched (writes)
 *   among     a column of var: a flag is set, or a number made, only for genes that have a number there (writes)
 *   most      an option, a number or a list: there are numbers for so many genes at most, beside those that were there
 *             (writes)
 */
typedef struct {
    const char *name;
    vel_shape shape;
    vel_type type; /* what the step writes; VEL_NOTYPE: various */
    const char *when;
    bool optional;
    const char *maker;
    const char *unless;
    bool if_raw, both_signs, selected, passing, chooses, of_components, whole;
    int more_than;
    const char *like, *wide, *among, *most;
} vel_key;

/* How a step goes through layers: of spilled ones no more than that is in memory (of sparse ones all). */
typedef enum {
    VEL_AT_ONCE,
    VEL_BY_GENES,
    VEL_BY_CELLS,
    VEL_IN_TURN, /* by genes, one layer after the other */
} vel_way;

enum { VEL_ANY_GENES = 1 << 30 };

/* What a step takes beside its fields, at its peak: bytes, for the memory estimate. */
typedef struct {
    const char *when;   /* of several rows the first counts whose condition holds; NULL: it does */
    int more_than;      /* and of which more genes are chosen than that */
    double cell;        /* a cell */
    double gene;        /* a gene */
    double cell_thread; /* a cell and a thread */
    double lanes;       /* values a cell and a thread, as wide as the layers that it reads */
    double few_thread;  /* instead, if fewer genes a thread are chosen than `few` */
    int few;
    const char *chosen;        /* the option, a number or a list, that says of how many genes it takes care at most */
    double cell_neighbor;      /* a cell and a neighbour */
    double cell_tie;           /* the same, beside it, with mode_neighbors=connectivities */
    double early_tie;          /* the same, while the ties are made, before layers are read */
    double most_tie;           /* of that more where few ties go both ways: for a limit */
    double search_neighbor;    /* the same, until the results are made */
    double value;              /* a value of the velocity genes of a layer */
    double turned_value;       /* the same, unless the layer that passes can be turned in its place */
    double copy;               /* dense copies of a layer, in the widest type of those that it reads */
    double copy_first;         /* a value of these, until the results are made */
    const char *copy_when;     /* the condition under which it has both; NULL: always */
    const char *logged_unless; /* it has a copy of X's values, as they are stored, but under this; NULL: never */
    double block;              /* a value of the genes that it takes at once, of which it keeps this few */
    double turned;             /* the same, where a layer is sparse: they lie beside it */
    double genes_thread;       /* genes that it takes at once, a thread; 0: as the iterator of blocks chooses */
    double thread;             /* a thread */
    bool components;           /* it makes principal components: pipelines/estimate_pca.c */
    int at_once;               /* layers that it has as a whole at the same time; 0: all */
    bool rests_within;         /* what steps run within it have used has left RAM once it goes on itself */
    bool x_alone;              /* X and the copy of it are never had with another layer */
    int values_only;           /* with so many genes at most, of a sparse layer it goes through the values alone */
    vel_way through;
} vel_work;

typedef struct {
    const char *name, *help;
    const char *example;           /* one command line, for --help */
    int inputs;                    /* files it takes: 0 simulate, 1 most, 2 merge */
    bool once;                     /* running it twice is not running it once (log1p) */
    bool leaves_out;               /* genes may go by what their counts are */
    const vel_key *reads, *writes; /* end with a NULL name; reads are checked by the runner before run */
    const vel_opt *opts;           /* ends with a NULL name */
    size_t opts_size;
    vel_work work;
    const vel_work *works; /* in place of it: rows, the last without a condition */
    /* Of the genes the share that it will choose as velocity genes, from some cells of the file. An error: that cannot
     * be told. NULL: it chooses none. */
    vel_err (*share)(vel_ctx *ctx, const vel_adata *ad, const void *opts, double *share);
    vel_err (*check)(vel_ctx *ctx, const void *opts); /* what rows of options cannot say, before anything is read */
    vel_err (*run)(vel_ctx *ctx, vel_adata *ad, const void *opts);
    /* A step with inputs = 0 makes its data instead. */
    vel_err (*make)(vel_ctx *ctx, const void *opts, vel_adata **ad);
} vel_step;

/* Every step, in pipeline order. */
extern const vel_step *const vel_steps[];
extern const int vel_n_steps;
const vel_step *vel_step_find(const char *name); /* '-' and '_' are the same; NULL: there is none */

#endif
