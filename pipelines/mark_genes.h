/* mark_genes.h - the genes that an option of a step names. */
#ifndef VEL_PIPELINES_MARK_GENES_H
#define VEL_PIPELINES_MARK_GENES_H

#include "core/adata.h"
#include "core/value.h"

/* marks[n_vars] = 1 for the genes of the names, one text or a list of them; of genes that share a name: every one, or
 * the first. Names that no gene has are warned of, in one line. O(names x genes). */
vel_err vel_mark_genes(vel_ctx *ctx, vel_adata *ad, const char *option, const vel_value *names, bool every,
                       uint8_t *marks) VEL_CHECKED;

#endif
