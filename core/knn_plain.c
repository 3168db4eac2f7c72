#include "core/knn_square.h"

enum { LANES = VEL_KNN_LANES, QUERIES = VEL_KNN_QUERIES };

static void screen(const vel_knn_screen *s, uint16_t *masks) {
    for (int64_t p = 0; p < s->n_panels; p++)
        for (int q = 0; q < QUERIES; q++) {
            float sum[LANES];
            for (int l = 0; l < LANES; l++) sum[l] = s->norms[p * LANES + l];
            for (int64_t d = 0; d < s->dim; d++)
                for (int l = 0; l < LANES; l++)
                    sum[l] += s->queries[d * QUERIES + q] * s->points[(p * s->dim + d) * LANES + l];
            unsigned mask = 0;
            for (int l = 0; l < LANES; l++) mask |= (unsigned)!(sum[l] > s->limits[q]) << l;
            masks[p * QUERIES + q] = (uint16_t)mask;
        }
}

const vel_knn_body vel_knn_plain = {screen, square_f32, square_f64};
