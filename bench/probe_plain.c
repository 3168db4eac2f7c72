/* Vectors of 16 bytes, which every CPU of today has or the compiler takes apart; nothing is fused here. */
#define BYTES 16
#define BODY bench_probe_plain
#define fused_d(a, b, c) ((a) * (b) + (c))
#define fused_f(a, b, c) ((a) * (b) + (c))
#include "bench/probe_body.h"

#if !defined(__x86_64__)
const bench_probe_body *bench_probe_body_at(vel_cpu level) {
    (void)level;
    return &bench_probe_plain;
}
#else
const bench_probe_body *bench_probe_body_at(vel_cpu level) {
    switch (level) {
        case VEL_CPU_AVX512:
            return &bench_probe_avx512;
        case VEL_CPU_AVX2:
            return &bench_probe_avx2;
        case VEL_CPU_PLAIN:
            break;
    }
    return &bench_probe_plain;
}
#endif
