#include "core/ratios.h"

const vel_ratios *vel_ratios_at(vel_cpu level) {
#if defined(__x86_64__)
    return level == VEL_CPU_PLAIN ? &vel_ratios_plain : &vel_ratios_avx2;
#else
    (void)level;
    return &vel_ratios_plain;
#endif
}
