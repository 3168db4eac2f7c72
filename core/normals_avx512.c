#include "core/normals_bodies.h"

#ifdef __AVX512F__
#include <immintrin.h>
#include <stdint.h>

#define LANES 8
typedef double doubles __attribute__((vector_size(64), may_alias, aligned(8)));
typedef int64_t longs __attribute__((vector_size(64), may_alias));
typedef uint64_t ulongs __attribute__((vector_size(64), may_alias));
typedef uint32_t uints __attribute__((vector_size(64), may_alias, aligned(4)));

static inline doubles shuffled(doubles a, doubles b, longs order) {
    return (doubles)_mm512_permutex2var_pd((__m512d)a, (__m512i)order, (__m512d)b);
}

static inline doubles evens(doubles a, doubles b) { return shuffled(a, b, (longs){0, 2, 4, 6, 8, 10, 12, 14}); }
static inline doubles odds(doubles a, doubles b) { return shuffled(a, b, (longs){1, 3, 5, 7, 9, 11, 13, 15}); }
static inline doubles zip_low(doubles a, doubles b) { return shuffled(a, b, (longs){0, 8, 1, 9, 2, 10, 3, 11}); }
static inline doubles zip_high(doubles a, doubles b) { return shuffled(a, b, (longs){4, 12, 5, 13, 6, 14, 7, 15}); }
static inline doubles root(doubles x) { return (doubles)_mm512_sqrt_pd((__m512d)x); }

static inline int keep(longs mask, doubles x, double *y) {
    __mmask8 m = _mm512_movepi64_mask((__m512i)mask);
    _mm512_storeu_pd(y, _mm512_maskz_compress_pd(m, (__m512d)x));
    return __builtin_popcount(m);
}

#define PAIRS vel_normals_avx512
#include "core/normals_lanes.h"
#endif
