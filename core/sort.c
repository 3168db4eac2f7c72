#include "core/sort.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 24 }; /* sorted by insertion */

enum {
    NARROW = 8,
    WIDE = 11,
    WIDE_FROM = 1024
}; /* bits of a digit of the radix sort; the length from which it is wide */

#define REAL double
#define WORD uint64_t
#define NAME(x) x##_f64
#include "core/sort_body.h"

#define REAL float
#define WORD uint32_t
#define NAME(x) x##_f32
#include "core/sort_body.h"

void vel_sort_f64_with(double *x, int64_t n, double *work) { sort_with_f64(x, vel_nans_last_f64(x, n), work); }

void vel_sort_f32_with(float *x, int64_t n, float *work) { sort_with_f32(x, vel_nans_last_f32(x, n), work); }

enum { RUN = 16 };

static void argsort_run(const double *x, int64_t *order, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        int64_t t = order[i], j = i;
        for (; j > 0 && x[t] < x[order[j - 1]]; j--) order[j] = order[j - 1];
        order[j] = t;
    }
}

/* Merges from[0 .. m) and from[m .. n) into to; of equals the first run's come first. */
static void argsort_merge(const double *x, const int64_t *from, int64_t m, int64_t n, int64_t *to) {
    int64_t i = 0, j = m, k = 0;
    while (i < m && j < n) {
        bool second = x[from[j]] < x[from[i]];
        to[k++] = second ? from[j++] : from[i++];
    }
    while (i < m) to[k++] = from[i++];
    while (j < n) to[k++] = from[j++];
}

void vel_argsort_f64(const double *x, int64_t n, int64_t *order, int64_t *work) {
    int64_t m = 0, nans = 0;
    for (int64_t i = 0; i < n; i++) {
        if (x[i] == x[i])
            order[m++] = i;
        else
            work[nans++] = i;
    }
    memcpy(order + m, work, (size_t)nans * sizeof *order);
    for (int64_t i = 0; i < m; i += RUN) argsort_run(x, order + i, m - i < RUN ? m - i : RUN);
    int64_t *from = order, *to = work;
    for (int64_t width = RUN; width < m; width *= 2) {
        for (int64_t i = 0; i < m; i += 2 * width) {
            int64_t end = m - i < 2 * width ? m - i : 2 * width;
            argsort_merge(x, from + i, end < width ? end : width, end, to + i);
        }
        int64_t *t = from;
        from = to;
        to = t;
    }
    if (from != order) memcpy(order, from, (size_t)m * sizeof *order);
}
