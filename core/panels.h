/* panels.h - the memory of a layer as rows of its cells, for a while.
 *
 * A layer lies gene after gene. What compares cells wants some of its genes cell after cell in float32, and a copy is
 * as large as the layer, or half of it. Here the layer is turned where it lies: the genes are cut into panels, a panel
 * into squares of as many cells, and each square is transposed, so that a gene's stretch of it holds one cell's values
 * of the panel: a piece of its row (pieces.h).
 *
 *     float32     a column is shifted to where a line of the cache begins
 *     float64     a stretch is cut in halves (halves.h): floats where a line begins, what leads back around them
 *
 * So every bit comes back, whatever it means. A double without room for the latter is found before its stretch is
 * changed: then all is put back. */
#ifndef VEL_CORE_PANELS_H
#define VEL_CORE_PANELS_H

#include "core/ctx.h"
#include "core/mat.h"
#include "core/pieces.h"

typedef struct vel_panels vel_panels;

/* Whether a layer of so many cells is better turned than copied for so many genes: not for fewer than 256, or fewer
 * cells than a panel has genes, or more than VEL_PIECES_CELLS; not where columns are of whole pages, which get into
 * each other's way in the caches. */
bool vel_panels_suit(vel_type type, int64_t n_cells, int64_t n_genes);

/* Turns the columns genes[n_genes], ascending, of a layer (float32 or float64; row_stride 1). Other columns lend their
 * places to make panels whole. *panels is NULL, and the layer as it was, if the call fails, a value has no room, or
 * they do not suit. Nobody else may look at the layer, or cut or drop it, until it is restored.
 * Memory from ctx->scratch: the rows of cells that fill no square, and columns that the layer has not enough of; the
 * width of the panels is chosen so that these are few. Parallel. O(n_genes cells). */
vel_err vel_panels_turn(vel_ctx *ctx, const vel_mat *layer, const int64_t *genes, int64_t n_genes,
                        vel_panels **panels) VEL_CHECKED;

/* The rows, until the layer is restored. */
const vel_pieces *vel_panels_pieces(const vel_panels *panels);

/* Puts every bit back. NULL is fine. Cannot fail, is not cancelled, takes no scratch. */
void vel_panels_restore(const vel_ctx *ctx, vel_panels *panels);

#endif
