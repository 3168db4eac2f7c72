/* tile_product_lanes.h - the text of core/tile_product.h for vectors of LANES doubles. */
#include "core/tile_product.h"

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias, aligned(8)));

enum { MOST = 4, WIDE = 2 }; /* whose sums are in registers: vectors v at a time, and lanes of cells of each */

/* Of `rows` vectors from j on the cells from i on. */
static inline __attribute__((always_inline)) void add(const vel_tile *of, int rows, int64_t j, int64_t i) {
    lanes sum[MOST][WIDE];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 2
        for (int w = 0; w < WIDE; w++) sum[r][w] = *(lanes *)(void *)(of->y + (j + r) * of->cells + i + w * LANES);
    const double *t = of->t + i, *v = of->v + j;
    for (int64_t g = 0; g < of->genes; g++, t += of->cells, v += of->k) {
        lanes first = *(const lanes *)(const void *)t, second = *(const lanes *)(const void *)(t + LANES);
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
            sum[r][0] += v[r] * first;
            sum[r][1] += v[r] * second;
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 2
        for (int w = 0; w < WIDE; w++) *(lanes *)(void *)(of->y + (j + r) * of->cells + i + w * LANES) = sum[r][w];
}

static void add_cell(const vel_tile *of, int64_t i) {
    for (int64_t g = 0; g < of->genes; g++)
        for (int64_t j = 0; j < of->k; j++) of->y[j * of->cells + i] += of->v[g * of->k + j] * of->t[g * of->cells + i];
}

void TILE_PRODUCT(const vel_tile *of) {
    int64_t i = 0;
    for (; i + WIDE * LANES <= of->cells; i += WIDE * LANES) {
        int64_t j = 0;
        for (; j + MOST <= of->k; j += MOST) add(of, MOST, j, i);
        for (; j < of->k; j++) add(of, 1, j, i);
    }
    for (; i < of->cells; i++) add_cell(of, i);
}
