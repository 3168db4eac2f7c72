/* terms.h - the cells that a cell's average goes over, its neighbours and itself, ascending, straight from the graph.
 *
 * Neighbours are the entries > 0 of a square graph; all entries, if it has no values. */
#ifndef VEL_CORE_TERMS_H
#define VEL_CORE_TERMS_H

#include <stdbool.h>

#include "core/ctx.h"
#include "core/mat.h"

/* Whether entry e counts, if it does not stand on the diagonal. */
static inline bool vel_terms_counts(const vel_csr *g, int64_t e) {
    if (!g->values) return true;
    return g->type == VEL_F32 ? ((const float *)g->values)[e] > 0 : ((const double *)g->values)[e] > 0;
}

/* The graph as a bare pattern without a diagonal: its own arrays, if they are that already; else a copy from
 * ctx->scratch, 4 bytes an entry and 8 a cell. O(entries). */
vel_err vel_terms_pattern(vel_ctx *ctx, const vel_csr *graph, vel_csr *pattern) VEL_CHECKED;

/* Of a row of such a pattern, where the cell itself comes in. */
static inline int64_t vel_terms_below(const int32_t *first, const int32_t *end, int32_t cell) {
    int64_t below = 0;
    for (; first < end; first++) below += *first < cell;
    return below;
}

#endif
