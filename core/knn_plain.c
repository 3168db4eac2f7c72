#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

static void screen(const vel_knn_screen *s, uint16_t *masks, int32_t *sums) {
    for (int64_t p = 0; p < s->n_panels; p++)
        for (int q = 0; q < QUERIES; q++) {
            int32_t *sum = sums + (p * QUERIES + q) * LANES;
            for (int l = 0; l < LANES; l++) sum[l] = s->norms[p * LANES + l];
            for (int64_t d = 0; d < s->pairs; d++) {
                const int16_t *query = s->queries + (d * QUERIES + q) * 2;
                const int16_t *point = s->points + (p * s->pairs + d) * LANES * 2;
                for (int l = 0; l < LANES; l++) sum[l] += query[0] * point[2 * l] + query[1] * point[2 * l + 1];
            }
            unsigned mask = 0;
            for (int l = 0; l < LANES; l++) mask |= (unsigned)(sum[l] <= s->limits[q]) << l;
            masks[p * QUERIES + q] = (uint16_t)mask;
        }
}

const vel_knn_body vel_knn_plain = {screen, square_f32, square_f64};
