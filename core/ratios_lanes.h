/* ratios_lanes.h - the bodies of ratios.h in vectors of LANE_BYTES bytes, as the set RATIOS. */
#include "core/ratios.h"

#define BODIES(type, each, sum)                                                                           \
    typedef type each##_lanes __attribute__((vector_size(LANE_BYTES), aligned(sizeof(type)), may_alias)); \
    static each##_lanes each##_load(const type *x) { return *(const each##_lanes *)(const void *)x; }     \
    static void each(int64_t n, const type *x, const type *d, type *out) {                                \
        enum { LANES = LANE_BYTES / sizeof(type) };                                                       \
        int64_t i = 0;                                                                                    \
        for (; i + LANES <= n; i += LANES)                                                                \
            *(each##_lanes *)(void *)(out + i) = each##_load(x + i) / each##_load(d + i);                 \
        for (; i < n; i++) out[i] = x[i] / d[i];                                                          \
    }                                                                                                     \
    static void sum(int64_t n, const type *x, type of_x, const type *y, type of_y, type *out) {           \
        enum { LANES = LANE_BYTES / sizeof(type) };                                                       \
        int64_t i = 0;                                                                                    \
        for (; i + LANES <= n; i += LANES)                                                                \
            *(each##_lanes *)(void *)(out + i) = each##_load(x + i) / of_x + each##_load(y + i) / of_y;   \
        for (; i < n; i++) out[i] = x[i] / of_x + y[i] / of_y;                                            \
    }
BODIES(float, each_f32, sum_f32)
BODIES(double, each_f64, sum_f64)

const vel_ratios RATIOS = {each_f32, each_f64, sum_f32, sum_f64};
