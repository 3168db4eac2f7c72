/* moments_body.h - the text of moments_plain.c and its twins: plain C over lanes, which the compiler turns into vectors
 * of the file's instruction set. No multiply-add is fused in any of them. */
#include "core/moments_bodies.h"

#define AVERAGE(name, real)                                                                          \
    static void name(const vel_average *avg, const real *x, int64_t first, int64_t count, real *y) { \
        for (int64_t i = 0; i < count; i++) {                                                        \
            real w = avg->weight[first + i], sum[VEL_MOMENTS_LANES] = {0};                           \
            for (int64_t e = avg->indptr[first + i]; e < avg->indptr[first + i + 1]; e++) {          \
                const real *row = x + (int64_t)avg->indices[e] * VEL_MOMENTS_LANES;                  \
                for (int g = 0; g < VEL_MOMENTS_LANES; g++) sum[g] += w * row[g];                    \
            }                                                                                        \
            for (int g = 0; g < VEL_MOMENTS_LANES; g++) y[i * VEL_MOMENTS_LANES + g] = sum[g];       \
        }                                                                                            \
    }

AVERAGE(average_f32, float)
AVERAGE(average_f64, double)
