#include <immintrin.h>
#include <string.h>

#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

static inline __m512i pair_of(const int16_t *query) {
    int32_t pair;
    memcpy(&pair, query, sizeof pair);
    return _mm512_set1_epi32(pair);
}

/* The sums must stay in registers, so they are eight variables and not an array. */
#define EACH_QUERY(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define START(q) __m512i sum##q = _mm512_loadu_si512(s->norms + p * LANES);
#define ADD(q) sum##q = PLUS_PRODUCTS(sum##q, pair_of(query + 2 * q), x);
#define COMPARE(q)                                                                             \
    masks[p * QUERIES + q] = _mm512_cmple_epi32_mask(sum##q, _mm512_set1_epi32(s->limits[q])); \
    _mm512_storeu_si512(sums + (p * QUERIES + q) * LANES, sum##q);

#define SCREEN(name)                                                                           \
    static void name(const vel_knn_screen *s, uint16_t *masks, int32_t *sums) {                \
        for (int64_t p = 0; p < s->n_panels; p++) {                                            \
            const int16_t *point = s->points + p * s->pairs * LANES * 2, *query = s->queries;  \
            EACH_QUERY(START)                                                                  \
            for (int64_t d = 0; d < s->pairs; d++, point += LANES * 2, query += QUERIES * 2) { \
                __m512i x = _mm512_loadu_si512(point);                                         \
                EACH_QUERY(ADD)                                                                \
            }                                                                                  \
            EACH_QUERY(COMPARE)                                                                \
        }                                                                                      \
    }

#define PLUS_PRODUCTS(sum, a, b) _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
SCREEN(screen)
#undef PLUS_PRODUCTS

#define PLUS_PRODUCTS(sum, a, b) _mm512_dpwssd_epi32(sum, a, b)
__attribute__((target("avx512vnni"))) SCREEN(screen_by_vnni)

    const vel_knn_body vel_knn_avx512 = {screen, square_f32, square_f64};
const vel_knn_body vel_knn_vnni = {screen_by_vnni, square_f32, square_f64};
