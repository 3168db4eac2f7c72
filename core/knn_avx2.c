#include <immintrin.h>

#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

static unsigned below(__m256 x, __m256 limit) {
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, limit, _CMP_NGT_UQ));
}

/* Four queries against a panel of sixteen points: eight sums, which must stay in registers, so they are variables. */
#define EACH_QUERY(X) X(0) X(1) X(2) X(3)
#define START(q)                                               \
    __m256 low##q = _mm256_loadu_ps(s->norms + panel * LANES); \
    __m256 high##q = _mm256_loadu_ps(s->norms + panel * LANES + 8);
#define ADD(q)                                     \
    {                                              \
        __m256 x = _mm256_broadcast_ss(query + q); \
        low##q = _mm256_fmadd_ps(x, a, low##q);    \
        high##q = _mm256_fmadd_ps(x, b, high##q);  \
    }
#define COMPARE(q)                                                                                          \
    {                                                                                                       \
        __m256 limit = _mm256_broadcast_ss(s->limits + first + q);                                          \
        masks[panel * QUERIES + first + q] = (uint16_t)(below(low##q, limit) | below(high##q, limit) << 8); \
    }

static void four(const vel_knn_screen *s, int64_t panel, int first, uint16_t *masks) {
    const float *point = s->points + panel * s->dim * LANES, *query = s->queries + first;
    EACH_QUERY(START)
    for (int64_t d = 0; d < s->dim; d++, point += LANES, query += QUERIES) {
        __m256 a = _mm256_loadu_ps(point), b = _mm256_loadu_ps(point + 8);
        EACH_QUERY(ADD)
    }
    EACH_QUERY(COMPARE)
}

static void screen(const vel_knn_screen *s, uint16_t *masks) {
    for (int64_t p = 0; p < s->n_panels; p++) {
        four(s, p, 0, masks);
        four(s, p, QUERIES / 2, masks);
    }
}

const vel_knn_body vel_knn_avx2 = {screen, square_f32, square_f64};
