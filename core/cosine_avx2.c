/* The AVX2 body of cosine.h. */
#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "core/cosine.h"
#include "core/least.h"
#include "core/sum.h"

typedef float vec __attribute__((vector_size(32), may_alias));
enum { WIDTH = 8 };

static inline vec square_root(vec x) { return _mm256_sqrt_ps(x); }

static inline vec signed_sqrt(vec x) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_or_ps(_mm256_sqrt_ps(_mm256_andnot_ps(sign, x)), _mm256_and_ps(sign, x));
}

static inline vec or_zero(vec x) { return _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q)); }

static inline void transpose(vec *r) {
    vec t[WIDTH];
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i++) {
        vec a = t[(i & ~3) + (i >> 1 & 1)], b = t[(i & ~3) + (i >> 1 & 1) + 2];
        r[i] = i & 1 ? _mm256_shuffle_ps(a, b, 0xee) : _mm256_shuffle_ps(a, b, 0x44);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        vec a = r[i], b = r[i + 4];
        r[i] = _mm256_permute2f128_ps(a, b, 0x20);
        r[i + 4] = _mm256_permute2f128_ps(a, b, 0x31);
    }
}

#include "core/cosine_body.h"

void vel_cosines_avx2(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *out) {
    cosines(space, query, work, out);
}

#endif
