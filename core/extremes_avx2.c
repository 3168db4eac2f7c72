#define LANE_BYTES 32
#include "core/extremes_lanes.h"

#ifdef __AVX2__
#include <immintrin.h>
#include <string.h>

/* The bits of eight values as their flags. */
static inline void set_eight(unsigned bits, uint8_t *flags) {
    uint64_t all;
    memcpy(&all, flags, sizeof all);
    all |= _pdep_u64(bits, UINT64_C(0x0101010101010101));
    memcpy(flags, &all, sizeof all);
}

static void flag_f32(int64_t n, const float *x, float bound, uint8_t *flags) {
    const __m256 least = _mm256_set1_ps(bound);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        set_eight((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + i), least, _CMP_GE_OQ)), flags + i);
    for (; i < n; i++) flags[i] |= x[i] >= bound;
}

static void flag_f64(int64_t n, const double *x, double bound, uint8_t *flags) {
    const __m256d least = _mm256_set1_pd(bound);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        int low = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(x + i), least, _CMP_GE_OQ));
        int high = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(x + i + 4), least, _CMP_GE_OQ));
        set_eight((unsigned)(low | high << 4), flags + i);
    }
    for (; i < n; i++) flags[i] |= x[i] >= bound;
}

const vel_extremes_bodies vel_extremes_avx2 = {ceiling_f32, ceiling_f64, flag_f32, flag_f64};
#endif
