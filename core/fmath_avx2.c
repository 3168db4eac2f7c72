#include "core/fmath_bodies.h"

#ifdef __AVX2__
#include <immintrin.h>
#include <stdint.h>

#define LANE_BYTES 32
typedef double doubles __attribute__((vector_size(LANE_BYTES)));
typedef float floats __attribute__((vector_size(LANE_BYTES)));
typedef int64_t longs __attribute__((vector_size(LANE_BYTES)));
typedef uint64_t ulongs __attribute__((vector_size(LANE_BYTES)));
typedef int32_t ints __attribute__((vector_size(LANE_BYTES)));
typedef uint32_t uints __attribute__((vector_size(LANE_BYTES)));

static inline doubles fma_d(doubles a, doubles b, doubles c) { return _mm256_fmadd_pd(a, b, c); }

static inline floats fma_f(floats a, floats b, floats c) { return _mm256_fmadd_ps(a, b, c); }

static inline doubles floor_d(doubles x) { return _mm256_floor_pd(x); }

static inline int any(longs mask) { return _mm256_movemask_pd((doubles)mask); }

static inline int any_i(ints mask) { return _mm256_movemask_ps((floats)mask); }

typedef longs marks;

static inline marks at_least(doubles a, doubles b) { return a >= b; }
static inline marks below(doubles a, doubles b) { return a < b; }
static inline marks is_plus_zero(doubles x) { return (longs)x == 0; }
static inline int bits_m(marks m) { return _mm256_movemask_pd((doubles)m); }
static inline doubles pick_d(marks m, doubles yes, doubles no) { return _mm256_blendv_pd(no, yes, (doubles)m); }
static inline doubles max_d(doubles a, doubles b) { return _mm256_max_pd(a, b); }
static inline doubles min_d(doubles a, doubles b) { return _mm256_min_pd(a, b); }

/* What whole numbers |k| < 2^51 are added to for their bits to be those of k and this number's. */
#define WHOLE 0x1.8p52

static inline doubles exponent_d(doubles x) {
    return (doubles)((longs)((ulongs)x >> 52) - 1023 + (longs)((doubles){0} + WHOLE)) - WHOLE;
}

static inline doubles fraction_d(doubles x) {
    return (doubles)(((longs)x & INT64_C(0xfffffffffffff)) | (longs)((doubles){0} + 1.0));
}

static inline doubles times_power_d(doubles x, doubles k) { return (doubles)((ulongs)x + ((ulongs)(k + WHOLE) << 52)); }

/* first, second = table[2 index], table[2 index + 1]: four loads of a pair, then a transpose. */
static inline void pairs(const double *table, longs index, doubles *first, doubles *second) {
    __m128d a = _mm_loadu_pd(table + 2 * index[0]), b = _mm_loadu_pd(table + 2 * index[1]);
    __m256d ac = _mm256_insertf128_pd(_mm256_castpd128_pd256(a), _mm_loadu_pd(table + 2 * index[2]), 1);
    __m256d bd = _mm256_insertf128_pd(_mm256_castpd128_pd256(b), _mm_loadu_pd(table + 2 * index[3]), 1);
    *first = _mm256_unpacklo_pd(ac, bd);
    *second = _mm256_unpackhi_pd(ac, bd);
}

#include "core/fmath_lanes.h"

const vel_fmath_bodies vel_fmath_avx2 = VEL_FMATH_BODIES;
#endif
