#include "core/project.h"

static int64_t nearest(vel_num x, vel_num s, int64_t m, vel_vec curve_u, vel_vec curve_s) {
    int64_t best = 0;
    double least = 0;
    for (int64_t k = 0; k < m; k++) {
        vel_num du = vel_sub(vel_at(curve_u, k), x), ds = vel_sub(vel_at(curve_s, k), s);
        double d = vel_add(vel_square(du), vel_square(ds)).v;
        if (d != d) return k;
        if (k && !(d < least)) continue;
        least = d;
        best = k;
    }
    return best;
}

void vel_project(int64_t n, vel_vec x, vel_vec s, int64_t m, vel_vec times, vel_vec curve_u, vel_vec curve_s,
                 vel_vec *time) {
    /* NumPy holds the points in one array and the cells in another: the larger tag is both columns'. */
    curve_u.tag = curve_s.tag = vel_larger(curve_u.tag, curve_s.tag);
    x.tag = s.tag = vel_larger(x.tag, s.tag);
    for (int64_t i = 0; i < n; i++) time->v[i] = times.v[nearest(vel_at(x, i), vel_at(s, i), m, curve_u, curve_s)];
    time->tag = times.tag;
}
