/* extremes_lanes.h - ceiling of extremes_bodies.h in vectors of LANE_BYTES bytes: ceiling_f32, ceiling_f64. Four
 * vectors at a time, since each maximum waits for the one before, and the bits of v - v, which are 0 but for what is
 * not finite. */
#include <math.h>

#include "core/extremes_bodies.h"

#define CEILING(name, real, word)                                                                     \
    static real name##_of_any(int64_t n, const real *x, real most) {                                  \
        for (int64_t c = 0; c < n; c++)                                                               \
            if (!(x[c] <= most)) {                                                                    \
                if (isnan(x[c])) return x[c];                                                         \
                most = x[c];                                                                          \
            }                                                                                         \
        return most;                                                                                  \
    }                                                                                                 \
    static real name(int64_t n, const real *x, real most) {                                           \
        typedef real some __attribute__((vector_size(LANE_BYTES), aligned(sizeof(real)), may_alias)); \
        typedef word masks __attribute__((vector_size(LANE_BYTES)));                                  \
        enum { LANES = LANE_BYTES / sizeof(real), AT_ONCE = 4 };                                      \
        const some least = (some){0} + most;                                                          \
        some high[AT_ONCE] = {least, least, least, least};                                            \
        masks odd = {0};                                                                              \
        int64_t whole = n / (AT_ONCE * LANES) * (AT_ONCE * LANES);                                    \
        for (int64_t c = 0; c < whole; c += AT_ONCE * LANES) {                                        \
            _Pragma("GCC unroll 4") for (int k = 0; k < AT_ONCE; k++) {                               \
                some v = *(const some *)(const void *)(x + c + k * LANES);                            \
                masks above = v > high[k];                                                            \
                high[k] = (some)(((masks)v & above) | ((masks)high[k] & ~above));                     \
                odd |= (masks)(v - v);                                                                \
            }                                                                                         \
        }                                                                                             \
        for (int k = 0; k < LANES; k++)                                                               \
            if (odd[k]) return name##_of_any(n, x, most);                                             \
        for (int k = 0; k < AT_ONCE * LANES; k++)                                                     \
            if (high[k / LANES][k % LANES] > most) most = high[k / LANES][k % LANES];                 \
        return name##_of_any(n - whole, x + whole, most);                                             \
    }
CEILING(ceiling_f32, float, int32_t)
CEILING(ceiling_f64, double, int64_t)
