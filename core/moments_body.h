/* moments_body.h - the text of moments_plain.c and its twins: plain C over lanes, which the compiler turns into vectors
 * of the file's instruction set. No multiply-add is fused in any of them. */
#include "core/moments_bodies.h"

#define ROWS(near)                                                                            \
    for (int64_t i = 0; i < count; i++) {                                                     \
        real w = around->weight[first + i], sum[VEL_MOMENTS_LANES] = {0};                     \
        for (int64_t e = around->indptr[first + i]; e < around->indptr[first + i + 1]; e++) { \
            const real *row = x + (int64_t)around->near[e] * VEL_MOMENTS_LANES;               \
            for (int g = 0; g < VEL_MOMENTS_LANES; g++) sum[g] += w * row[g];                 \
        }                                                                                     \
        for (int g = 0; g < VEL_MOMENTS_LANES; g++) y[i * VEL_MOMENTS_LANES + g] = sum[g];    \
    }

#define AVERAGE(name, type)                                                                            \
    static void name(const vel_around *around, const type *x, int64_t first, int64_t count, type *y) { \
        typedef type real;                                                                             \
        if (around->near16)                                                                            \
            ROWS(near16)                                                                               \
        else                                                                                           \
            ROWS(near32)                                                                               \
    }

AVERAGE(average_f32, float)
AVERAGE(average_f64, double)
