/* passes_bodies.h - core/passes.h for each instruction set. Elsewhere than on x86 the wider ones are the same vectors,
 * taken apart by the compiler. */
#ifndef VEL_CORE_PASSES_BODIES_H
#define VEL_CORE_PASSES_BODIES_H

#include "core/passes.h"

extern const vel_passes vel_passes_plain, vel_passes_avx2, vel_passes_avx512;

#endif
