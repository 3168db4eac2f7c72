/* The AVX-512 body of cosine.h. */
#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "core/cosine.h"
#include "core/least.h"
#include "core/sum.h"

typedef float vec __attribute__((vector_size(64), may_alias));
enum { WIDTH = 16 };

static inline vec square_root(vec x) { return _mm512_sqrt_ps(x); }

static inline vec signed_sqrt(vec x) {
    const __m512 sign = _mm512_set1_ps(-0.0f);
    return _mm512_or_ps(_mm512_sqrt_ps(_mm512_andnot_ps(sign, x)), _mm512_and_ps(sign, x));
}

static inline vec or_zero(vec x) { return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x); }

static inline void interleave_pairs(vec *r) {
    vec t[WIDTH];
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i += 2) {
        t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < WIDTH; i++) {
        __m512d a = _mm512_castps_pd(t[(i & ~3) + (i >> 1 & 1)]), b = _mm512_castps_pd(t[(i & ~3) + (i >> 1 & 1) + 2]);
        r[i] = _mm512_castpd_ps(i & 1 ? _mm512_unpackhi_pd(a, b) : _mm512_unpacklo_pd(a, b));
    }
}

static inline void transpose(vec *r) {
    vec t[WIDTH];
    interleave_pairs(r);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0x88);
        r[i + 8] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0xdd);
        r[i + 4] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0x88);
        r[i + 12] = _mm512_shuffle_f32x4(t[i + 4], t[i + 12], 0xdd);
    }
}

#include "core/cosine_body.h"

void vel_cosines_avx512(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *out) {
    cosines(space, query, work, out);
}

#endif
