#include "core/align.h"

/* numpy.max: a NaN stays. */
static double larger(double a, double b) { return b > a || b != b ? b : a; }

double vel_align_factor(int64_t n, const double *t, double switch_at, double t_max) {
    double on = t[0] * (t[0] < switch_at), off = (t[0] - switch_at) * (t[0] > switch_at);
    int64_t resting = 0;
    for (int64_t i = 0; i < n; i++) {
        if (on == on) on = larger(on, t[i] * (t[i] < switch_at));
        if (off == off) off = larger(off, (t[i] - switch_at) * (t[i] > switch_at));
        resting += t[i] == switch_at || t[i] == 0;
    }
    double moving = 1 - (double)resting / (double)n;
    double span = (on + off) / (moving == 0 ? 1 : moving);
    return t_max / (span == 0 ? 1 : span);
}

void vel_align(int64_t n, double m, vel_dynamics_solution *solution) {
    solution->alpha /= m;
    solution->beta /= m;
    solution->gamma /= m;
    solution->switch_at *= m;
    for (int64_t i = 0; i < n; i++) {
        solution->t[i] *= m;
        solution->tau[i] *= m;
        solution->tau_off[i] *= m;
    }
}
