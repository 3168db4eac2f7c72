#include "core/steady_sums.h"

#include <math.h>

#include "core/segments.h"

vel_err vel_steady_sums_new(vel_ctx *ctx, int64_t n, vel_steady_sums *sums) {
    float **const all[] = {&sums->origin, &sums->centre, &sums->u, &sums->s};
    for (int k = 0; k < 4; k++) VEL_TRY(VEL_ZALLOC(ctx, *all[k], n + VEL_SEGMENT_BLOCK));
    return VEL_OK;
}

static double steady_u(const vel_trajectory *p) { return p->sigma.v * (p->rates.alpha.v / p->rates.beta.v); }

static double steady_s(const vel_trajectory *p) { return p->rates.alpha.v / p->rates.gamma.v; }

void vel_steady_sums_around(vel_steady_sums *sums, const vel_trajectory *p, double std_u, double std_s) {
    double a = steady_u(p), b = steady_s(p);
    sums->a0 = isfinite(a) ? a : 0;
    sums->b0 = isfinite(b) ? b : 0;
    sums->std_u = std_u;
    sums->std_s = std_s;
}

void vel_steady_distances(const vel_steady_sums *sums, int64_t n, const double *u, const double *s, double *x,
                          double *y) {
    const double by_u = 1 / sums->std_u, by_s = 1 / sums->std_s;
    for (int64_t i = 0; i < n; i++) {
        double du = (u[i] - sums->a0) * by_u, ds = (s[i] - sums->b0) * by_s;
        x[i] = (u[i] * by_u) * (u[i] * by_u) + (s[i] * by_s) * (s[i] * by_s);
        y[i] = du * du + ds * ds;
    }
}

void vel_steady_offsets(const vel_steady_sums *sums, int64_t n, const double *u, const double *s, double *x,
                        double *y) {
    const double by_u = 1 / sums->std_u, by_s = 1 / sums->std_s;
    for (int64_t i = 0; i < n; i++) {
        x[i] = (u[i] - sums->a0) * by_u;
        y[i] = (s[i] - sums->b0) * by_s;
    }
}

void vel_steady_sums_at(vel_steady_sums *sums, const vel_trajectory *p) {
    const double du = (steady_u(p) - sums->a0) / sums->std_u, ds = (steady_s(p) - sums->b0) / sums->std_s;
    const bool known = vel_trajectory_is_moderate(p, sums->std_u) && vel_is_moderate(sums->std_s);
    sums->by_u = known ? (float)(-2 * du) : NAN;
    sums->by_s = (float)(-2 * ds);
    sums->apart = (float)(du * du + ds * ds);
}
