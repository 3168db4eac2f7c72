#include "core/gaps.h"

#include "core/sort.h"
#include "core/stats.h"

#define WIDE 3.0     /* a gap is this many times */
#define USUALLY 99.5 /* this percentile of the increments */

/* Times that come in order are left alone. */
static void sort(int64_t n, double *x, double *work) {
    int64_t k = 1;
    while (k < n && x[k] >= x[k - 1]) k++;
    if (k < n) vel_sort_f64_with(x, n, work);
}

static void increments(int64_t n, const double *sorted, double *d) {
    double before = 0;
    for (int64_t k = 0; k < n; k++) {
        d[k] = sorted[k] - before;
        before = sorted[k];
    }
}

/* Keeps the increments above the bound, in front. */
static vel_gaps gaps_of(int64_t n, double *sorted, double *d, double bound) {
    int64_t gaps = 0;
    for (int64_t k = 0; k < n; k++) {
        if (!(d[k] > bound)) continue;
        sorted[gaps] = sorted[k];
        d[gaps++] = d[k];
    }
    return (vel_gaps){gaps, sorted, d};
}

void vel_find_gaps(int64_t n_on, double *on, int64_t n_off, double *off, double *work, vel_gaps *gaps_on,
                   vel_gaps *gaps_off) {
    int64_t n = n_on + n_off;
    double *d = work, *scratch = work + n;
    sort(n_on, on, scratch);
    sort(n_off, off, scratch);
    increments(n_on, on, d);
    increments(n_off, off, d + n_on);
    double bound = n ? WIDE * vel_percentile_f64(d, n, USUALLY, scratch) : 0;
    *gaps_on = gaps_of(n_on, on, d, bound);
    *gaps_off = gaps_of(n_off, off, d + n_on, bound);
}
