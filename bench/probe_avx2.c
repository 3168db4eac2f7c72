#if defined(__x86_64__)
#include <immintrin.h>

#define BYTES 32
#define BODY bench_probe_avx2
#define fused_d(a, b, c) ((doubles)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define fused_f(a, b, c) ((floats)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#include "bench/probe_body.h"
#else
typedef int bench_probe_avx2_is_for_x86;
#endif
