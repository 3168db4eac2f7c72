#include "core/around.h"

#include "core/average.h"

/* Of a row with the cell itself. */
static int64_t longest(const vel_csr *g) {
    int64_t most = 0;
    for (int64_t c = 0; c < g->rows; c++) {
        int64_t k = g->indptr[c + 1] - g->indptr[c] + 1;
        if (k > most) most = k;
    }
    return most;
}

vel_err vel_around_make(vel_ctx *ctx, const vel_csr *g, vel_around *around) {
    int64_t n = g->rows, *indptr;
    int32_t *row, *near32 = NULL;
    uint16_t *near16 = NULL;
    float *weight;
    if (g->rows != g->cols)
        return vel_fail(ctx, VEL_ESHAPE, "a neighbour graph must be square, found %lld x %lld", (long long)g->rows,
                        (long long)g->cols);
    VEL_TRY(VEL_ALLOC(ctx, row, longest(g)));
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, weight, n));
    if (n <= UINT16_MAX + 1)
        VEL_TRY(VEL_ALLOC(ctx, near16, g->indptr[n] + n));
    else
        VEL_TRY(VEL_ALLOC(ctx, near32, g->indptr[n] + n));
    indptr[0] = 0;
    for (int64_t c = 0; c < n; c++) {
        int64_t k = vel_average_row(g, c, near32 ? near32 + indptr[c] : row);
        for (int64_t e = 0; near16 && e < k; e++) near16[indptr[c] + e] = (uint16_t)row[e];
        indptr[c + 1] = indptr[c] + k;
        weight[c] = (float)(1.0 / (double)k);
    }
    *around = (vel_around){n, indptr, near16, near32, weight};
    return VEL_OK;
}
