/* extremes_bodies.h - the passes of extremes.c, one body an instruction set; all give the same bits. */
#ifndef VEL_CORE_EXTREMES_BODIES_H
#define VEL_CORE_EXTREMES_BODIES_H

#include <stdint.h>

#include "core/cpu.h"

/* ceiling: the largest of least and x[n]; the first NaN, if there is one. flag: flags[i] |= x[i] >= bound, i < n. */
typedef struct {
    float (*ceiling_f32)(int64_t n, const float *x, float least);
    double (*ceiling_f64)(int64_t n, const double *x, double least);
    void (*flag_f32)(int64_t n, const float *x, float bound, uint8_t *flags);
    void (*flag_f64)(int64_t n, const double *x, double bound, uint8_t *flags);
} vel_extremes_bodies;

extern const vel_extremes_bodies vel_extremes_plain, vel_extremes_avx2;

const vel_extremes_bodies *vel_extremes_at(vel_cpu level);

#endif
