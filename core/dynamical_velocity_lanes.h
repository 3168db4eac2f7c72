/* dynamical_velocity_lanes.h - the text of the loops for any instruction set: vectors of four doubles. */
#include <math.h>

#include "core/dynamical_velocity_bodies.h"
#include "core/passes.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* no vector leaves this file */

typedef double four __attribute__((vector_size(32), may_alias, aligned(8)));
typedef int64_t masks __attribute__((vector_size(32), may_alias));

static inline four load(const double *p) { return *(const four *)(const void *)p; }
static inline void store(double *p, four x) { *(four *)(void *)p = x; }
static inline four all(double x) { return (four){0} + x; }
static inline four pick(masks m, four a, four b) { return (four)(((masks)a & m) | ((masks)b & ~m)); }
static inline four flag(masks m) { return pick(m, all(1), all(0)); }

static inline four root_of(four x) {
    four y;
    for (int k = 0; k < 4; k++) y[k] = sqrt(x[k]);
    return y;
}

/* 1, 0 or -1; NaN stays. */
static inline four sign(four x) { return pick(x != x, x, flag(x > 0) - flag(x < 0)); }

typedef float four_floats __attribute__((vector_size(16), may_alias, aligned(4)));

/* Elements i .. i + 3 of data, or as many as are left. */
static inline void take(vel_type type, const void *data, int64_t i, int64_t left, four *x) {
    if (left >= 4) {
        *x = type == VEL_F64
                 ? load((const double *)data + i)
                 : __builtin_convertvector(*(const four_floats *)(const void *)((const float *)data + i), four);
        return;
    }
    *x = (four){0};
    for (int64_t k = 0; k < left; k++)
        (*x)[k] = type == VEL_F64 ? ((const double *)data)[i + k] : (double)((const float *)data)[i + k];
}

static inline void observe_as(vel_type type, int64_t n, const vel_observed *o, int64_t first, double *u, double *s) {
    for (int64_t i = 0; i < n; i += 4) {
        four x, y;
        take(type, o->u, first + i, n - i, &x);
        take(type, o->s, first + i, n - i, &y);
        x /= o->scaling;
        if (type == VEL_F32) x = __builtin_convertvector(__builtin_convertvector(x, four_floats), four);
        store(u + i, x - o->u0);
        store(s + i, y - o->s0);
    }
}

static void observe(int64_t n, const vel_observed *o, int64_t first, double *u, double *s) {
    if (o->type == VEL_F64)
        observe_as(VEL_F64, n, o, first, u, s);
    else
        observe_as(VEL_F32, n, o, first, u, s);
}

/* The state on a branch less the data, over their deviations; the operations of core/passes.h. */
static inline void differ(const vel_beside *q, int k, int64_t i, four *du, four *ds) {
    const vel_branch *b = &q->branch[k];
    const four eu = load(q->eu[k] + i), es = load(q->es[k] + i);
    const four u = b->u0 * eu + b->u_inf * (1 - eu);
    const four s = (b->s0 * es + b->s_inf * (1 - es)) + b->c * (es - eu);
    *du = (load(q->u + i) - u) / q->std_u;
    *ds = (load(q->s + i) - s) / q->std_s;
}

static void branches(int64_t n, const vel_beside *q, double *const row[2], double *distance, double *root) {
    for (int64_t i = 0; i < n; i += 4) {
        four du_on, ds_on, du_off, ds_off;
        differ(q, VEL_ON, i, &du_on, &ds_on);
        differ(q, VEL_OFF, i, &du_off, &ds_off);
        const four on = du_on * du_on + ds_on * ds_on, off = du_off * du_off + ds_off * ds_off;
        const four o = flag((on < off) | ((on != on) & (off == off)));
        const four d = on * o + off * (1 - o);
        store(row[VEL_ON] + i, on);
        store(row[VEL_OFF] + i, off);
        store(distance + i, d);
        store(root + i, sign(ds_on * o + ds_off * (1 - o)) * root_of(d));
    }
}

/* Rows to columns: a 4 x 4 square. */
static inline void turn(four r[4]) {
    four a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    four c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

static void interleave(int64_t n, const double *const row[4], double *x) {
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        four r[4] = {load(row[0] + i), load(row[1] + i), load(row[2] + i), load(row[3] + i)};
        turn(r);
        for (int k = 0; k < 4; k++) store(x + 4 * (i + k), r[k]);
    }
    for (; i < n; i++)
        for (int k = 0; k < 4; k++) x[4 * i + k] = row[k][i];
}

static void surest(int64_t n, const double *x, double limit, uint8_t *kinds) {
    for (int64_t i = 0; i < n; i += 4) {
        four q[4];
        for (int k = 0; k < 4; k++) q[k] = load(x + 8 * (i + k));
        turn(q);
        four least = q[0];
        masks best = {0}, close = {0}, odd = {0};
        for (int k = 1; k < 4; k++) {
            masks less = q[k] < least;
            least = pick(less, q[k], least);
            best = (((masks){0} + k) & less) | (best & ~less);
        }
        for (int k = 0; k < 4; k++) {
            close += q[k] < least + VEL_SURELY;
            odd |= q[k] != q[k];
        }
        masks none = least > limit + VEL_SURELY, one = (close == -1) & (least < limit - VEL_SURELY);
        masks sure = (none | one) & (least >= 0) & ~odd;
        best = (((masks){0} + VEL_NO_STATE) & none) | (best & ~none);
        best = (best & sure) | (((masks){0} + VEL_UNSURE) & ~sure);
        for (int k = 0; k < 4 && i + k < n; k++) kinds[i + k] = (uint8_t)best[k];
    }
}

static void likeliest(int64_t n, const double *p, double scale, uint8_t *kinds) {
    for (int64_t i = 0; i < n; i += 4) {
        four q[5] = {load(p + 4 * i), load(p + 4 * i + 4), load(p + 4 * i + 8), load(p + 4 * i + 12),
                     all(VEL_LIKELIHOOD_OF_NONE)};
        turn(q);
        four total = {0};
        for (int k = 0; k < 4; k++) q[k] = scale * q[k];
        for (int k = 0; k < 5; k++) total += q[k];
        total += VEL_LEAST_EVIDENCE;
        total += flag(total == 0);
        masks best = {0};
        four most = q[0] / total;
        for (int k = 1; k < 5; k++) {
            four x = q[k] / total;
            masks better = ((x > most) | (x != x)) & (most == most);
            most = pick(better, x, most);
            best = (((masks){0} + k) & better) | (best & ~better);
        }
        for (int k = 0; k < 4 && i + k < n; k++) kinds[i + k] = (uint8_t)best[k];
    }
}

/* The states of cells i .. i + 3, or of as many as are left and of the last one again. */
static inline void take_kinds(const uint8_t *kinds, int64_t i, int64_t left, masks *x) {
    const uint8_t *at = kinds + VEL_VELOCITY_TOGETHER * i;
    const int64_t step = VEL_VELOCITY_TOGETHER, last = left < 4 ? left - 1 : 3;
#define KIND(k) at[step * ((k) < last ? (k) : last)]
    *x = (masks){KIND(0), KIND(1), KIND(2), KIND(3)};
#undef KIND
}

static void times(int64_t n, const uint8_t *kinds, double switch_at, const double *tau_on, const double *tau_off,
                  double *t) {
    for (int64_t i = 0; i < n; i += 4) {
        masks k;
        four on, off;
        take_kinds(kinds, i, n - i, &k);
        take(VEL_F64, tau_on, i, n - i, &on);
        take(VEL_F64, tau_off, i, n - i, &off);
        store(t + i, on * flag(k == VEL_ON) + (off + switch_at) * flag(k == VEL_OFF));
    }
}

/* numpy.clip from below: a NaN stays, and of equals (zeros) the bound is taken. */
static inline four at_least(four x, four bound) { return pick(x <= bound, bound, x); }

static void move(int64_t n, const vel_course *c, const vel_moving *m, double *v, double *v_u) {
    double u_inf[2], s_inf[2], slope[2];
    for (int k = 0; k < 2; k++) {
        u_inf[k] = c->alpha[k] / c->beta;
        s_inf[k] = c->alpha[k] / c->gamma;
        slope[k] = (c->alpha[k] - c->u0[k] * c->beta) * c->inverse;
    }
#define OF_BRANCH(x) pick(induced, all((x)[1]), all((x)[0]))
    for (int64_t i = 0; i < n; i += 4) {
        masks kinds;
        take_kinds(m->kinds, i, n - i, &kinds);
        const four t = load(m->t + i), before = flag(t < m->switch_at), after = flag(t >= m->switch_at);
        const four curve = flag(kinds < VEL_STEADY_OFF);
        four eu = load(m->eu + i), es = load(m->es + i);
        masks induced = before != 0;
        four u = OF_BRANCH(c->u0) * eu + OF_BRANCH(u_inf) * (1 - eu);
        four s = OF_BRANCH(c->s0) * es + OF_BRANCH(s_inf) * (1 - es) + OF_BRANCH(slope) * (es - eu);
        four on = curve * before, off = curve * after;
        u = u * on + u * off;
        s = s * on + s * off;
        four alpha = OF_BRANCH(c->alpha) * on;
        store(v + i, at_least(u * c->beta - s * c->gamma, -load(m->s + i)));
        store(v_u + i, at_least((alpha - c->beta * u) * c->scaling, -load(m->u + i) * c->scaling));
    }
#undef OF_BRANCH
}

#include "core/dynamical_average_lanes.h"

const vel_velocity_loops LOOPS = {observe, branches, interleave, average, surest, likeliest, times, move};
