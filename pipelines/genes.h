/* genes.h - a list of genes from a file, one name a line: those to keep. */
#ifndef VEL_PIPELINES_GENES_H
#define VEL_PIPELINES_GENES_H

#include "core/adata.h"

/* Cuts the handle to the genes listed in the file, in the handle's order; blank lines and white space around a name do
 * not count. Names that no gene has are said. VEL_EREAD: the file cannot be read; VEL_EKEY: no gene is left. */
vel_err vel_genes_keep(vel_ctx *ctx, vel_adata *ad, const char *file) VEL_CHECKED;

#endif
