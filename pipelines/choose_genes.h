/* choose_genes.h - which genes a step of the dynamical model takes: var_names and n_top_genes of the reference.
 *
 * Reference: scvelo 0.3.4, recover_dynamics. */
#ifndef VEL_PIPELINES_CHOOSE_GENES_H
#define VEL_PIPELINES_CHOOSE_GENES_H

#include "core/adata.h"
#include "core/value.h"

typedef struct {
    const vel_value *var_names; /* a gene, a list of genes, a boolean column of var, "all", or "…_genes" */
    const vel_value *n_top;     /* none, or how many: those with the largest sums of spliced */
    bool raw;                   /* the step reads counts: "…_genes" without a column means all */
} vel_gene_choice;

/* The genes chosen, ascending, in ctx->scratch. "…_genes" without a column of that name: those with a steady-state
 * line (core/steady_state.h), whose R2 is written to var/fit_r2. Unknown names are warned of; VEL_ENONE if no gene
 * is left. */
vel_err vel_choose_genes(vel_ctx *ctx, vel_adata *ad, const vel_gene_choice *choice, int64_t **genes,
                         int64_t *n_genes) VEL_CHECKED;

#endif
