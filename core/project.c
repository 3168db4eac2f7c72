#include "core/project.h"

#include <math.h>

#include "core/cpu.h"
#include "core/project_bodies.h"

static int64_t nearest(vel_num x, vel_num s, const vel_points *curve) {
    int64_t best = 0;
    double least = 0;
    for (int64_t k = 0; k < curve->m; k++) {
        vel_num du = vel_sub(vel_at(curve->u, k), x), ds = vel_sub(vel_at(curve->s, k), s);
        double d = vel_add(vel_square(du), vel_square(ds)).v;
        if (d != d) return k;
        if (k && !(d < least)) continue;
        least = d;
        best = k;
    }
    return best;
}

void vel_project_plain(int64_t n, vel_vec x, vel_vec s, const vel_points *curve, vel_vec *time) {
    /* NumPy holds the points in one array and the cells in another: the larger tag is both columns'. */
    vel_points points = *curve;
    points.u.tag = points.s.tag = vel_larger(curve->u.tag, curve->s.tag);
    x.tag = s.tag = vel_larger(x.tag, s.tag);
    for (int64_t i = 0; i < n; i++) time->v[i] = points.times.v[nearest(vel_at(x, i), vel_at(s, i), &points)];
    time->tag = points.times.tag;
}

/* The bounds of a piece. */
static void enclose(const double *x, double *low, double *high) {
    *low = *high = x[0];
    for (int i = 1; i < VEL_CURVE_PIECE; i++) {
        if (x[i] < *low) *low = x[i];
        if (x[i] > *high) *high = x[i];
    }
}

/* Cuts the curve into pieces; false if it has too many points, or some that are not finite. */
static bool cut(const vel_points *curve, vel_curve_pieces *p) {
    const int64_t most = VEL_CURVE_PIECES * VEL_CURVE_PIECE, step = 4 * VEL_CURVE_PIECE, m = curve->m;
    const double *u = curve->u.v, *s = curve->s.v;
    if (m > most) return false;
    double total = 0;
    for (int64_t k = 0; k < m; k++) total += u[k] * 0 + s[k] * 0;
    if (total != 0) return false;
    int64_t filled = (m + step - 1) / step * step;
    for (int64_t k = 0; k < filled; k++) {
        p->u[k] = u[k < m ? k : m - 1];
        p->s[k] = s[k < m ? k : m - 1];
    }
    p->count = (int)(filled / VEL_CURVE_PIECE);
    for (int k = 0; k < p->count; k++) {
        enclose(p->u + k * VEL_CURVE_PIECE, &p->u_low[k], &p->u_high[k]);
        enclose(p->s + k * VEL_CURVE_PIECE, &p->s_low[k], &p->s_high[k]);
    }
    p->times = curve->times.v;
    return true;
}

void vel_project(int64_t n, vel_vec x, vel_vec s, const vel_points *curve, vel_vec *time) {
    vel_curve_pieces pieces __attribute__((aligned(64)));
    vel_tag tag = vel_larger(vel_larger(x.tag, s.tag), vel_larger(curve->u.tag, curve->s.tag));
    if (tag != VEL_DOUBLE || !cut(curve, &pieces)) {
        vel_project_plain(n, x, s, curve, time);
        return;
    }
    time->tag = curve->times.tag;
    if (vel_cpu_level() == VEL_CPU_PLAIN)
        vel_project_boxes(&pieces, n, x.v, s.v, time->v);
    else
        vel_project_boxes_avx2(&pieces, n, x.v, s.v, time->v);
}
