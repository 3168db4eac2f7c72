/* gram_rows.h - rows of the lower half of a symmetric matrix times a vector, in vectors of the CPU: the same bits in
 * every body. */
#ifndef VEL_CORE_GRAM_ROWS_H
#define VEL_CORE_GRAM_ROWS_H

#include <stdint.h>

#include "core/cpu.h"

enum { VEL_GRAM_ROWS = 4 };

/* VEL_GRAM_ROWS rows a_r of n entries, n a multiple of four, the next one a stride behind. Each entry is read once:
 *
 *     sum[r] += a_r . x,    y[j] += sum over r of a_r[j] by[r]
 *
 * Dot products in four partial sums, (0 + 1) + (2 + 3), nothing fused. y overlaps none of the others. */
typedef struct {
    int64_t n, stride;
    const double *a, *x, *by;
    const double *next; /* the rows that come next, or a: they are fetched meanwhile */
} vel_gram_block;
typedef void vel_gram_rows(const vel_gram_block *b, double *y, double *sum);

vel_gram_rows vel_gram_rows_plain, vel_gram_rows_avx2;

/* The body of a level. */
vel_gram_rows *vel_gram_rows_at(vel_cpu level);

#endif
