/* ratios_lanes.h - the bodies of ratios.h in vectors of LANE_BYTES bytes, as the set RATIOS. */
#include "core/ratios.h"

/* Columns that are gone through side by side: of so many streams memory gives more than of one. */
enum { TOGETHER = 4 };

#define BODIES(type, each, sum)                                                                               \
    typedef type each##_lanes __attribute__((vector_size(LANE_BYTES), aligned(sizeof(type)), may_alias));     \
    static each##_lanes each##_load(const type *x) { return *(const each##_lanes *)(const void *)x; }         \
    static inline void each##_some(int64_t n, const int m, const type *x, const type *d, type *out) {         \
        enum { LANES = LANE_BYTES / sizeof(type) };                                                           \
        int64_t i = 0;                                                                                        \
        for (; i + LANES <= n; i += LANES)                                                                    \
            for (int j = 0; j < m; j++)                                                                       \
                *(each##_lanes *)(void *)(out + j * n + i) = each##_load(x + j * n + i) / each##_load(d + i); \
        for (; i < n; i++)                                                                                    \
            for (int j = 0; j < m; j++) out[j * n + i] = x[j * n + i] / d[i];                                 \
    }                                                                                                         \
    static void each(int64_t n, int64_t m, const type *x, const type *d, type *out) {                         \
        int64_t j = 0;                                                                                        \
        for (; j + TOGETHER <= m; j += TOGETHER) each##_some(n, TOGETHER, x + j * n, d, out + j * n);         \
        for (; j < m; j++) each##_some(n, 1, x + j * n, d, out + j * n);                                      \
    }                                                                                                         \
    static void sum(int64_t n, const type *x, type of_x, const type *y, type of_y, type *out) {               \
        enum { LANES = LANE_BYTES / sizeof(type) };                                                           \
        int64_t i = 0;                                                                                        \
        for (; i + LANES <= n; i += LANES)                                                                    \
            *(each##_lanes *)(void *)(out + i) = each##_load(x + i) / of_x + each##_load(y + i) / of_y;       \
        for (; i < n; i++) out[i] = x[i] / of_x + y[i] / of_y;                                                \
    }
BODIES(float, each_f32, sum_f32)
BODIES(double, each_f64, sum_f64)

const vel_ratios RATIOS = {each_f32, each_f64, sum_f32, sum_f64};
