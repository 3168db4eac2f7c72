/* decide_bodies.h - the screening of core/decide.c, one set of functions an instruction set, all giving the same
 * states.
 */
#ifndef VEL_CORE_DECIDE_BODIES_H
#define VEL_CORE_DECIDE_BODIES_H

#include "core/decide.h"

typedef struct {
    /* The first two rows to cell[places][voices], the first of the voices, in float32. Returns the sum of all values
     * of both: NaN or large if one of them is. */
    double (*interleave)(const vel_choice *choice, int voices, vel_two *cell);

    /* sum[c] over the neighbours, of cell[places][voices]; of those with wanted[c], or of all if it is NULL. */
    void (*sum)(const vel_segments *segments, int voices, const vel_two *cell, const uint8_t *wanted, vel_two *sum);

    /* The same of cell[places][VEL_VOICES], of all, each voice to its sum[c]; NULL: not wanted. */
    void (*sum_both)(const vel_segments *segments, const vel_two *cell, vel_two *const sum[VEL_VOICES]);

    /* state[n]: the least of the first `count` sums, 2 or all; VEL_UNDECIDED where they are too near to each other. */
    void (*compare)(const vel_choice *choice, int count, const vel_two *sum, uint8_t *state);

    /* The same for the first two sums and for all: two[n], all[n]. */
    void (*compare_twice)(const vel_choice *choice, const vel_two *sum, uint8_t *two, uint8_t *all);

    /* The least of all sums where wanted[c]; sum[c] counts there only. */
    void (*compare_wanted)(const vel_choice *choice, const vel_two *sum, const uint8_t *wanted, uint8_t *state);
} vel_decide_bodies;

extern const vel_decide_bodies vel_decide_bodies_plain, vel_decide_bodies_avx2;

const vel_decide_bodies *vel_decide_bodies_now(void); /* the set of this CPU */

#endif
