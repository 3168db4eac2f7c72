/* tallies.h - what counts stored by genes add up to, over cells and over genes, in vectors of the CPU: the same bits in
 * every body, since each sum keeps its order. */
#ifndef VEL_CORE_TALLIES_H
#define VEL_CORE_TALLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cpu.h"

enum { VEL_TALLY_GENES = 4 };

/* joined: of VEL_TALLY_GENES genes x_k[n], y_k[n] at once, which may be the same one: sum[k] is that of x_k + y_k over
 * the cells that have both above 0, cell after cell, and cells[k] how many these are.
 *
 * strand: out[l] = x[l] + x[step + l] + … of n >= 1 terms from left to right, l < rows. Returns true only if every term
 * is a whole number, 0 or more, finite; of numbers from 2^51 on (float: 2^22), or a zero with a sign, it may say that
 * it is not. */
typedef struct {
    void (*joined_f32)(int64_t n, const float *const *x, const float *const *y, float *sum, int64_t *cells);
    void (*joined_f64)(int64_t n, const double *const *x, const double *const *y, double *sum, int64_t *cells);
    bool (*strand_f32)(const float *x, int64_t n, int64_t step, int64_t rows, float *out);
    bool (*strand_f64)(const double *x, int64_t n, int64_t step, int64_t rows, double *out);
} vel_tallies;

extern const vel_tallies vel_tallies_plain, vel_tallies_avx2;

/* The bodies of a level. */
const vel_tallies *vel_tallies_at(vel_cpu level);

#endif
