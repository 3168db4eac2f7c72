#include "core/normals_bodies.h"

#ifdef __AVX2__
#include <immintrin.h>
#include <stdint.h>

#define LANES 4
typedef double doubles __attribute__((vector_size(32), may_alias, aligned(8)));
typedef int64_t longs __attribute__((vector_size(32), may_alias));
typedef uint64_t ulongs __attribute__((vector_size(32), may_alias));
typedef uint32_t uints __attribute__((vector_size(32), may_alias, aligned(4)));

/* Lanes 0, 2, 1, 3. */
static inline __m256d crossed(__m256d x) { return _mm256_permute4x64_pd(x, 0xd8); }

static inline doubles evens(doubles a, doubles b) { return crossed(_mm256_unpacklo_pd(a, b)); }
static inline doubles odds(doubles a, doubles b) { return crossed(_mm256_unpackhi_pd(a, b)); }
static inline doubles zip_low(doubles a, doubles b) { return _mm256_unpacklo_pd(crossed(a), crossed(b)); }
static inline doubles zip_high(doubles a, doubles b) { return _mm256_unpackhi_pd(crossed(a), crossed(b)); }
static inline doubles root(doubles x) { return (doubles)_mm256_sqrt_pd((__m256d)x); }
/* The numbers of the halves of the lanes that are set, two bytes a lane; then as a permutation. */
static inline int keep(longs mask, doubles x, double *y) {
    unsigned set = (unsigned)_mm256_movemask_pd((__m256d)mask);
    uint64_t halves = _pext_u64(UINT64_C(0x0706050403020100), _pdep_u64(set, UINT64_C(0x0001000100010001)) * 0xffff);
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)halves));
    _mm256_storeu_ps((float *)(void *)y, _mm256_permutevar8x32_ps((__m256)x, order));
    return __builtin_popcount(set);
}

#define PAIRS vel_normals_avx2
#include "core/normals_lanes.h"
#endif
