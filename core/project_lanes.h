/* project_lanes.h - the text of vel_project_boxes for vectors of LANES doubles. */
#include "core/project_bodies.h"

enum { POINT_STEPS = VEL_PIECE / LANES };

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias));
typedef int64_t masks __attribute__((vector_size(LANES * 8), may_alias));

static inline lanes pick(masks m, lanes a, lanes b) { return (lanes)(((masks)a & m) | ((masks)b & ~m)); }
static inline lanes smaller(lanes a, lanes b) { return pick(a < b, a, b); }
static inline lanes larger(lanes a, lanes b) { return pick(a < b, b, a); }
static inline lanes load(const double *p) { return *(const lanes *)(const void *)p; }

static inline double least_of(lanes a) {
    double low = a[0];
    for (int i = 1; i < LANES; i++) low = a[i] < low ? a[i] : low;
    return low;
}

/* The distance from a place to an interval, negative parts cut off. */
static inline lanes beyond(lanes low, lanes high, double at) { return larger(larger(low - at, at - high), (lanes){0}); }

/* Bounds of all pieces; returns the piece with the least. */
static inline int bound(const vel_pieces *p, double x, double s, double *box) {
    lanes low = (lanes){0} + INFINITY;
    for (int k = 0; k < p->count; k += LANES) {
        lanes du = beyond(load(p->u_low + k), load(p->u_high + k), x);
        lanes ds = beyond(load(p->s_low + k), load(p->s_high + k), s);
        lanes d = du * du + ds * ds;
        *(lanes *)(void *)(box + k) = d;
        low = smaller(d, low);
    }
    double least = least_of(low);
    int at = 0;
    while (at < p->count - 1 && box[at] != least) at++;
    return at;
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
    const double *all = (const double *)d;
    while (*all != least) all++;
    *best = least;
    *at = first + (int32_t)(all - (const double *)d);
}

void PROJECT_BOXES(const vel_pieces *p, int64_t n, const double *x, const double *s, double *time) {
    double box[VEL_PIECES] __attribute__((aligned(64)));
    for (int64_t i = 0; i < n; i++) {
        time[i] = p->times[0];
        if (x[i] != x[i] || s[i] != s[i]) continue;
        int first = bound(p, x[i], s[i], box);
        double best = INFINITY;
        int32_t at = INT32_MAX;
        look(p, first, x[i], s[i], &best, &at);
        for (int k = 0; k < p->count; k++)
            if (box[k] <= best && k != first) look(p, k, x[i], s[i], &best, &at);
        time[i] = p->times[at];
    }
}
