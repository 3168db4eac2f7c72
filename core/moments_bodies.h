/* moments_bodies.h - the inner loop of moments.c, one body an instruction set; all give the same bits.
 *
 * x[n * LANES] holds a group of genes interleaved: gene g of cell c is x[c * LANES + g]. Averages of cells
 * [first, first + count) go to y[count * LANES]. */
#ifndef VEL_CORE_MOMENTS_BODIES_H
#define VEL_CORE_MOMENTS_BODIES_H

#include "core/around.h"

enum { VEL_MOMENTS_LANES = 16 };

typedef struct {
    void (*f32)(const vel_around *around, const float *x, int64_t first, int64_t count, float *y);
    void (*f64)(const vel_around *around, const double *x, int64_t first, int64_t count, double *y);
} vel_moments_body;

extern const vel_moments_body vel_moments_plain, vel_moments_avx2, vel_moments_avx512;

#endif
