#include "core/gaps.h"

#include <string.h>

#include "core/sort.h"
#include "core/stats.h"

#define WIDE 3.0     /* a gap is this many times */
#define USUALLY 99.5 /* this percentile of the increments */

static void increments(int64_t n, const double *sorted, double *d) {
    double before = 0;
    for (int64_t k = 0; k < n; k++) {
        d[k] = sorted[k] - before;
        before = sorted[k];
    }
}

/* Moves every time back by the gaps at or below it, in ascending order. sorted and d are overwritten. */
static void close_gaps(int64_t n, vel_vec v, double *sorted, double *d, double bound) {
    int64_t gaps = 0;
    for (int64_t k = 0; k < n; k++) {
        if (!(d[k] > bound)) continue;
        sorted[gaps] = sorted[k];
        d[gaps++] = d[k];
    }
    for (int64_t i = 0; i < n && gaps; i++) {
        double at = v.v[i], moved = at;
        for (int64_t k = 0; k < gaps && at >= sorted[k]; k++) moved = vel_rounded(moved - d[k], v.tag);
        v.v[i] = moved;
    }
}

void vel_remove_gaps(int64_t n_on, vel_vec on, int64_t n_off, vel_vec off, double *work) {
    int64_t n = n_on + n_off;
    if (!n) return;
    double *sorted = work, *d = work + n, *scratch = work + 2 * n;
    memcpy(sorted, on.v, (size_t)n_on * sizeof *sorted);
    memcpy(sorted + n_on, off.v, (size_t)n_off * sizeof *sorted);
    vel_sort_f64_with(sorted, n_on, scratch);
    vel_sort_f64_with(sorted + n_on, n_off, scratch);
    increments(n_on, sorted, d);
    increments(n_off, sorted + n_on, d + n_on);
    double bound = WIDE * vel_percentile_f64(d, n, USUALLY, scratch);
    close_gaps(n_on, on, sorted, d, bound);
    close_gaps(n_off, off, sorted + n_on, d + n_on, bound);
}
