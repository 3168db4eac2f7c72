#include "core/cosine.h"

#include <math.h>

#include "core/least.h"
#include "core/sum.h"

/* Rows of the widest tile: the bodies for AVX2 and AVX-512 take up to 32 cells at once. */
#define TILE 32

size_t vel_cosine_work(const vel_cosine_space *space) { return (size_t)space->stride * TILE; }

static float signed_sqrt(float x) { return copysignf(sqrtf(fabsf(x)), x); }

static float dot(int64_t n, const float *x, const float *y) {
    float sum = 0;
    for (int64_t g = 0; g < n; g++) sum += x[g] * y[g];
    return sum;
}

float vel_cosine_center(const vel_cosine_space *space, float *v) {
    int64_t n = space->n_genes;
    float sum = 0, squares = 0;
    for (int64_t g = 0; g < n; g++) {
        if (space->sqrt_transform) v[g] = signed_sqrt(v[g]);
        sum += v[g];
    }
    float mean = sum / (float)n;
    for (int64_t g = 0; g < n; g++) v[g] -= mean;
    /* numpy.einsum of a vector sums within NumPy's buffers; of a matrix, below, it does not. */
    for (int64_t g = 0; g < n; g += VEL_SUM_CHUNK) squares += dot(vel_least(n - g, VEL_SUM_CHUNK), v + g, v + g);
    return sqrtf(squares);
}

static float sum_of_squares(int64_t n, const float *x) {
    float lane[4] = {0, 0, 0, 0};
    int64_t g = 0;
    for (; g + 16 <= n; g += 16)
        for (int group = 12; group >= 0; group -= 4)
            for (int l = 0; l < 4; l++) lane[l] += x[g + group + l] * x[g + group + l];
    for (; g < n; g++) lane[g & 3] += x[g] * x[g];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static void subtract_pieces(const vel_cosine_space *space, int64_t from, int64_t to, float *d) {
    const vel_pieces *pieces = space->pieces;
    const vel_pieces_row x = vel_pieces_of(pieces, from), y = vel_pieces_of(pieces, to);
    for (int64_t p = 0, first = 0; first < space->n_genes; p++, first += pieces->width) {
        const float *a = x.starts[p] + x.at, *b = y.starts[p] + y.at;
        int64_t left = space->n_genes - first, n = vel_least(left, pieces->width);
        for (int64_t g = 0; g < n; g++) d[first + g] = b[g] - a[g];
    }
}

static void subtract(const vel_cosine_space *space, int64_t from, int64_t to, float *d) {
    if (space->pieces) {
        subtract_pieces(space, from, to, d);
    } else {
        const float *x = space->x + from * space->stride, *y = space->x + to * space->stride;
        for (int64_t g = 0; g < space->n_genes; g++) d[g] = y[g] - x[g];
    }
    if (space->sqrt_transform)
        for (int64_t g = 0; g < space->n_genes; g++) d[g] = signed_sqrt(d[g]);
}

float vel_cosine_difference(const vel_cosine_space *space, int64_t from, int64_t to, float *d) {
    subtract(space, from, to, d);
    return sqrtf(sum_of_squares(space->n_genes, d));
}

void vel_cosines_plain(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *cosines) {
    int64_t n = space->n_genes;
    for (int64_t k = 0; k < query->m; k++) {
        subtract(space, query->cell, query->cells[k], work);
        float mean = vel_mean_f32(work, n);
        for (int64_t g = 0; g < n; g++) work[g] -= mean;
        float cosine = dot(n, work, query->v) / (sqrtf(sum_of_squares(n, work)) * query->norm);
        cosines[k] = isnan(cosine) ? 0 : cosine;
    }
}

vel_cosine_body vel_cosine_body_for(vel_cpu level) {
#if defined(__x86_64__)
    if (level == VEL_CPU_AVX512) return vel_cosines_avx512;
    if (level == VEL_CPU_AVX2) return vel_cosines_avx2;
#endif
    (void)level;
    return vel_cosines_plain;
}
