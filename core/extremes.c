#include "core/extremes.h"

#include <math.h>
#include <string.h>

#include "core/extremes_bodies.h"
#include "core/ratios.h"
#include "core/stats.h"

/* Below this a gene's maximum is taken for noise; scvelo 0.3.4's clip. */
#define LEAST_MAXIMUM 1e-3

const vel_extremes_bodies *vel_extremes_at(vel_cpu level) {
#if defined(__x86_64__)
    return level == VEL_CPU_PLAIN ? &vel_extremes_plain : &vel_extremes_avx2;
#else
    (void)level;
    return &vel_extremes_plain;
#endif
}

/* The ends within which a cell is not extreme. */
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

#define REAL float
#define NAME(x) x##_f32
#include "core/extremes_body.h"

#define REAL double
#define NAME(x) x##_f64
#include "core/extremes_body.h"
