#include "verify/gap.h"

#include <math.h>
#include <string.h>

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same_bits(double a, double b) { return bits_of(a) == bits_of(b); }

static void add_apart(vel_gap *g, const vel_tolerance *t, double a, double b, double rest) {
    double apart = fabs(a - b + rest), size = fmax(fabs(a), fabs(b));
    double relative = isinf(apart) ? INFINITY : size > 0 ? apart / size : 0;
    if (apart > g->max_abs) g->max_abs = apart;
    if (relative > g->max_rel) g->max_rel = relative;
    if (t->bits || isinf(apart) || apart > t->atol + t->rtol * size) g->outside++;
}

void vel_gap_add(vel_gap *g, const vel_tolerance *t, double a, double b, double rest) {
    g->n++;
    if ((same_bits(a, b) && rest == 0) || (isnan(a) && isnan(b))) {
        g->same_bits++;
    } else if (isnan(a) || isnan(b)) {
        g->nan_differs++;
        g->outside++;
    } else {
        add_apart(g, t, a, b, rest);
    }
}

bool vel_gap_exceeds(const vel_gap *g, const vel_tolerance *t) {
    return (double)g->outside > t->outliers * (double)g->n;
}
