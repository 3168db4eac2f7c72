#include "core/bimodal.h"

#include <math.h>
#include <string.h>

#include "core/fmath.h"
#include "core/least.h"
#include "core/special.h"
#include "core/stats.h"
#include "core/sum.h"

enum { GRID = 30, SPLIT = GRID / 2 - 2, SPLITS = 4, PAIRS = 5, GROUP = 2 * PAIRS, CHUNK = 64 };

#define INV_SQRT_2PI 0x1.9884533d43651p-2
#define FURTHEST 99.9 /* percentile that replaces the maximum if that is the minimum */

/* x^-0.2 for x >= 1, to the last bit of a double: Newton in long double, then the distance of 0.2 from a fifth. */
static double scott_factor(double x) {
    long double y = 1.0L / sqrtl(sqrtl((long double)x)), target = (long double)x;
    for (int i = 0; i < 20; i++) y += y * (1.0L - target * y * y * y * y * y) / 5.0L;
    long double excess = (long double)0.2 - 0.2L;
    return (double)(y * (1.0L - excess * (long double)vel_log(x)));
}

/* Bandwidth h and the weight of one value; false if there is no variance. */
static bool bandwidth(int64_t n, const double *x, double *work, double *h) {
    double w = 1.0 / (double)n, *y = work;
    for (int64_t i = 0; i < n; i++) y[i] = w;
    double total = vel_sum_f64(y, n);
    for (int64_t i = 0; i < n; i++) y[i] = w * w;
    double squares = vel_sum_f64(y, n);
    for (int64_t i = 0; i < n; i++) y[i] = x[i] * w;
    double mean = vel_sum_f64(y, n) / total;
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * ((x[i] - mean) * w);
    double variance = vel_sum_f64(y, n) * (1 / (total - squares / total));
    if (!(variance > 0)) return false;
    *h = sqrt(variance) * scott_factor(1 / squares);
    return true;
}

typedef double pair __attribute__((vector_size(16), may_alias));

/* e[some][GROUP]: what exp is taken of. */
static void exponents(int64_t some, const double *x, const double *at, double r, double *e) {
    pair centre[PAIRS];
    for (int g = 0; g < PAIRS; g++) centre[g] = (pair){at[2 * g] * r, at[2 * g + 1] * r};
    for (int64_t i = 0; i < some; i++)
#pragma GCC unroll 8
        for (int g = 0; g < PAIRS; g++) {
            pair z = x[i] * r - centre[g];
            *(pair *)(void *)(e + i * GROUP + 2 * g) = -(z * z) / 2;
        }
}

/* Density at a group of points: sums over the data in order, side by side. */
static void densities(int64_t n, const double *x, const double *at, double h, double *density) {
    double w = 1.0 / (double)n, norm = INV_SQRT_2PI / h, e[CHUNK * GROUP] __attribute__((aligned(64)));
    pair sum[PAIRS] = {{0}};
    for (int64_t first = 0; first < n; first += CHUNK) {
        int64_t some = vel_least(n - first, CHUNK);
        exponents(some, x + first, at, 1 / h, e);
        vel_exp_n(some * GROUP, e, e);
        for (int64_t i = 0; i < some; i++)
#pragma GCC unroll 8
            for (int g = 0; g < PAIRS; g++) sum[g] += (*(const pair *)(const void *)(e + i * GROUP + 2 * g) * norm) * w;
    }
    for (int g = 0; g < GROUP; g++) density[g] = sum[g / 2][g % 2];
}

static vel_vec grid_of(int64_t n, vel_vec x, double *work, double *memory) {
    vel_vec grid = {memory, x.tag};
    vel_num lo = vel_vec_min(n, x), hi = vel_vec_max(n, x), far = vel_vec_percentile(n, x, FURTHEST, work);
    vel_linspace(lo, far.v <= lo.v ? far : hi, GRID, &grid);
    return grid;
}

/* Midpoint of the grid point that is the mode and the next one, among points first .. last. */
static vel_num mode_at(vel_vec grid, int64_t mode, int64_t last) {
    int64_t next = mode + 1 < last ? mode + 1 : last;
    return vel_div(vel_add(vel_at(grid, mode), vel_at(grid, next)), vel_weak(2));
}

bool vel_bimodality_test(int64_t n, vel_vec x, double *work, vel_bimodality *out) {
    double h, memory[GRID], kde[GRID], scratch[GRID];
    if (n < 2 || !bandwidth(n, x.v, work, &h)) return false;
    vel_vec grid = grid_of(n, x, work, memory);
    for (int j = 0; j < GRID; j += GROUP) densities(n, x.v, grid.v + j, h, kde + j);

    int64_t split = SPLIT + vel_argmin_f64(kde + SPLIT, SPLITS);
    int64_t lower = vel_argmax_f64(kde, split), upper = split + vel_argmax_f64(kde + split, GRID - split);
    double rise = kde[upper] - vel_mean_f64(kde + split, GRID - split);
    double noise = vel_std_f64(kde, GRID, scratch) / sqrt(GRID);
    *out = (vel_bimodality){
        .p = vel_ndtr(-(rise / (noise > 1 ? noise : 1))),
        .lower = mode_at(grid, lower, split - 1),
        .upper = mode_at(grid, upper, GRID - 1),
    };
    return true;
}
