#include "core/project.h"

#include <math.h>

#include "core/cpu.h"
#include "core/project_bodies.h"

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

void vel_project_plain(int64_t n, vel_vec x, vel_vec s, int64_t m, vel_vec times, vel_vec curve_u, vel_vec curve_s,
                       vel_vec *time) {
    /* NumPy holds the points in one array and the cells in another: the larger tag is both columns'. */
    curve_u.tag = curve_s.tag = vel_larger(curve_u.tag, curve_s.tag);
    x.tag = s.tag = vel_larger(x.tag, s.tag);
    for (int64_t i = 0; i < n; i++) time->v[i] = times.v[nearest(vel_at(x, i), vel_at(s, i), m, curve_u, curve_s)];
    time->tag = times.tag;
}

/* The bounds of a piece. */
static void enclose(const double *x, double *low, double *high) {
    *low = *high = x[0];
    for (int i = 1; i < VEL_PIECE; i++) {
        if (x[i] < *low) *low = x[i];
        if (x[i] > *high) *high = x[i];
    }
}

/* Cuts the curve into pieces; false if it has too many points, or some that are not finite. */
static bool cut(int64_t m, const double *times, const double *u, const double *s, vel_pieces *p) {
    const int64_t most = VEL_PIECES * VEL_PIECE, step = 4 * VEL_PIECE;
    if (m > most) return false;
    double total = 0;
    for (int64_t k = 0; k < m; k++) total += u[k] * 0 + s[k] * 0;
    if (total != 0) return false;
    int64_t filled = (m + step - 1) / step * step;
    for (int64_t k = 0; k < filled; k++) {
        p->u[k] = u[k < m ? k : m - 1];
        p->s[k] = s[k < m ? k : m - 1];
    }
    p->count = (int)(filled / VEL_PIECE);
    for (int k = 0; k < p->count; k++) {
        enclose(p->u + k * VEL_PIECE, &p->u_low[k], &p->u_high[k]);
        enclose(p->s + k * VEL_PIECE, &p->s_low[k], &p->s_high[k]);
    }
    p->times = times;
    return true;
}

void vel_project(int64_t n, vel_vec x, vel_vec s, int64_t m, vel_vec times, vel_vec curve_u, vel_vec curve_s,
                 vel_vec *time) {
    vel_pieces pieces __attribute__((aligned(64)));
    vel_tag tag = vel_larger(vel_larger(x.tag, s.tag), vel_larger(curve_u.tag, curve_s.tag));
    if (tag != VEL_DOUBLE || !cut(m, times.v, curve_u.v, curve_s.v, &pieces)) {
        vel_project_plain(n, x, s, m, times, curve_u, curve_s, time);
        return;
    }
    time->tag = times.tag;
    if (vel_cpu_level() == VEL_CPU_PLAIN)
        vel_project_boxes(&pieces, n, x.v, s.v, time->v);
    else
        vel_project_boxes_avx2(&pieces, n, x.v, s.v, time->v);
}
