/* knn_square.h - the text of the exact distance, compiled once an instruction set. Four partial sums, (0 + 1) + (2 +
 * 3); nothing is fused. */
#include "core/knn_bodies.h"

#define SQUARE(name, real)                                          \
    static double name(int64_t dim, const real *a, const real *b) { \
        double sum[4] = {0};                                        \
        int64_t d = 0;                                              \
        for (; d + 4 <= dim; d += 4)                                \
            for (int l = 0; l < 4; l++) {                           \
                double gap = (double)a[d + l] - (double)b[d + l];   \
                sum[l] += gap * gap;                                \
            }                                                       \
        double rest[4] = {0};                                       \
        for (int l = 0; d + l < dim; l++) {                         \
            double gap = (double)a[d + l] - (double)b[d + l];       \
            rest[l] = gap * gap;                                    \
        }                                                           \
        for (int l = 0; l < 4; l++) sum[l] += rest[l];              \
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);               \
    }

SQUARE(square_f32, float)
SQUARE(square_f64, double)
