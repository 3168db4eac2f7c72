#include <immintrin.h>

#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

/* Eight queries against two panels of sixteen points would need more loads than it saves: one panel at a time. */
static void screen(const vel_knn_screen *s, uint16_t *masks) {
    for (int64_t p = 0; p < s->n_panels; p++) {
        const float *point = s->points + p * s->dim * LANES, *query = s->queries;
        __m512 sum[QUERIES];
        for (int q = 0; q < QUERIES; q++) sum[q] = _mm512_loadu_ps(s->norms + p * LANES);
        for (int64_t d = 0; d < s->dim; d++, point += LANES, query += QUERIES) {
            __m512 a = _mm512_loadu_ps(point);
            for (int q = 0; q < QUERIES; q++) sum[q] = _mm512_fmadd_ps(_mm512_set1_ps(query[q]), a, sum[q]);
        }
        for (int q = 0; q < QUERIES; q++)
            masks[p * QUERIES + q] = _mm512_cmp_ps_mask(sum[q], _mm512_set1_ps(s->limits[q]), _CMP_NGT_UQ);
    }
}

const vel_knn_body vel_knn_avx512 = {screen, square_f32, square_f64};
