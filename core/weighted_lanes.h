/* weighted_lanes.h - the text of core/weighted.h for vectors of LANES doubles. */
#include "core/weighted.h"

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias, aligned(8)));

void WEIGHTED_ADD(int rows, const double *x, const double *const *v, int64_t k, double *y) {
    int64_t j = 0;
    for (; rows == VEL_WEIGHTED_ROWS && j + LANES <= k; j += LANES) {
        lanes sum = *(lanes *)(void *)(y + j);
        for (int r = 0; r < VEL_WEIGHTED_ROWS; r++) sum += x[r] * *(const lanes *)(const void *)(v[r] + j);
        *(lanes *)(void *)(y + j) = sum;
    }
    for (; j < k; j++)
        for (int r = 0; r < rows; r++) y[j] += x[r] * v[r][j];
}
