/* shuffle.h - HDF5's shuffle filter: of n elements first all first bytes, then all second ones, and so on.
 *
 *     shuffled[b * n + i] = elements[i * size + b]        0 <= i < n, 0 <= b < size
 *
 * The arrays do not overlap. O(n size); elements of 2, 4 and 8 bytes by 16 at a time. */
#ifndef VEL_IO_SHUFFLE_H
#define VEL_IO_SHUFFLE_H

#include <stddef.h>

void vel_shuffle(const char *elements, char *shuffled, size_t n, size_t size);
void vel_unshuffle(const char *shuffled, char *elements, size_t n, size_t size);

#endif
