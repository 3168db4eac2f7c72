/* nearby.h - the neighbours of every cell in their order, laid out for many sums over them. In any order:
 * core/segments.h.
 *
 * Patches of rows are done one after the other, so that what they read stays in the cache. Within a patch rows of about
 * equal length stand together, filled up to whole blocks with a cell that adds nothing, so that the loop over a row has
 * the same length again and again; cells get places such that neighbours are near in memory (breadth first through the
 * graph); numbers are 16 bits wide where they can be. Made once, read by all threads. */
#ifndef VEL_CORE_NEARBY_H
#define VEL_CORE_NEARBY_H

#include "core/average.h"

enum { VEL_NEARBY_BLOCK = 8, VEL_NEARBY_PATCH = 4096 };

/* `rows` rows of `blocks` blocks each. */
typedef struct {
    int64_t rows, blocks;
} vel_nearby_run;

typedef struct {
    int64_t n;
    const float *weight;  /* n: of every entry of a row (average.h) */
    const int32_t *place; /* n: of each cell in the array that is summed over, 0 .. n - 1 */
    const int32_t *order; /* n: the cell at each place */
    const int32_t *cell;  /* n: whose row comes next */
    const vel_nearby_run *runs;
    int64_t n_runs;
    /* Twice the places of the neighbours, row after row; 2 n: that of the cell that adds nothing, a place of its own
     * behind the others. One of the two is NULL: near32 where 2 n has room in 16 bits. */
    const uint16_t *near16;
    const int32_t *near32;
} vel_nearby;

/* Of the entries > 0 of a square graph (all entries, if it has no values) and the cell itself. Memory from
 * ctx->scratch: 2 or 4 bytes an entry, 16 a cell and a few for the runs. O(entries). */
vel_err vel_nearby_make(vel_ctx *ctx, const vel_csr *graph, vel_nearby *nearby) VEL_CHECKED;

#endif
