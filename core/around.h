/* around.h - the cells around each cell, itself among them, in lists as short as they can be, for averages of many
 * genes.
 *
 * What core/average.h has for one quantity after the other; numbers of cells are 16 bits wide where there are no more.
 */
#ifndef VEL_CORE_AROUND_H
#define VEL_CORE_AROUND_H

#include "core/ctx.h"
#include "core/mat.h"

typedef struct {
    int64_t n;
    const int64_t *indptr;  /* n + 1 */
    const uint16_t *near16; /* ascending in a row, the diagonal among them. One of the two is NULL */
    const int32_t *near32;
    const float *weight; /* n: float(1 / entries), of every entry of a row */
} vel_around;

/* Over the entries > 0 of a square graph (all entries, if it has no values). Memory from ctx->scratch: 2 or 4 bytes an
 * entry, 12 a cell. O(entries). */
vel_err vel_around_make(vel_ctx *ctx, const vel_csr *graph, vel_around *around) VEL_CHECKED;

#endif
