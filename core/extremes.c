#include "core/extremes.h"

#include <math.h>
#include <string.h>

#include "core/stats.h"

/* Below this a gene's maximum is taken for noise; scvelo 0.3.4's clip. */
#define LEAST_MAXIMUM 1e-3

typedef struct {
    double lower, upper;
} bounds;

static bounds bounds_f32(const vel_extremes *e, int64_t n, const float *z, float *work) {
    if (!e->both) return (bounds){-INFINITY, vel_percentile_f32(z, n, e->upper, work)};
    memcpy(work, z, (size_t)n * sizeof *z);
    vel_sort_f32(work, n);
    return (bounds){vel_percentile_list_f32(work, n, e->lower), vel_percentile_list_f32(work, n, e->upper)};
}

static bounds bounds_f64(const vel_extremes *e, int64_t n, const double *z, double *work) {
    if (!e->both) return (bounds){-INFINITY, vel_percentile_f64(z, n, e->upper, work)};
    memcpy(work, z, (size_t)n * sizeof *z);
    vel_sort_f64(work, n);
    return (bounds){vel_percentile_sorted_f64(work, n, e->lower), vel_percentile_sorted_f64(work, n, e->upper)};
}

/* One body for both precisions. The maximum lets a NaN through, as NumPy's does. */
#define DEFINE_EXTREMES(REAL, SUFFIX)                                                                      \
    static REAL ceiling_##SUFFIX(int64_t n, const REAL *x) {                                               \
        REAL most = (REAL)LEAST_MAXIMUM;                                                                   \
        for (int64_t c = 0; c < n; c++)                                                                    \
            if (!(x[c] <= most)) {                                                                         \
                if (isnan(x[c])) return x[c];                                                              \
                most = x[c];                                                                               \
            }                                                                                              \
        return most;                                                                                       \
    }                                                                                                      \
                                                                                                           \
    static void normalise_##SUFFIX(int64_t n, const REAL *s, const REAL *u, REAL *z) {                     \
        REAL most_s = ceiling_##SUFFIX(n, s), most_u = ceiling_##SUFFIX(n, u);                             \
        for (int64_t c = 0; c < n; c++) z[c] = s[c] / most_s + u[c] / most_u;                              \
    }                                                                                                      \
                                                                                                           \
    void vel_extremes_##SUFFIX(const vel_extremes *e, int64_t n, const REAL *s, const REAL *u, REAL *work, \
                               uint8_t *selected) {                                                        \
        const REAL *z = s;                                                                                 \
        if (u) {                                                                                           \
            normalise_##SUFFIX(n, s, u, work);                                                             \
            z = work;                                                                                      \
        }                                                                                                  \
        bounds b = bounds_##SUFFIX(e, n, z, work + n);                                                     \
        for (int64_t c = 0; c < n; c++) selected[c] |= (double)z[c] >= b.upper || (double)z[c] <= b.lower; \
    }

DEFINE_EXTREMES(float, f32)
DEFINE_EXTREMES(double, f64)
