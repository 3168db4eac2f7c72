#if defined(__x86_64__)
#include <immintrin.h>

#define BYTES 64
#define BODY bench_probe_avx512
#define fused_d(a, b, c) ((doubles)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define fused_f(a, b, c) ((floats)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#include "bench/probe_body.h"
#else
typedef int bench_probe_avx512_is_for_x86;
#endif
