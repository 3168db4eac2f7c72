/* knn_bodies.h - the inner loops of knn.c, one body an instruction set.
 *
 * Points stand in panels of LANES: coordinate d of lane l of panel p is points[(p * dim + d) * LANES + l]. Queries
 * stand in groups of QUERIES: coordinate d of query q is queries[d * QUERIES + q], times -2. */
#ifndef VEL_CORE_KNN_BODIES_H
#define VEL_CORE_KNN_BODIES_H

#include <stdint.h>

enum { VEL_KNN_LANES = 16, VEL_KNN_QUERIES = 8 };

typedef struct {
    int64_t dim, n_panels;
    const float *points;  /* n_panels * dim * LANES */
    const float *norms;   /* n_panels * LANES */
    const float *queries; /* dim * QUERIES */
    const float *limits;  /* QUERIES */
} vel_knn_screen;

typedef struct {
    /* Bit l of masks[p * QUERIES + q]: not (norm of point l of panel p, plus query . point, > limit of q). Rounding may
     * differ between the bodies: the norms and limits allow for it. */
    void (*screen)(const vel_knn_screen *s, uint16_t *masks);
    /* Sum of (a - b)^2 over dim, in double, in four lanes: the same bits in every body. */
    double (*square_f32)(int64_t dim, const float *a, const float *b);
    double (*square_f64)(int64_t dim, const double *a, const double *b);
} vel_knn_body;

extern const vel_knn_body vel_knn_plain, vel_knn_avx2, vel_knn_avx512;

#endif
