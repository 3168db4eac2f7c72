#include "core/weighted.h"

vel_weighted_add *vel_weighted_add_at(vel_cpu level) {
#if defined(__x86_64__)
    return level == VEL_CPU_PLAIN ? vel_weighted_add_plain : vel_weighted_add_avx2;
#else
    (void)level;
    return vel_weighted_add_plain;
#endif
}
