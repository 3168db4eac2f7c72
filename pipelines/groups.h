/* groups.h - a column of obs as groups of cells. */
#ifndef VEL_PIPELINES_GROUPS_H
#define VEL_PIPELINES_GROUPS_H

#include "core/adata.h"
#include "core/value.h"

typedef struct {
    const char *key; /* the column, without "obs/" */
    int64_t n;       /* cells */
    int64_t n_names;
    const char *const *names; /* categories in their order; of texts and whole numbers: ascending */
    const int32_t *codes;     /* n: -1 where there is no group */
} vel_groups;

/* Reads obs/{key}: a categorical, texts, or a column of integers or booleans. VEL_EKEY if it is not there, VEL_ETYPE if
 * its values are no groups. In ctx->scratch. */
vel_err vel_read_groups(vel_ctx *ctx, vel_adata *ad, const char *key, vel_groups *groups) VEL_CHECKED;

/* The column that groups are looked for in: key if obs has it, else clusters, else louvain, as the reference does.
 * VEL_EKEY if there is none of them. key may be NULL. */
vel_err vel_find_groups(vel_ctx *ctx, vel_adata *ad, const char *key, vel_groups *groups) VEL_CHECKED;

/* cells[n] out: whether the group of a cell is among the names of an option (a text or a list of them). VEL_EUSAGE if a
 * name is no group, or no cell is left. */
vel_err vel_cells_of_groups(vel_ctx *ctx, const vel_groups *groups, const char *option, const vel_value *names,
                            uint8_t **cells) VEL_CHECKED;

#endif
