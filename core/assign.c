#include "core/assign.h"

#include "core/decide.h"
#include "core/gaps.h"
#include "core/project.h"

enum { OFF, ON, STEADY_OFF, STEADY_ON, ROWS };
enum { CELLS_A_POINT = 5, FEWEST_POINTS = 200, MOST_POINTS = 500 };

#define ZERO vel_weak(0)

struct vel_assign_work {
    vel_vec x;            /* u / sigma */
    vel_vec tau, tau_off; /* of every cell, on both branches */
    vel_vec curve_u, curve_s;
    vel_vec row[ROWS]; /* squared distances */
    double *sums;
    vel_vec grid, grid_u, grid_s; /* points of a curve */
    uint8_t *state;
};

static vel_err new_vec(vel_ctx *ctx, int64_t n, vel_vec *x) {
    x->tag = VEL_DOUBLE;
    return VEL_ALLOC(ctx, x->v, n);
}

vel_err vel_assign_work_new(vel_ctx *ctx, int64_t n, vel_assign_work **work) {
    VEL_TRY(VEL_ALLOC(ctx, *work, 1));
    vel_assign_work *w = *work;
    double *rows;
    vel_vec *vecs[] = {&w->x, &w->tau, &w->tau_off, &w->curve_u, &w->curve_s};
    for (size_t i = 0; i < sizeof vecs / sizeof *vecs; i++) VEL_TRY(new_vec(ctx, n, vecs[i]));
    VEL_TRY(VEL_ALLOC(ctx, rows, ROWS * n));
    VEL_TRY(VEL_ALLOC(ctx, w->sums, 2 * (n + 1)));
    for (int r = 0; r < ROWS; r++) w->row[r].v = rows + r * n;
    vel_vec *points[] = {&w->grid, &w->grid_u, &w->grid_s};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) VEL_TRY(new_vec(ctx, MOST_POINTS, points[i]));
    return VEL_ALLOC(ctx, w->state, n);
}

/* The repression branch: the same rates without transcription, from the state at the switch. */
typedef struct {
    vel_rates rates;
    vel_state from;
} repression;

static const vel_state origin = {{0, VEL_WEAK}, {0, VEL_WEAK}};

static repression repression_of(const vel_trajectory *p) {
    return (repression){{ZERO, p->rates.beta, p->rates.gamma}, vel_kinetics_at(&p->rates, origin, p->switch_at)};
}

static void scale(const vel_cells *c, vel_num sigma, vel_vec *x) {
    x->tag = vel_larger(c->u.tag, sigma.tag);
    for (int64_t i = 0; i < c->n; i++) x->v[i] = vel_div(vel_at(c->u, i), sigma).v;
}

/* NumPy's clip(x, 0, most): NaN in x stays, NaN in most goes everywhere. */
static void clip(int64_t n, vel_vec *x, vel_num most) {
    x->tag = vel_larger(x->tag, most.tag);
    for (int64_t i = 0; i < n; i++) {
        double v = x->v[i];
        if (v < 0) v = 0;
        x->v[i] = v <= most.v || v != v ? v : most.v;
    }
}

/* The extreme of x among the cells with spliced counts: the least, or the most. x must not be work->curve_u. */
static vel_num extreme_of_spliced(const vel_cells *c, vel_vec x, bool most, double *work) {
    vel_vec kept = {work, x.tag};
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++)
        if (c->s.v[i] > 0) kept.v[n++] = x.v[i];
    return most ? vel_vec_max(n, kept) : vel_vec_min(n, kept);
}

static void times_by_inverse(const vel_cells *c, const vel_trajectory *p, const repression *off, vel_assign_work *w) {
    vel_kinetics_times(&p->rates, origin, c->n, w->x, c->s, &w->tau);
    clip(c->n, &w->tau, p->switch_at);
    vel_kinetics_times(&off->rates, off->from, c->n, w->x, c->s, &w->tau_off);
    clip(c->n, &w->tau_off, extreme_of_spliced(c, w->tau_off, true, w->curve_u.v));
}

static void times_by_projection(const vel_cells *c, const vel_trajectory *p, const repression *off,
                                vel_assign_work *w) {
    vel_num least = extreme_of_spliced(c, w->x, false, w->curve_u.v);
    vel_num end = vel_kinetics_time_of_u(&off->rates, off->from.u, least);
    int64_t m = c->n / CELLS_A_POINT;
    m = m < FEWEST_POINTS ? FEWEST_POINTS : m > MOST_POINTS ? MOST_POINTS : m;

    vel_linspace(ZERO, p->switch_at, m, &w->grid);
    vel_kinetics_states(&p->rates, origin, m, w->grid, &w->grid_u, &w->grid_s);
    vel_project(c->n, w->x, c->s, m, w->grid, w->grid_u, w->grid_s, &w->tau);

    vel_linspace(ZERO, end, m, &w->grid);
    vel_vec later = {w->grid.v + 1, w->grid.tag};
    vel_kinetics_states(&off->rates, off->from, m - 1, later, &w->grid_u, &w->grid_s);
    vel_project(c->n, w->x, c->s, m - 1, later, w->grid_u, w->grid_s, &w->tau_off);
}

/* row = ((x - U) / q_u)^2 + ((s - S) / q_s)^2 for the curve in work. */
static void distances(const vel_cells *c, vel_num q_u, vel_assign_work *w, vel_vec *row) {
    vel_num last = ZERO;
    for (int64_t i = 0; i < c->n; i++) {
        vel_num du = vel_div(vel_sub(vel_at(w->x, i), vel_at(w->curve_u, i)), q_u);
        vel_num ds = vel_div(vel_sub(vel_at(c->s, i), vel_at(w->curve_s, i)), c->std_s);
        last = vel_add(vel_square(du), vel_square(ds));
        row->v[i] = last.v;
    }
    row->tag = last.tag;
}

static void distances_to_branches(const vel_cells *c, const vel_trajectory *p, const repression *off,
                                  vel_assign_work *w) {
    vel_num q_u = vel_div(c->std_u, p->sigma);
    vel_kinetics_states(&p->rates, origin, c->n, w->tau, &w->curve_u, &w->curve_s);
    distances(c, q_u, w, &w->row[ON]);
    vel_kinetics_states(&off->rates, off->from, c->n, w->tau_off, &w->curve_u, &w->curve_s);
    distances(c, q_u, w, &w->row[OFF]);
}

static void distances_to_steady_states(const vel_cells *c, const vel_trajectory *p, vel_assign_work *w) {
    vel_num q_u = vel_div(c->std_u, p->sigma);
    vel_num u_inf = vel_div(p->rates.alpha, p->rates.beta), s_inf = vel_div(p->rates.alpha, p->rates.gamma);
    vel_num off = ZERO, on = ZERO;
    for (int64_t i = 0; i < c->n; i++) {
        vel_num x = vel_at(w->x, i), s = vel_at(c->s, i);
        off = vel_add(vel_square(vel_div(x, q_u)), vel_square(vel_div(s, c->std_s)));
        on = vel_add(vel_square(vel_div(vel_sub(x, u_inf), q_u)), vel_square(vel_div(vel_sub(s, s_inf), c->std_s)));
        w->row[STEADY_OFF].v[i] = off.v;
        w->row[STEADY_ON].v[i] = on.v;
    }
    w->row[STEADY_OFF].tag = off.tag;
    w->row[STEADY_ON].tag = on.tag;
}

/* The rows stand in one array in the reference: all are averaged in the largest tag among them. */
static void decide(const vel_cells *c, int rows, vel_assign_work *w) {
    vel_choice choice = {.nearby = c->nearby, .n = c->n, .count = rows, .tag = w->row[0].tag};
    for (int r = 0; r < rows; r++) {
        choice.row[r] = w->row[r].v;
        choice.tag = vel_larger(choice.tag, w->row[r].tag);
    }
    vel_decide(&choice, w->sums, w->state);
}

/* Takes the times of each branch's cells out, closes their gaps and puts them back. */
static void close_gaps(const vel_cells *c, vel_assign_work *w) {
    double *on = w->row[0].v, *off = on + c->n, *scratch = on;
    int64_t n_on = 0, n_off = 0;
    for (int64_t i = 0; i < c->n; i++)
        if (w->state[i] == ON)
            on[n_on++] = w->tau.v[i];
        else
            *(off - ++n_off) = w->tau_off.v[i];
    off -= n_off;
    scratch += c->n;
    vel_remove_gaps(n_on, (vel_vec){on, w->tau.tag}, n_off, (vel_vec){off, w->tau_off.tag}, scratch);
    for (int64_t i = 0; i < c->n; i++)
        if (w->state[i] == ON)
            w->tau.v[i] = *on++;
        else
            w->tau_off.v[i] = off[--n_off];
}

bool vel_assign_projects(const vel_trajectory *p, vel_assign_mode mode) {
    return mode == VEL_ASSIGN_PROJECT_ALL || (mode == VEL_ASSIGN_PROJECT && p->rates.beta.v < p->rates.gamma.v);
}

static repression find_branches(const vel_cells *c, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *w) {
    repression off = repression_of(p);
    scale(c, p->sigma, &w->x);
    if (vel_assign_projects(p, mode))
        times_by_projection(c, p, &off, w);
    else
        times_by_inverse(c, p, &off, w);
    distances_to_branches(c, p, &off, w);
    decide(c, ON + 1, w);
    close_gaps(c, w);
    return off;
}

void vel_assign_branches(const vel_cells *cells, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *work,
                         vel_vec *tau, vel_vec *tau_off) {
    find_branches(cells, p, mode, work);
    for (int64_t i = 0; i < cells->n; i++) {
        tau->v[i] = work->tau.v[i];
        tau_off->v[i] = work->tau_off.v[i];
    }
    tau->tag = work->tau.tag;
    tau_off->tag = work->tau_off.tag;
}

void vel_assign(const vel_cells *cells, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *work,
                vel_times *out) {
    repression off = find_branches(cells, p, mode, work);
    distances_to_branches(cells, p, &off, work);
    if (cells->steady) distances_to_steady_states(cells, p, work);
    decide(cells, cells->steady ? ROWS : ON + 1, work);
    vel_num t = ZERO;
    for (int64_t i = 0; i < cells->n; i++) {
        int state = work->state[i];
        vel_num tau = vel_mul(vel_at(work->tau, i), vel_weak(state == ON));
        vel_num tau_off = vel_mul(vel_at(work->tau_off, i), vel_weak(state == OFF));
        /* A cell at the steady state "off" counts as on with time 0, one at "on" as off with time t_. */
        bool on = state == ON || state == STEADY_OFF;
        t = vel_add(vel_mul(tau, vel_weak(on)), vel_mul(vel_add(tau_off, p->switch_at), vel_weak(!on)));
        out->t.v[i] = t.v;
        out->on[i] = on;
    }
    out->t.tag = t.tag;
}
