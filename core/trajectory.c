#include "core/trajectory.h"

static bool same(vel_num a, vel_num b) { return a.v == b.v && a.tag == b.tag; }

bool vel_trajectory_same(const vel_trajectory *a, const vel_trajectory *b) {
    return same(a->rates.alpha, b->rates.alpha) && same(a->rates.beta, b->rates.beta) &&
           same(a->rates.gamma, b->rates.gamma) && same(a->sigma, b->sigma) && same(a->switch_at, b->switch_at);
}

bool vel_trajectory_is_moderate(const vel_trajectory *p, double std_u) {
    return vel_is_moderate(p->sigma.v) && vel_is_moderate(std_u) && vel_is_moderate(std_u / p->sigma.v);
}

vel_branch vel_branch_of(const vel_trajectory *p, bool on) {
    const vel_rates *r = &p->rates;
    vel_state origin = {vel_weak(0), vel_weak(0)};
    vel_state end = vel_kinetics_at(r, origin, p->switch_at);
    double k = on, rest = 1 - k, alpha = r->alpha.v * k + 0 * rest;
    double u0 = 0 * k + end.u.v * rest, s0 = 0 * k + end.s.v * rest;
    double inverse = vel_inverse(vel_sub(r->gamma, r->beta)).v;
    return (vel_branch){alpha, u0, s0, alpha / r->beta.v, alpha / r->gamma.v, (alpha - u0 * r->beta.v) * inverse};
}
