#include "core/tallies.h"

const vel_tallies *vel_tallies_at(vel_cpu level) {
#if defined(__x86_64__)
    return level == VEL_CPU_PLAIN ? &vel_tallies_plain : &vel_tallies_avx2;
#else
    (void)level;
    return &vel_tallies_plain;
#endif
}
