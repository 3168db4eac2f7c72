#include <immintrin.h>

#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

/* The sums must stay in registers, so they are eight variables and not an array. */
#define EACH_QUERY(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define START(q) __m512 sum##q = _mm512_loadu_ps(s->norms + p * LANES);
#define ADD(q) sum##q = _mm512_fmadd_ps(_mm512_set1_ps(query[q]), x, sum##q);
#define COMPARE(q) masks[p * QUERIES + q] = _mm512_cmp_ps_mask(sum##q, _mm512_set1_ps(s->limits[q]), _CMP_NGT_UQ);

static void screen(const vel_knn_screen *s, uint16_t *masks) {
    for (int64_t p = 0; p < s->n_panels; p++) {
        const float *point = s->points + p * s->dim * LANES, *query = s->queries;
        EACH_QUERY(START)
        for (int64_t d = 0; d < s->dim; d++, point += LANES, query += QUERIES) {
            __m512 x = _mm512_loadu_ps(point);
            EACH_QUERY(ADD)
        }
        EACH_QUERY(COMPARE)
    }
}

const vel_knn_body vel_knn_avx512 = {screen, square_f32, square_f64};
