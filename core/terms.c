#include "core/terms.h"

static bool is_neighbor(const vel_csr *g, int64_t row, int64_t e) {
    return g->indices[e] != row && vel_terms_counts(g, e);
}

static bool is_pattern(const vel_csr *g) {
    bool only = true;
    for (int64_t i = 0; i < g->rows && only; i++)
        for (int64_t e = g->indptr[i]; e < g->indptr[i + 1]; e++) only &= is_neighbor(g, i, e);
    return only;
}

static vel_err copy_neighbors(vel_ctx *ctx, const vel_csr *g, vel_csr *pattern) {
    int64_t *indptr, k = 0;
    int32_t *indices;
    VEL_TRY(VEL_ALLOC(ctx, indptr, g->rows + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, g->indptr[g->rows]));
    indptr[0] = 0;
    for (int64_t i = 0; i < g->rows; i++) {
        for (int64_t e = g->indptr[i]; e < g->indptr[i + 1]; e++)
            if (is_neighbor(g, i, e)) indices[k++] = g->indices[e];
        indptr[i + 1] = k;
    }
    pattern->indptr = indptr;
    pattern->indices = indices;
    return VEL_OK;
}

vel_err vel_terms_pattern(vel_ctx *ctx, const vel_csr *graph, vel_csr *pattern) {
    if (graph->rows != graph->cols)
        return vel_fail(ctx, VEL_ESHAPE, "a neighbour graph must be square, found %lld x %lld", (long long)graph->rows,
                        (long long)graph->cols);
    *pattern = (vel_csr){graph->rows, graph->cols, graph->indptr, graph->indices, NULL, VEL_NOTYPE};
    return is_pattern(graph) ? VEL_OK : copy_neighbors(ctx, graph, pattern);
}
