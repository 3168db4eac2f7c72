#include "core/average.h"

#include "core/terms.h"

int64_t vel_average_row(const vel_csr *g, int64_t c, int32_t *out) {
    int64_t k = 0;
    bool placed = false;
    for (int64_t e = g->indptr[c]; e < g->indptr[c + 1]; e++) {
        int32_t j = g->indices[e];
        if (j == c || !vel_terms_counts(g, e)) continue;
        if (!placed && j > c) {
            out[k++] = (int32_t)c;
            placed = true;
        }
        out[k++] = j;
    }
    if (!placed) out[k++] = (int32_t)c;
    return k;
}

vel_err vel_average_make(vel_ctx *ctx, const vel_csr *g, vel_average *avg) {
    if (g->rows != g->cols)
        return vel_fail(ctx, VEL_ESHAPE, "a neighbour graph must be square, found %lld x %lld", (long long)g->rows,
                        (long long)g->cols);
    int64_t n = g->rows;
    int64_t *indptr;
    int32_t *indices;
    float *weight;
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, g->indptr[n] + n));
    VEL_TRY(VEL_ALLOC(ctx, weight, n));
    indptr[0] = 0;
    for (int64_t c = 0; c < n; c++) {
        int64_t k = vel_average_row(g, c, indices + indptr[c]);
        indptr[c + 1] = indptr[c] + k;
        weight[c] = (float)(1.0 / (double)k);
    }
    *avg = (vel_average){n, indptr, indices, weight};
    return VEL_OK;
}

void vel_average_f64(const vel_average *avg, const double *x, double *y) {
    for (int64_t c = 0; c < avg->n; c++) {
        double w = avg->weight[c], sum = 0;
        for (int64_t e = avg->indptr[c]; e < avg->indptr[c + 1]; e++) sum += w * x[avg->indices[e]];
        y[c] = sum;
    }
}

void vel_average_f32(const vel_average *avg, const float *x, float *y) {
    for (int64_t c = 0; c < avg->n; c++) {
        float w = avg->weight[c], sum = 0;
        for (int64_t e = avg->indptr[c]; e < avg->indptr[c + 1]; e++) sum += w * x[avg->indices[e]];
        y[c] = sum;
    }
}
