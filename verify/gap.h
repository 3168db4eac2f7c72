/* gap.h - how far apart the elements of two arrays are. */
#ifndef VEL_VERIFY_GAP_H
#define VEL_VERIFY_GAP_H

#include <stdint.h>

#include "verify/tolerance.h"

typedef struct {
    int64_t n;           /* pairs */
    int64_t outside;     /* of these, not within the tolerance */
    int64_t nan_differs; /* of the outside, NaN on one side only */
    int64_t same_bits;   /* equal bit by bit; two NaN count as equal */
    double max_abs;      /* largest |a - b| */
    double max_rel;      /* largest |a - b| / max(|a|, |b|) */
} vel_gap;

/* One more pair, a + rest of the reference: rest is 0 but for whole numbers of 64 bits of which a and b are the nearest
 * doubles. t->of_max must be resolved: atol is absolute here. An infinity against anything
 * else is outside, with infinite max_abs and max_rel; NaN on one side only is outside and leaves both as they are. */
void vel_gap_add(vel_gap *g, const vel_tolerance *t, double a, double b, double rest);

/* Whether more pairs lie outside than the tolerance lets through. */
bool vel_gap_exceeds(const vel_gap *g, const vel_tolerance *t);

#endif
