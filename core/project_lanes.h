/* project_lanes.h - the text of vel_project_boxes for vectors of LANES doubles.
 *
 * Given by who includes it: lanes, masks, bits_of(m) with a bit for each lane of m, smaller(a, b) and larger(a, b) of
 * numbers that are not NaN. */
#include "core/project_bodies.h"

enum { POINT_STEPS = VEL_CURVE_PIECE / LANES, TOGETHER = 32 };

static inline lanes load(const double *p) { return *(const lanes *)(const void *)p; }

static inline double least_of(lanes a) {
    double low = a[0];
    for (int i = 1; i < LANES; i++) low = a[i] < low ? a[i] : low;
    return low;
}

/* The distance from a place to an interval, negative parts cut off. */
static inline lanes beyond(lanes low, lanes high, double at) { return larger(larger(low - at, at - high), (lanes){0}); }

/* A bit for each of n numbers up to the limit, n a multiple of LANES. */
static inline uint32_t up_to(double limit, int n, const double *x) {
    uint32_t set = 0;
    for (int k = 0; k < n; k += LANES) set |= bits_of(load(x + k) <= limit) << k;
    return set;
}

/* The lowest of n bits that is set; of none, as NaN has it, the last. */
static inline int first_of(uint32_t set, int n) { return __builtin_ctz(set | UINT32_C(1) << (n - 1)); }

/* Bounds of all pieces; returns the first of the least. */
static inline int nearest_box(const vel_curve_pieces *p, double x, double s, double *box) {
    lanes low = (lanes){0} + INFINITY;
    for (int k = 0; k < p->count; k += LANES) {
        lanes du = beyond(load(p->u_low + k), load(p->u_high + k), x);
        lanes ds = beyond(load(p->s_low + k), load(p->s_high + k), s);
        lanes d = du * du + ds * ds;
        *(lanes *)(void *)(box + k) = d;
        low = smaller(d, low);
    }
    return first_of(up_to(least_of(low), p->count, box), p->count);
}

/* The least distance to a point of one piece, and the first that has it. */
static inline double nearest_point(const vel_curve_pieces *p, int piece, double x, double s, int32_t *at) {
    lanes d[POINT_STEPS], low = (lanes){0} + INFINITY;
    const double *u = p->u + piece * VEL_CURVE_PIECE, *v = p->s + piece * VEL_CURVE_PIECE;
#pragma GCC unroll 8
    for (int k = 0; k < POINT_STEPS; k++) {
        lanes du = load(u + k * LANES) - x, ds = load(v + k * LANES) - s;
        d[k] = du * du + ds * ds;
        low = smaller(d[k], low);
    }
    double least = least_of(low);
    *at = piece * VEL_CURVE_PIECE + first_of(up_to(least, VEL_CURVE_PIECE, (const double *)d), VEL_CURVE_PIECE);
    return least;
}

/* Looks through other pieces while they may hold a nearer point, or an equal one that comes before. */
static inline int32_t look_on(const vel_curve_pieces *p, uint32_t pieces, double x, double s, const double *box,
                              double best, int32_t at) {
    for (; pieces; pieces &= pieces - 1) {
        int k = __builtin_ctz(pieces);
        int32_t other;
        if (!(box[k] <= best)) continue;
        double d = nearest_point(p, k, x, s, &other);
        if (!(d < best || (d == best && other < at))) continue;
        best = d;
        at = other;
    }
    return at;
}

/* Step by step for all cells: what cannot be foreseen, whether other pieces are looked through, is left to the last. */
static void project_some(const vel_curve_pieces *p, int n, const double *x, const double *s, double *time) {
    double box[TOGETHER][VEL_CURVE_PIECES] __attribute__((aligned(64)));
    double best[TOGETHER];
    int32_t at[TOGETHER];
    int piece[TOGETHER];
    for (int i = 0; i < n; i++) piece[i] = nearest_box(p, x[i], s[i], box[i]);
    for (int i = 0; i < n; i++) best[i] = nearest_point(p, piece[i], x[i], s[i], &at[i]);
    for (int i = 0; i < n; i++) {
        uint32_t others = up_to(best[i], p->count, box[i]) & ~(UINT32_C(1) << piece[i]);
        bool odd = x[i] != x[i] || s[i] != s[i];
        time[i] = p->times[odd ? 0 : look_on(p, others, x[i], s[i], box[i], best[i], at[i])];
    }
}

void PROJECT_BOXES(const vel_curve_pieces *p, int64_t n, const double *x, const double *s, double *time) {
    for (int64_t i = 0; i < n; i += TOGETHER)
        project_some(p, (int)(n - i < TOGETHER ? n - i : TOGETHER), x + i, s + i, time + i);
}
