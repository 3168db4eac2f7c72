/* named.h - recipes with a name: rows. The published workflows under vendor/ join them, one file each. */
#ifndef VEL_PIPELINES_NAMED_H
#define VEL_PIPELINES_NAMED_H

#include <stdint.h>

/* From counts to neighbours: how every named recipe begins, before `moments`. */
#define VEL_COUNTS_TO_NEIGHBORS                                         \
    "filter_genes min_shared_counts=20 | normalize_per_cell | log1p | " \
    "highly_variable_genes n_top_genes=2000 subset=true | pca n_comps=30 | neighbors n_pcs=30 n_neighbors=30"

typedef struct {
    const char *name, *help;
    const char *recipe; /* may name other recipes; a step that this program does not have is said when it is run */
    /* of a published workflow; NULL and 0 for the others */
    const char *data;      /* the file's name in a folder of data */
    const char *source;    /* where the published file comes from */
    int64_t n_obs, n_vars; /* published number of cells; genes after the choice of genes */
    const char *notes;
} vel_named;

extern const vel_named *const vel_named_rows[];
extern const int vel_n_named;
const vel_named *vel_named_find(const char *name); /* '-' and '_' are the same; NULL: there is none */

#endif
