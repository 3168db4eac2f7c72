#include "core/fmath_bodies.h"

#ifdef __AVX512F__
#include <immintrin.h>
#include <stdint.h>

#define LANE_BYTES 64
typedef double doubles __attribute__((vector_size(LANE_BYTES)));
typedef float floats __attribute__((vector_size(LANE_BYTES)));
typedef int64_t longs __attribute__((vector_size(LANE_BYTES)));
typedef uint64_t ulongs __attribute__((vector_size(LANE_BYTES)));
typedef int32_t ints __attribute__((vector_size(LANE_BYTES)));
typedef uint32_t uints __attribute__((vector_size(LANE_BYTES)));

static inline doubles fma_d(doubles a, doubles b, doubles c) { return _mm512_fmadd_pd(a, b, c); }

static inline floats fma_f(floats a, floats b, floats c) { return _mm512_fmadd_ps(a, b, c); }

static inline doubles floor_d(doubles x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }

static inline int any(longs mask) { return _mm512_movepi64_mask((__m512i)mask); }

static inline int any_i(ints mask) { return _mm512_movepi32_mask((__m512i)mask); }

typedef __mmask8 marks;

static inline marks at_least(doubles a, doubles b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
static inline marks below(doubles a, doubles b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline marks is_plus_zero(doubles x) { return _mm512_testn_epi64_mask((__m512i)x, (__m512i)x); }
static inline int bits_m(marks m) { return m; }
static inline doubles pick_d(marks m, doubles yes, doubles no) { return _mm512_mask_blend_pd(m, no, yes); }
static inline doubles max_d(doubles a, doubles b) { return _mm512_max_pd(a, b); }
static inline doubles min_d(doubles a, doubles b) { return _mm512_min_pd(a, b); }
static inline doubles exponent_d(doubles x) { return _mm512_getexp_pd(x); }
static inline doubles fraction_d(doubles x) { return _mm512_getmant_pd(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src); }
static inline doubles times_power_d(doubles x, doubles k) { return _mm512_scalef_pd(x, k); }

/* Entries table[2 index], table[2 index + 1] of four lanes, side by side. */
static inline __m512d four_pairs(const double *table, longs index, int a, int b, int c, int d) {
    __m512d p = _mm512_castpd128_pd512(_mm_loadu_pd(table + 2 * index[a]));
    p = _mm512_insertf64x2(p, _mm_loadu_pd(table + 2 * index[b]), 1);
    p = _mm512_insertf64x2(p, _mm_loadu_pd(table + 2 * index[c]), 2);
    return _mm512_insertf64x2(p, _mm_loadu_pd(table + 2 * index[d]), 3);
}

/* first, second = table[2 index], table[2 index + 1]: loads of pairs, then a transpose; faster than two gathers. */
static inline void pairs(const double *table, longs index, doubles *first, doubles *second) {
    __m512d even = four_pairs(table, index, 0, 2, 4, 6), odd = four_pairs(table, index, 1, 3, 5, 7);
    *first = _mm512_unpacklo_pd(even, odd);
    *second = _mm512_unpackhi_pd(even, odd);
}

#include "core/fmath_lanes.h"

const vel_fmath_bodies vel_fmath_avx512 = VEL_FMATH_BODIES;
#endif
