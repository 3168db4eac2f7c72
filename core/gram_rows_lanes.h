/* gram_rows_lanes.h - the text of core/gram_rows.h for vectors of LANES doubles, LANES 2 or 4. */
#include "core/gram_rows.h"

enum { ROWS = VEL_GRAM_ROWS, VECTORS = 4 / LANES };

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias, aligned(8)));

void GRAM_ROWS(const vel_gram_block *b, double *y, double *sum) {
    lanes sums[ROWS][VECTORS] = {{{0}}}, by[ROWS];
    for (int r = 0; r < ROWS; r++) by[r] = (lanes){0} + b->by[r];
    for (int64_t j = 0; j < b->n; j += 4) {
        for (int r = 0; r < ROWS && j % 8 == 0; r++) __builtin_prefetch(b->next + r * b->stride + j);
        for (int v = 0; v < VECTORS; v++) {
            int64_t at = j + v * LANES;
            lanes x = *(const lanes *)(const void *)(b->x + at), down = {0};
            for (int r = 0; r < ROWS; r++) {
                lanes e = *(const lanes *)(const void *)(b->a + r * b->stride + at);
                sums[r][v] += e * x;
                down += e * by[r];
            }
            *(lanes *)(void *)(y + at) += down;
        }
    }
    for (int r = 0; r < ROWS; r++) {
        double part[4];
        for (int k = 0; k < 4; k++) part[k] = sums[r][k / LANES][k % LANES];
        sum[r] += (part[0] + part[1]) + (part[2] + part[3]);
    }
}
