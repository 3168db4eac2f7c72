#include "core/stats.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/sum.h"

/* Elements low and high and the weight of high. */
typedef struct {
    int64_t low, high;
    double weight;
} rank;

enum { SAMPLE = 256 };

#define REAL double
#define NAME(x) x##_f64
#include "core/stats_body.h"

#define REAL float
#define NAME(x) x##_f32
#include "core/stats_body.h"

double vel_percentile_list_f32(const float *sorted, int64_t n, double p) {
    if (n == 0 || sorted[n - 1] != sorted[n - 1]) return NAN;
    rank r = rank_of_f64(n, p);
    float low = sorted[r.low], high = sorted[r.high], d = high - low; /* rounded to float, as in NumPy */
    return r.weight >= 0.5 ? high - (double)d * (1 - r.weight) : low + (double)d * r.weight;
}

int64_t vel_argmin_f64(const double *x, int64_t n) {
    int64_t best = 0;
    for (int64_t i = 1; i < n && x[best] == x[best]; i++)
        if (!(x[i] >= x[best])) best = i;
    return best;
}

int64_t vel_argmax_f64(const double *x, int64_t n) {
    int64_t best = 0;
    for (int64_t i = 1; i < n && x[best] == x[best]; i++)
        if (!(x[i] <= x[best])) best = i;
    return best;
}
