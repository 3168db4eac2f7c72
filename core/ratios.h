/* ratios.h - arrays divided element by element, in vectors of the CPU: the same bits in every body.
 *
 * A division takes as long for four numbers as for one: without vectors it, and not memory, would limit what divides
 * only. */
#ifndef VEL_CORE_RATIOS_H
#define VEL_CORE_RATIOS_H

#include "core/cpu.h"

#include <stdint.h>

/* each, of m columns of n: out[j n + i] = x[j n + i] / d[i]; out may be x, and overlaps nothing else. sum: out[i] =
 * x[i] / of_x + y[i] / of_y, i < n; out may be x or y, or overlap neither. O(n m). */
typedef struct {
    void (*each_f32)(int64_t n, int64_t m, const float *x, const float *d, float *out);
    void (*each_f64)(int64_t n, int64_t m, const double *x, const double *d, double *out);
    void (*sum_f32)(int64_t n, const float *x, float of_x, const float *y, float of_y, float *out);
    void (*sum_f64)(int64_t n, const double *x, double of_x, const double *y, double of_y, double *out);
} vel_ratios;

extern const vel_ratios vel_ratios_plain, vel_ratios_avx2;

/* The bodies of a level. */
const vel_ratios *vel_ratios_at(vel_cpu level);

#endif
