/* project_lanes.h - the text of vel_project_boxes for vectors of LANES doubles.
 *
 * Given by who includes it: lanes, masks, bits_of(m) with a bit for each lane of m, smaller(a, b) and larger(a, b) of
 * numbers that are not NaN. */
#include "core/project_bodies.h"

enum { POINT_STEPS = VEL_PIECE / LANES };

static inline lanes load(const double *p) { return *(const lanes *)(const void *)p; }

static inline double least_of(lanes a) {
    double low = a[0];
    for (int i = 1; i < LANES; i++) low = a[i] < low ? a[i] : low;
    return low;
}

/* The distance from a place to an interval, negative parts cut off. */
static inline lanes beyond(lanes low, lanes high, double at) { return larger(larger(low - at, at - high), (lanes){0}); }

/* Bounds of all pieces; returns the least. */
static inline double bound(const vel_pieces *p, double x, double s, double *box) {
    lanes low = (lanes){0} + INFINITY;
    for (int k = 0; k < p->count; k += LANES) {
        lanes du = beyond(load(p->u_low + k), load(p->u_high + k), x);
        lanes ds = beyond(load(p->s_low + k), load(p->s_high + k), s);
        lanes d = du * du + ds * ds;
        *(lanes *)(void *)(box + k) = d;
        low = smaller(d, low);
    }
    return least_of(low);
}

/* A bit for each of n numbers up to the limit, n a multiple of LANES. */
static inline uint32_t up_to(double limit, int n, const double *x) {
    uint32_t set = 0;
    for (int k = 0; k < n; k += LANES) set |= bits_of(load(x + k) <= limit) << k;
    return set;
}

/* Looks through one piece; *best and *at are replaced by a nearer point, or an equal one that comes before. */
static inline void look(const vel_pieces *p, int piece, double x, double s, double *best, int32_t *at) {
    lanes d[POINT_STEPS], low = (lanes){0} + INFINITY;
    const double *u = p->u + piece * VEL_PIECE, *v = p->s + piece * VEL_PIECE;
    for (int k = 0; k < POINT_STEPS; k++) {
        lanes du = load(u + k * LANES) - x, ds = load(v + k * LANES) - s;
        d[k] = du * du + ds * ds;
        low = smaller(d[k], low);
    }
    double least = least_of(low);
    int32_t first = piece * VEL_PIECE;
    if (!(least < *best || (least == *best && first < *at))) return;
    *best = least;
    *at = first + __builtin_ctz(up_to(least, VEL_PIECE, (const double *)d));
}

void PROJECT_BOXES(const vel_pieces *p, int64_t n, const double *x, const double *s, double *time) {
    double box[VEL_PIECES] __attribute__((aligned(64)));
    for (int64_t i = 0; i < n; i++) {
        time[i] = p->times[0];
        if (x[i] != x[i] || s[i] != s[i]) continue;
        int first = __builtin_ctz(up_to(bound(p, x[i], s[i], box), p->count, box));
        double best = INFINITY;
        int32_t at = INT32_MAX;
        look(p, first, x[i], s[i], &best, &at);
        uint32_t near = up_to(best, p->count, box) & ~(UINT32_C(1) << first);
        for (; near; near &= near - 1) {
            int k = __builtin_ctz(near);
            if (box[k] <= best) look(p, k, x[i], s[i], &best, &at);
        }
        time[i] = p->times[at];
    }
}
