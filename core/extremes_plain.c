#define LANE_BYTES 16
#include "core/extremes_lanes.h"

static void flag_f32(int64_t n, const float *x, float bound, uint8_t *flags) {
    for (int64_t i = 0; i < n; i++) flags[i] |= x[i] >= bound;
}

static void flag_f64(int64_t n, const double *x, double bound, uint8_t *flags) {
    for (int64_t i = 0; i < n; i++) flags[i] |= x[i] >= bound;
}

const vel_extremes_bodies vel_extremes_plain = {ceiling_f32, ceiling_f64, flag_f32, flag_f64};
