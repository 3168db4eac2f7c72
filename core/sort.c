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

enum { RUN = 16, MANY = 512 }; /* sorted by insertion; from which number on digits are worth while */

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

/* order[m] by merging; in the order given among equals. */
static void argsort_by_merging(const double *x, int64_t m, int64_t *order, int64_t *work) {
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

enum { ABOVE = 32 }; /* an element's highest digits stand above its number in one word */

/* The numbers in order[m], by the digits that view shows; those that it cannot tell apart are merged. */
static void argsort_by_digits(const double *x, const view_f64 *v, int64_t m, int64_t *order, int64_t *work) {
    const uint64_t mask = ((uint64_t)1 << v->width) - 1;
    uint32_t count[2][1 << WIDE] = {{0}};
    for (int64_t i = 0; i < m; i++) {
        uint64_t top = top_f64(v, x[order[i]]);
        count[0][top & mask]++;
        count[1][top >> v->width]++;
        order[i] |= (int64_t)(top << ABOVE);
    }
    int64_t *from = order, *to = work;
    for (int digit = 0; digit < 2; digit++) {
        uint32_t place = 0;
        for (uint64_t d = 0; d <= mask; d++) {
            uint32_t c = count[digit][d];
            count[digit][d] = place;
            place += c;
        }
        for (int64_t i = 0; i < m; i++)
            to[count[digit][(uint64_t)from[i] >> (ABOVE + digit * v->width) & mask]++] = from[i];
        int64_t *t = from;
        from = to;
        to = t;
    }
    for (int64_t start = 0, end; start < m; start = end) {
        int64_t top = order[start] >> ABOVE;
        for (end = start; end < m && order[end] >> ABOVE == top; end++) order[end] &= UINT32_MAX;
        if (v->shift > 0 && end - start > 1) argsort_by_merging(x, end - start, order + start, work);
    }
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
    if (m < MANY || n > UINT32_MAX) {
        argsort_by_merging(x, m, order, work);
        return;
    }
    uint64_t least = UINT64_MAX, most = 0;
    for (int64_t i = 0; i < m; i++) {
        uint64_t key = key_f64(x[order[i]]);
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    view_f64 v = view_of_f64(least, most, m);
    argsort_by_digits(x, &v, m, order, work);
}
