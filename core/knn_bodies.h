/* knn_bodies.h - the inner loops of knn.c, one body an instruction set.
 *
 * Points are whole numbers (core/knn_grid.h) and stand in panels of LANES, their coordinates in pairs: coordinate
 * 2 d + h of lane l of panel p is points[((p * pairs + d) * LANES + l) * 2 + h]. Queries stand in groups of QUERIES:
 * coordinate 2 d + h of query q is queries[(d * QUERIES + q) * 2 + h], times -2. */
#ifndef VEL_CORE_KNN_BODIES_H
#define VEL_CORE_KNN_BODIES_H

#include <stdint.h>

enum { VEL_KNN_LANES = 16, VEL_KNN_QUERIES = 8, VEL_KNN_EVERY = INT32_MAX - 1, VEL_KNN_NONE = INT32_MIN };

typedef struct {
    int64_t pairs, n_panels;
    const int16_t *points;  /* n_panels * pairs * LANES * 2 */
    const int32_t *norms;   /* n_panels * LANES; INT32_MAX: no point */
    const int16_t *queries; /* pairs * QUERIES * 2 */
    const int32_t *limits;  /* QUERIES; VEL_KNN_EVERY: every point, VEL_KNN_NONE: none */
} vel_knn_screen;

typedef struct {
    /* sums[(p * QUERIES + q) * LANES + l]: norm of point l of panel p, plus query . point, which must fit into 32 bits;
     * bit l of masks[p * QUERIES + q]: whether it is <= limit of q. */
    void (*screen)(const vel_knn_screen *s, uint16_t *masks, int32_t *sums);
    /* Sum of (a - b)^2 over dim, in double, in four lanes: the same bits in every body. */
    double (*square_f32)(int64_t dim, const float *a, const float *b);
    double (*square_f64)(int64_t dim, const double *a, const double *b);
} vel_knn_body;

extern const vel_knn_body vel_knn_plain, vel_knn_avx2, vel_knn_avx512, vel_knn_vnni; /* the last: AVX-512 VNNI too */

#endif
