/* decide_bodies.h - the screening of core/decide.c, one function an instruction set, all giving the same states. */
#ifndef VEL_CORE_DECIDE_BODIES_H
#define VEL_CORE_DECIDE_BODIES_H

#include "core/decide.h"

typedef float vel_quad __attribute__((vector_size(16))); /* the rows of one cell, in float32 */

/* state[n] of a choice with neighbours; cell[n + 1] is work. False, and nothing done, if there are values that float32
 * sums cannot hold. */
typedef bool vel_decide_body(const vel_choice *choice, vel_quad *cell, uint8_t *state);

vel_decide_body vel_decide_screened, vel_decide_screened_avx2;

#endif
