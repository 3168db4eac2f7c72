#include "core/curves.h"

#include "core/fmath.h"
#include "core/least.h"
#include "core/passes.h"
#include "core/trajectory.h"

void vel_curve_at(const vel_curve *curve, int64_t n, const double *t, double *alpha, double *u, double *s) {
    enum { CHUNK = 512 };
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    const vel_trajectory p = {
        .rates = {vel_double(curve->alpha), vel_double(curve->beta), vel_double(curve->gamma)},
        .sigma = vel_double(curve->sigma),
        .switch_at = vel_double(curve->switch_at),
    };
    const vel_branch branch[2] = {vel_branch_of(&p, false), vel_branch_of(&p, true)};
    const vel_pass_levels levels = {curve->sigma, curve->u0, curve->s0};
    for (int64_t c = 0; c < n; c += CHUNK) {
        const int64_t cells = vel_least(n - c, CHUNK);
        double where[CHUNK];
        passes->since(cells, &p.rates, curve->switch_at, t + c, where, u + c, s + c);
        vel_exp_n(cells, u + c, u + c);
        vel_exp_n(cells, s + c, s + c);
        passes->drawn(cells, branch, &levels, where, u + c, s + c);
        for (int64_t i = 0; alpha && i < cells; i++) alpha[c + i] = branch[where[i] != 0].alpha;
    }
}

void vel_curve_times(double switch_at, double last, double *t) {
    const int64_t half = VEL_CURVE_POINTS / 2;
    vel_vec rise = {t, VEL_DOUBLE}, fall = {t + half, VEL_DOUBLE};
    vel_linspace(vel_double(0), vel_double(switch_at), half, &rise);
    vel_linspace(vel_double(switch_at), vel_double(last), half, &fall);
}
