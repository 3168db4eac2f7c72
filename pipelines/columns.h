/* columns.h - one gene of a block, on all cells or on some of them, as kernels take it. */
#ifndef VEL_PIPELINES_COLUMNS_H
#define VEL_PIPELINES_COLUMNS_H

#include "core/adata.h"

/* Cells to work on: index[n] ascending, or every cell (index NULL). */
typedef struct {
    const int64_t *index;
    int64_t n;
} vel_chosen_cells;

/* The cells whose flag is set, in ctx->scratch; keep NULL: all n. */
vel_err vel_choose_cells(vel_ctx *ctx, const uint8_t *keep, int64_t n, vel_chosen_cells *cells) VEL_CHECKED;

/* x[cells->n], contiguous: the column itself, or gathered in ctx->scratch. */
vel_err vel_column_take(vel_ctx *ctx, const vel_cmat *m, int64_t gene, const vel_chosen_cells *cells,
                        const void **x) VEL_CHECKED;

/* Room for cells->n values of type that are to become a column: the column itself if they can be written in place, else
 * ctx->scratch; vel_column_put brings them there, in the type of the matrix. */
vel_err vel_column_room(vel_ctx *ctx, const vel_mat *m, int64_t gene, const vel_chosen_cells *cells, vel_type type,
                        void **x) VEL_CHECKED;
void vel_column_put(const vel_mat *m, int64_t gene, const vel_chosen_cells *cells, vel_type type, const void *x);

#endif
