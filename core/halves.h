/* halves.h - doubles as float32 and what leads back to them, in the memory that they have.
 *
 *     x -> f = (float)x and r = bits of x - bits of (double)f, in 32 bits each; back: bits of (double)f + r
 *
 * So every bit comes back, whatever it means. There is no room for the r of a signalling NaN, of what overflows a
 * float, and of nearly all that is subnormal as one. Nothing is allocated. O(n). */
#ifndef VEL_CORE_HALVES_H
#define VEL_CORE_HALVES_H

#include <stdbool.h>
#include <stdint.h>

enum { VEL_HALVES_STEP = 16, VEL_HALVES_MOST = 640, VEL_LINE = 64 };

/* The first byte from p on that begins a line of the cache. */
static inline char *vel_line_from(char *p) { return p + (VEL_LINE - (uintptr_t)p % VEL_LINE) % VEL_LINE; }

/* x[n], n <= VEL_HALVES_MOST a multiple of VEL_HALVES_STEP: the n floats lie from vel_line_from(x) on, the rests around
 * them. False, and x as it was, if some rest has no room. */
bool vel_halve(double *x, int64_t n);

/* Puts x[n] back. */
void vel_unite(double *x, int64_t n);

#endif
