/* turn.h - the transpose of a matrix, copied.
 *
 *     to[j * to_stride + i] = from[i * from_stride + j]        0 <= i < rows, 0 <= j < cols
 *
 * Files hold layers cell by cell, kernels want them gene by gene: every layer is turned twice on its way. */
#ifndef VEL_CORE_TURN_H
#define VEL_CORE_TURN_H

#include <stddef.h>
#include <stdint.h>

/* Elements of 1, 2, 4 or 8 bytes, strides in elements; the arrays do not overlap. Bits are copied, whatever they mean.
 * O(rows cols), by squares that stay in the first cache. */
void vel_turn(size_t size, int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to,
              int64_t to_stride);

#endif
