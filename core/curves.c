#include "core/curves.h"

#include "core/fmath.h"
#include "core/trajectory.h"

void vel_curve_at(const vel_curve *curve, int64_t n, const double *t, double *alpha, double *u, double *s) {
    vel_trajectory p = {
        .rates = {vel_double(curve->alpha), vel_double(curve->beta), vel_double(curve->gamma)},
        .sigma = vel_double(curve->sigma),
        .switch_at = vel_double(curve->switch_at),
    };
    vel_branch on = vel_branch_of(&p, true), off = vel_branch_of(&p, false);
    for (int64_t i = 0; i < n; i++) {
        double tau;
        vel_branch_time(&p, vel_double(t[i]), &tau);
        u[i] = -curve->beta * tau;
        s[i] = -curve->gamma * tau;
    }
    vel_exp_n(n, u, u);
    vel_exp_n(n, s, s);
    for (int64_t i = 0; i < n; i++) {
        const vel_branch *b = t[i] < curve->switch_at ? &on : &off;
        double eu = u[i], es = s[i];
        u[i] = vel_branch_u(b, eu) * curve->sigma + curve->u0;
        s[i] = vel_branch_s(b, eu, es) + curve->s0;
        if (alpha) alpha[i] = b->alpha;
    }
}

void vel_curve_times(double switch_at, double last, double *t) {
    const int64_t half = VEL_CURVE_POINTS / 2;
    vel_vec rise = {t, VEL_DOUBLE}, fall = {t + half, VEL_DOUBLE};
    vel_linspace(vel_double(0), vel_double(switch_at), half, &rise);
    vel_linspace(vel_double(switch_at), vel_double(last), half, &fall);
}
