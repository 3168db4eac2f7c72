#include "core/passes_bodies.h"

const vel_passes *vel_passes_at(vel_cpu level) {
    switch (level) {
        case VEL_CPU_AVX512:
            return &vel_passes_avx512;
        case VEL_CPU_AVX2:
            return &vel_passes_avx2;
        case VEL_CPU_PLAIN:
            break;
    }
    return &vel_passes_plain;
}
