#include "core/gaps.h"

#include "core/sort.h"
#include "core/stats.h"

#define WIDE 3.0     /* a gap is this many times */
#define USUALLY 99.5 /* this percentile of the increments */

enum { MANY = 256 }; /* times of a branch, for which buckets are worth while */

/* Increments of one branch, and the times that they lead to; not all of them, but all above `hidden`. */
typedef struct {
    int64_t n;
    double *d, *at, hidden;
} steps;

static bool in_order(int64_t n, const double *x) {
    int64_t k = 1;
    while (k < n && x[k] >= x[k - 1]) k++;
    return k >= n;
}

static void all_steps(int64_t n, const double *sorted, steps *s) {
    double before = 0;
    for (int64_t k = 0; k < n; k++) {
        s->d[k] = sorted[k] - before;
        s->at[k] = before = sorted[k];
    }
    s->n = n;
    s->hidden = 0;
}

/* The increments from one bucket of times to the next; others are not wider than a bucket. room[n] is scratch. False if
 * there is a NaN, or an infinite time. */
static bool steps_between_buckets(int64_t n, const double *x, double *room, steps *s) {
    int64_t buckets = n / 2;
    double least = x[0], most = x[0], odd = 0, *low = room, *high = room + buckets;
    for (int64_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
        odd += x[i] * 0;
    }
    double scale = (double)(buckets - 1) / (most - least);
    if (odd != 0 || !(scale > 0 && scale < INFINITY)) return false;
    for (int64_t b = 0; b < buckets; b++) {
        low[b] = INFINITY;
        high[b] = -INFINITY;
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t b = (int64_t)((x[i] - least) * scale);
        low[b] = x[i] < low[b] ? x[i] : low[b];
        high[b] = x[i] > high[b] ? x[i] : high[b];
    }
    double before = 0;
    s->n = 0;
    s->hidden = 0;
    for (int64_t b = 0; b < buckets; b++) {
        if (high[b] < low[b]) continue;
        s->d[s->n] = low[b] - before;
        s->at[s->n++] = low[b];
        before = high[b];
        if (high[b] - low[b] > s->hidden) s->hidden = high[b] - low[b];
    }
    return true;
}

/* room[n] is scratch. False if the times must be sorted first. */
static bool steps_as_they_are(int64_t n, const double *x, double *room, steps *s) {
    if (in_order(n, x)) {
        all_steps(n, x, s);
        return true;
    }
    return n >= MANY && steps_between_buckets(n, x, room, s);
}

/* Whether the largest of n increments are among those known, as many as the percentile looks at. */
static bool are_enough(int64_t n, const steps *on, const steps *off) {
    double hidden = on->hidden > off->hidden ? on->hidden : off->hidden;
    int64_t known = 0;
    if (on->n + off->n == n) return true;
    for (int64_t k = 0; k < on->n + off->n; k++) known += on->d[k] > hidden;
    return (double)known >= (double)n * (1 - USUALLY / 100) + 3;
}

static void sort(int64_t n, double *x, double *work) {
    if (!in_order(n, x)) vel_sort_f64_with(x, n, work);
}

/* Keeps the increments above the bound, in front. */
static vel_gaps gaps_of(const steps *s, double bound) {
    int64_t gaps = 0;
    for (int64_t k = 0; k < s->n; k++) {
        if (!(s->d[k] > bound)) continue;
        s->at[gaps] = s->at[k];
        s->d[gaps++] = s->d[k];
    }
    return (vel_gaps){gaps, s->at, s->d};
}

void vel_find_gaps(int64_t n_on, double *on, int64_t n_off, double *off, double *work, vel_gaps *gaps_on,
                   vel_gaps *gaps_off) {
    int64_t n = n_on + n_off;
    double *d = work, *at = d + n, *scratch = at + n;
    steps s_on = {.d = d, .at = at}, s_off = {.n = 0};
    bool known = steps_as_they_are(n_on, on, scratch, &s_on);
    if (known) {
        s_off = (steps){.d = d + s_on.n, .at = at + s_on.n};
        known = steps_as_they_are(n_off, off, scratch, &s_off) && are_enough(n, &s_on, &s_off);
    }
    if (!known) {
        sort(n_on, on, scratch);
        sort(n_off, off, scratch);
        all_steps(n_on, on, &s_on);
        s_off = (steps){.d = d + n_on, .at = at + n_on};
        all_steps(n_off, off, &s_off);
    }
    for (int64_t k = s_on.n + s_off.n; k < n; k++) d[k] = 0;
    double bound = n ? WIDE * vel_percentile_f64(d, n, USUALLY, scratch) : 0;
    *gaps_on = gaps_of(&s_on, bound);
    *gaps_off = gaps_of(&s_off, bound);
}
