#include "core/simplex.h"

#include <math.h>
#include <string.h>

#include "core/order.h"

enum { VERTICES = VEL_SIMPLEX_MOST + 1 };

#define STEP 0.05         /* the first simplex: an entry made larger by this share, */
#define STEP_ZERO 0.00025 /* or put here if it is 0 */

typedef struct {
    double x[VEL_SIMPLEX_MOST], f;
} vertex;

typedef struct {
    const vel_simplex *problem;
    vel_tag tag;
    int n;
    vertex v[VERTICES];
} search;

static void sort_vertices(search *s) {
    double f[VERTICES] = {0};
    int order[VERTICES];
    vertex sorted[VERTICES];
    for (int i = 0; i <= s->n; i++) f[i] = s->v[i].f;
    vel_order_network(f, s->n + 1, order);
    for (int i = 0; i <= s->n; i++) sorted[i] = s->v[order[i]];
    memcpy(s->v, sorted, sizeof *sorted * (size_t)(s->n + 1));
}

static void evaluate(const search *s, vertex *v) {
    vel_num x[VEL_SIMPLEX_MOST];
    for (int i = 0; i < s->n; i++) x[i] = (vel_num){v->x[i], s->tag};
    v->f = s->problem->f(s->problem->arg, x);
}

static void first_simplex(search *s) {
    for (int k = 1; k <= s->n; k++) {
        s->v[k] = s->v[0];
        double *entry = &s->v[k].x[k - 1];
        vel_num here = {*entry, s->tag};
        *entry = *entry != 0 ? vel_mul(vel_weak(1 + STEP), here).v : vel_rounded(STEP_ZERO, s->tag);
    }
    for (int k = 0; k <= s->n; k++) evaluate(s, &s->v[k]);
    sort_vertices(s);
    sort_vertices(s);
}

static bool converged(const search *s) {
    double moved = 0, gained = 0;
    for (int k = 1; k <= s->n; k++) {
        for (int i = 0; i < s->n; i++) {
            double d = fabs(vel_rounded(s->v[k].x[i] - s->v[0].x[i], s->tag));
            if (!(d <= moved)) moved = d;
        }
        double d = fabs(s->v[0].f - s->v[k].f);
        if (!(d <= gained)) gained = d;
    }
    double tolerance = s->problem->tolerance;
    return moved <= tolerance && gained <= tolerance;
}

/* a * the centre of all but the worst + b * the worst, evaluated. */
static vertex trial(const search *s, double a, double b) {
    vertex out;
    for (int i = 0; i < s->n; i++) {
        vel_num centre = {s->v[0].x[i], s->tag}, worst = {s->v[s->n].x[i], s->tag};
        for (int k = 1; k < s->n; k++) centre = vel_add(centre, (vel_num){s->v[k].x[i], s->tag});
        centre = vel_div(centre, vel_weak(s->n));
        out.x[i] = vel_add(vel_mul(vel_weak(a), centre), vel_mul(vel_weak(b), worst)).v;
    }
    evaluate(s, &out);
    return out;
}

static void shrink(search *s) {
    for (int k = 1; k <= s->n; k++) {
        for (int i = 0; i < s->n; i++) {
            vel_num best = {s->v[0].x[i], s->tag}, here = {s->v[k].x[i], s->tag};
            s->v[k].x[i] = vel_add(best, vel_mul(vel_weak(0.5), vel_sub(here, best))).v;
        }
        evaluate(s, &s->v[k]);
    }
}

static void iterate(search *s) {
    vertex *worst = &s->v[s->n];
    vertex reflected = trial(s, 2, -1);
    if (reflected.f < s->v[0].f) {
        vertex expanded = trial(s, 3, -2);
        *worst = expanded.f < reflected.f ? expanded : reflected;
    } else if (reflected.f < s->v[s->n - 1].f) {
        *worst = reflected;
    } else if (reflected.f < worst->f) {
        vertex outside = trial(s, 1.5, -0.5);
        if (outside.f <= reflected.f)
            *worst = outside;
        else
            shrink(s);
    } else {
        vertex inside = trial(s, 0.5, 0.5);
        if (inside.f < worst->f)
            *worst = inside;
        else
            shrink(s);
    }
    sort_vertices(s);
}

static void best_vertex(const search *s, vel_num *x) {
    for (int i = 0; i < s->n; i++) x[i] = (vel_num){s->v[0].x[i], s->tag};
}

int64_t vel_simplex_search(const vel_simplex *problem, vel_num *x) {
    search s = {.problem = problem, .tag = VEL_SINGLE, .n = problem->n};
    for (int i = 0; i < s.n; i++) {
        if (x[i].tag != VEL_SINGLE) s.tag = VEL_DOUBLE;
        s.v[0].x[i] = x[i].v;
    }
    first_simplex(&s);
    int64_t counter = 1;
    while (counter < problem->iterations && !converged(&s)) {
        iterate(&s);
        counter++;
        if (!problem->after) continue;
        best_vertex(&s, x);
        problem->after(problem->arg, x);
    }
    best_vertex(&s, x);
    return counter - 1;
}
