#include <immintrin.h>
#include <string.h>

#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

static unsigned above(__m256i x, __m256i limit) {
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(x, limit)));
}

static inline __m256i pair_of(const int16_t *query) {
    int32_t pair;
    memcpy(&pair, query, sizeof pair);
    return _mm256_set1_epi32(pair);
}

static inline __m256i load(const void *p) { return _mm256_loadu_si256(p); }

/* Four queries against a panel of sixteen points: eight sums, which must stay in registers, so they are variables. */
#define EACH_QUERY(X) X(0) X(1) X(2) X(3)
#define START(q)                                     \
    __m256i low##q = load(s->norms + panel * LANES); \
    __m256i high##q = load(s->norms + panel * LANES + 8);
#define ADD(q)                                                        \
    {                                                                 \
        __m256i x = pair_of(query + 2 * q);                           \
        low##q = _mm256_add_epi32(low##q, _mm256_madd_epi16(x, a));   \
        high##q = _mm256_add_epi32(high##q, _mm256_madd_epi16(x, b)); \
    }
#define COMPARE(q)                                                                   \
    {                                                                                \
        __m256i limit = _mm256_set1_epi32(s->limits[first + q]);                     \
        int64_t at = panel * QUERIES + first + q;                                    \
        masks[at] = (uint16_t) ~(above(low##q, limit) | above(high##q, limit) << 8); \
        _mm256_storeu_si256((void *)(sums + at * LANES), low##q);                    \
        _mm256_storeu_si256((void *)(sums + at * LANES + 8), high##q);               \
    }

static void four(const vel_knn_screen *s, int64_t panel, int first, uint16_t *masks, int32_t *sums) {
    const int16_t *point = s->points + panel * s->pairs * LANES * 2, *query = s->queries + 2 * first;
    EACH_QUERY(START)
    for (int64_t d = 0; d < s->pairs; d++, point += LANES * 2, query += QUERIES * 2) {
        __m256i a = load(point), b = load(point + LANES);
        EACH_QUERY(ADD)
    }
    EACH_QUERY(COMPARE)
}

static void screen(const vel_knn_screen *s, uint16_t *masks, int32_t *sums) {
    for (int64_t p = 0; p < s->n_panels; p++) {
        four(s, p, 0, masks, sums);
        four(s, p, QUERIES / 2, masks, sums);
    }
}

const vel_knn_body vel_knn_avx2 = {screen, square_f32, square_f64};
