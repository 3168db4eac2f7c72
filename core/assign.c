#include "core/assign.h"

#include "core/decide.h"
#include "core/gaps.h"
#include "core/passes.h"
#include "core/project.h"
#include "core/sort.h"

enum { OFF = VEL_OFF, ON = VEL_ON, STEADY_OFF = VEL_STEADY_OFF, STEADY_ON = VEL_STEADY_ON, ROWS };
enum { CELLS_A_POINT = 5, FEWEST_POINTS = 200, MOST_POINTS = 500 };

/* Cells that are taken through all steps of a branch together: few enough for the first cache, with exp's table. */
enum { PIECE = 256 };

#define ZERO vel_weak(0)

struct vel_assign_work {
    const vel_passes *passes;
    vel_vec x;     /* u / sigma, */
    vel_num sigma; /* of this sigma, once scaled */
    bool scaled;
    vel_vec tau, tau_off;          /* of every cell, on both branches, once found: */
    vel_trajectory of;             /* under these parameters, */
    bool found, projected;         /* by projection or not */
    vel_vec curve_u, curve_s;      /* of a piece */
    vel_vec row[ON + 1];           /* squared distances */
    vel_steady_sums steady;        /* sums of those to the steady states */
    vel_vec grid, grid_u, grid_s;  /* points of a curve */
    double *spare;                 /* 3 (n + 1), for what needs much memory for a moment; behind it, where gaps are */
                                   /* looked for before anything has moved, n more: the place of the lists below */
    int32_t *by_u;                 /* the cells in the order of u */
    int32_t *moved_on, *moved_off; /* cells whose time was changed by gap removal */
    uint8_t *state;
    vel_screen screen;
};

static vel_err new_vec(vel_ctx *ctx, int64_t n, vel_vec *x) {
    x->tag = VEL_DOUBLE;
    return VEL_ALLOC(ctx, x->v, n);
}

/* Between rests only: another fit may have the same. */
static vel_err spare_room(vel_ctx *ctx, const vel_cells *cells, vel_assign_work *w) {
    int64_t m = cells->n + 1;
    void *room;
    VEL_TRY(vel_duet_room(ctx, cells->part, cells->n, &room));
    w->spare = room;
    w->moved_off = (int32_t *)(void *)((char *)room + VEL_DUET_ROOM(cells->n)) - m;
    w->moved_on = w->moved_off - m;
    return VEL_OK;
}

vel_err vel_assign_work_new(vel_ctx *ctx, const vel_cells *cells, double *room, vel_assign_work **work) {
    int64_t n = cells->n;
    VEL_TRY(VEL_ALLOC(ctx, *work, 1));
    vel_assign_work *w = *work;
    vel_vec *vecs[] = {&w->tau, &w->tau_off};
    w->x = (vel_vec){room, VEL_DOUBLE};
    for (size_t i = 0; i < sizeof vecs / sizeof *vecs; i++) VEL_TRY(new_vec(ctx, n, vecs[i]));
    for (int r = 0; r <= ON; r++) VEL_TRY(new_vec(ctx, n, &w->row[r]));
    if (cells->steady && cells->segments) VEL_TRY(vel_steady_sums_new(ctx, n, &w->steady));
    VEL_TRY(spare_room(ctx, cells, w));
    VEL_TRY(VEL_ALLOC(ctx, w->by_u, n));
    w->passes = vel_passes_at(vel_cpu_level());
    w->scaled = w->found = false;
    vel_vec *points[] = {&w->grid, &w->grid_u, &w->grid_s};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) VEL_TRY(new_vec(ctx, MOST_POINTS, points[i]));
    VEL_TRY(new_vec(ctx, PIECE, &w->curve_u));
    VEL_TRY(new_vec(ctx, PIECE, &w->curve_s));
    VEL_TRY(VEL_ALLOC(ctx, w->state, n));
    return vel_screen_new(ctx, cells->segments, cells->part, &w->screen);
}

double *vel_assign_spare(vel_assign_work *work) { return work->spare; }

/* The repression branch: the same rates without transcription, from the state at the switch. */
typedef struct {
    vel_rates rates;
    vel_state from;
} repression;

static const vel_state origin = {{0, VEL_WEAK}, {0, VEL_WEAK}};

static repression repression_of(const vel_trajectory *p) {
    return (repression){{ZERO, p->rates.beta, p->rates.gamma}, vel_kinetics_at(&p->rates, origin, p->switch_at)};
}

static void sort_by_u(const vel_cells *c, vel_assign_work *w) {
    int64_t *order = (int64_t *)(void *)w->spare, *work = order + c->n;
    vel_argsort_f64(c->u.v, c->n, order, work);
    for (int64_t k = 0; k < c->n; k++) w->by_u[k] = (int32_t)order[k];
}

/* row[n] = ((x - U) / q_u)^2 + ((s - S) / q_s)^2, curve U, S */
typedef struct {
    int64_t n;
    vel_vec x, s;
    vel_num q_u, q_s;
} frame;

static frame frame_of(const vel_cells *c, vel_num sigma, const vel_assign_work *w) {
    return (frame){c->n, w->x, c->s, vel_div(c->std_u, sigma), c->std_s};
}

static bool is_double(vel_vec a, vel_tag b) { return vel_larger(a.tag, b) == VEL_DOUBLE; }

/* The tag of distances to one state. */
static vel_tag tag_of(const frame *f, vel_state to) {
    const vel_tag u = vel_larger(vel_larger(f->x.tag, to.u.tag), f->q_u.tag);
    return vel_larger(u, vel_larger(vel_larger(f->s.tag, to.s.tag), f->q_s.tag));
}

/* Squared distances to one state. */
static void distances_to(const frame *f, const vel_passes *passes, vel_state to, vel_vec *row) {
    const vel_tag s_tag = vel_larger(vel_larger(f->s.tag, to.s.tag), f->q_s.tag);
    const vel_pass_frame all = {f->x.v, f->s.v, f->q_u.v, f->q_s.v};
    row->tag = VEL_DOUBLE;
    if (is_double(f->x, to.u.tag) && is_double(f->s, to.s.tag)) {
        passes->distances_to(f->n, to.u.v, to.s.v, &all, row->v);
        return;
    }
    if (is_double(f->x, to.u.tag) && s_tag == VEL_SINGLE) {
        passes->distances_to_singles(f->n, to.u.v, to.s.v, &all, row->v);
        return;
    }
    vel_num last = ZERO;
    for (int64_t i = 0; i < f->n; i++) {
        vel_num du = vel_div(vel_sub(vel_at(f->x, i), to.u), f->q_u);
        vel_num ds = vel_div(vel_sub(vel_at(f->s, i), to.s), f->q_s);
        last = vel_add(vel_square(du), vel_square(ds));
        row->v[i] = last.v;
    }
    row->tag = last.tag;
}

/* What depends on sigma alone: x. */
static void scale(const vel_cells *c, vel_num sigma, vel_assign_work *w) {
    if (w->scaled && sigma.v == w->sigma.v && sigma.tag == w->sigma.tag) return;
    w->scaled = true;
    w->sigma = sigma;
    w->x.tag = vel_larger(c->u.tag, sigma.tag);
    if (w->x.tag == VEL_DOUBLE)
        w->passes->divide(c->n, c->u.v, sigma.v, w->x.v);
    else
        for (int64_t i = 0; i < c->n; i++) w->x.v[i] = vel_div(vel_at(c->u, i), sigma).v;
}

/* Where two sums of each cell go. */
typedef struct {
    int64_t n;
    float *first, *second;
} pair_of_sums;

static void keep_sums(void *arg, const vel_two *sum) {
    const pair_of_sums *to = arg;
    for (int64_t i = 0; i < to->n; i++) {
        to->first[i] = sum[i][0];
        to->second[i] = sum[i][1];
    }
}

/* What stays the same during a fit, around the state of its first parameters. */
static void prepare(const vel_cells *c, const vel_trajectory *p, vel_assign_work *w) {
    vel_steady_sums *steady = &w->steady;
    vel_choice rows = {.segments = c->segments, .n = c->n, .row = {w->row[0].v, w->row[1].v}};
    pair_of_sums distances = {c->n, steady->origin, steady->centre}, offsets = {c->n, steady->u, steady->s};
    sort_by_u(c, w);
    if (!c->steady || !c->segments) return;
    vel_steady_sums_around(steady, p, c->std_u.v, c->std_s.v);
    vel_steady_distances(steady, c->n, c->u.v, c->s.v, w->row[0].v, w->row[1].v);
    bool known = vel_decide_sums(&rows, &w->screen, keep_sums, &distances);
    vel_steady_offsets(steady, c->n, c->u.v, c->s.v, w->row[0].v, w->row[1].v);
    if (!known || !vel_decide_sums(&rows, &w->screen, keep_sums, &offsets)) steady->std_u = NAN;
}

/* NumPy's clip(x, 0, most): NaN in x stays, NaN in most goes everywhere. */
static void clip(int64_t n, const vel_passes *passes, vel_num most, vel_vec *x) {
    x->tag = vel_larger(x->tag, most.tag);
    if (most.v == most.v)
        passes->clip(n, most.v, x->v);
    else
        for (int64_t i = 0; i < n; i++)
            if (x->v[i] == x->v[i]) x->v[i] = most.v;
}

/* The extreme of x among the cells with spliced counts, NaN if there is one: the least, or the most. */
static vel_num extreme_of_spliced(const vel_cells *c, vel_vec x, bool most, double *work) {
    vel_vec kept = {work, x.tag};
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++)
        if (c->s.v[i] > 0) kept.v[n++] = x.v[i];
    return most ? vel_vec_max(n, kept) : vel_vec_min(n, kept);
}

static vel_num last_of_spliced(const vel_cells *c, vel_assign_work *w) {
    double last = w->passes->largest(c->n, w->tau_off.v, c->s.v);
    if (last == last) return (vel_num){last, w->tau_off.tag};
    return extreme_of_spliced(c, w->tau_off, true, w->spare);
}

static void times_by_projection(const vel_cells *c, const vel_trajectory *p, const repression *off,
                                vel_assign_work *w) {
    vel_num least = extreme_of_spliced(c, w->x, false, w->spare);
    vel_num end = vel_kinetics_time_of_u(&off->rates, off->from.u, least);
    int64_t m = c->n / CELLS_A_POINT;
    m = m < FEWEST_POINTS ? FEWEST_POINTS : m > MOST_POINTS ? MOST_POINTS : m;

    vel_linspace(ZERO, p->switch_at, m, &w->grid);
    vel_kinetics_states(&p->rates, origin, m, w->grid, &w->grid_u, &w->grid_s);
    vel_project(c->n, w->x, c->s, &(vel_points){m, w->grid, w->grid_u, w->grid_s}, &w->tau);

    vel_linspace(ZERO, end, m, &w->grid);
    vel_vec later = {w->grid.v + 1, w->grid.tag};
    vel_kinetics_states(&off->rates, off->from, m - 1, later, &w->grid_u, &w->grid_s);
    vel_project(c->n, w->x, c->s, &(vel_points){m - 1, later, w->grid_u, w->grid_s}, &w->tau_off);
}

static void distances(const frame *f, const vel_passes *passes, vel_vec u, vel_vec s, vel_vec *row) {
    row->tag = VEL_DOUBLE;
    if (is_double(f->x, u.tag) && is_double(f->s, s.tag)) {
        vel_pass_frame all = {f->x.v, f->s.v, f->q_u.v, f->q_s.v};
        passes->distances(f->n, &all, u.v, s.v, row->v);
        return;
    }
    vel_num last = ZERO;
    for (int64_t i = 0; i < f->n; i++) {
        vel_num du = vel_div(vel_sub(vel_at(f->x, i), vel_at(u, i)), f->q_u);
        vel_num ds = vel_div(vel_sub(vel_at(f->s, i), vel_at(s, i)), f->q_s);
        last = vel_add(vel_square(du), vel_square(ds));
        row->v[i] = last.v;
    }
    row->tag = last.tag;
}

static vel_vec from(vel_vec x, int64_t first) { return (vel_vec){x.v + first, x.tag}; }

static int64_t piece(int64_t n, int64_t first) { return n - first < PIECE ? n - first : PIECE; }

/* A branch of the path. */
typedef struct {
    const vel_rates *rates;
    vel_state from;
} branch;

/* Squared distances to the branch at times tau. */
static void distances_at(frame f, branch b, vel_vec tau, vel_assign_work *w, vel_vec *row) {
    vel_kinetics_states(b.rates, b.from, f.n, tau, &w->curve_u, &w->curve_s);
    distances(&f, w->passes, w->curve_u, w->curve_s, row);
}

static frame frame_from(frame f, int64_t first) {
    return (frame){piece(f.n, first), from(f.x, first), from(f.s, first), f.q_u, f.q_s};
}

/* The times, unless they are there already, clipped to most, and the distances. */
static void follow(const frame *f, branch b, bool find, const vel_num *most, vel_assign_work *w, vel_vec *tau,
                   vel_vec *row) {
    vel_tag tag = tau->tag;
    for (int64_t i = 0; i < f->n; i += PIECE) {
        frame some = frame_from(*f, i);
        vel_vec t = from(*tau, i), r = from(*row, i);
        if (find) vel_kinetics_times(b.rates, b.from, some.n, some.x, some.s, &t);
        if (most) clip(some.n, w->passes, *most, &t);
        distances_at(some, b, t, w, &r);
        tag = t.tag;
        row->tag = r.tag;
    }
    tau->tag = tag;
}

static void times_off(const frame *f, branch b, vel_vec *tau) {
    vel_tag tag = tau->tag;
    for (int64_t i = 0; i < f->n; i += PIECE) {
        frame some = frame_from(*f, i);
        vel_vec t = from(*tau, i);
        vel_kinetics_times(b.rates, b.from, some.n, some.x, some.s, &t);
        tag = t.tag;
    }
    tau->tag = tag;
}

static void times_and_distances(const vel_cells *c, const vel_trajectory *p, bool project, const repression *off,
                                vel_assign_work *w) {
    frame f = frame_of(c, p->sigma, w);
    branch early = {&p->rates, origin}, late = {&off->rates, off->from};
    if (project) {
        times_by_projection(c, p, off, w);
        follow(&f, early, false, NULL, w, &w->tau, &w->row[ON]);
        follow(&f, late, false, NULL, w, &w->tau_off, &w->row[OFF]);
        return;
    }
    follow(&f, early, true, &p->switch_at, w, &w->tau, &w->row[ON]);
    times_off(&f, late, &w->tau_off);
    vel_num last = last_of_spliced(c, w);
    follow(&f, late, false, &last, w, &w->tau_off, &w->row[OFF]);
}

/* Of the cells moved only: all that has changed. */
static void distances_of_moved(const frame *f, branch b, const vel_changed *moved, vel_vec tau, vel_assign_work *w,
                               double *row) {
    double t[PIECE], x[PIECE], s[PIECE], d[PIECE];
    for (int64_t i = 0; i < moved->n; i += PIECE) {
        const int32_t *cell = moved->cell + i;
        frame some = {piece(moved->n, i), {x, f->x.tag}, {s, f->s.tag}, f->q_u, f->q_s};
        vel_vec out = {d, VEL_WEAK};
        for (int64_t k = 0; k < some.n; k++) {
            t[k] = tau.v[cell[k]];
            x[k] = f->x.v[cell[k]];
            s[k] = f->s.v[cell[k]];
        }
        distances_at(some, b, (vel_vec){t, tau.tag}, w, &out);
        for (int64_t k = 0; k < some.n; k++) row[cell[k]] = d[k];
    }
}

/* Between the branches; the rows that are compared stand in one array in the reference: all are averaged in the largest
 * tag among them. */
static vel_choice choice_of(const vel_cells *c, const vel_assign_work *w) {
    return (vel_choice){.segments = c->segments,
                        .n = c->n,
                        .count = c->steady ? ROWS : ON + 1,
                        .row = {w->row[OFF].v, w->row[ON].v},
                        .tag = vel_larger(w->row[OFF].tag, w->row[ON].tag),
                        .steady = &w->steady};
}

static vel_state steady_on(const vel_rates *r) {
    return (vel_state){vel_div(r->alpha, r->beta), vel_div(r->alpha, r->gamma)};
}

/* Among all states. */
static void decide_again(const vel_cells *c, const frame *f, vel_state steady, const vel_changed moved[2],
                         vel_assign_work *w) {
    vel_choice all = choice_of(c, w);
    if (c->steady) all.tag = vel_larger(all.tag, vel_larger(tag_of(f, origin), tag_of(f, steady)));
    if (!vel_decide_again(&all, moved, &w->screen, w->state)) return;
    vel_vec at_rest[] = {{w->spare, VEL_WEAK}, {w->spare + c->n, VEL_WEAK}};
    if (c->steady) {
        distances_to(f, w->passes, origin, &at_rest[0]);
        distances_to(f, w->passes, steady, &at_rest[1]);
        all.row[STEADY_OFF] = at_rest[0].v;
        all.row[STEADY_ON] = at_rest[1].v;
    }
    vel_decide_rest(&all, w->state);
}

/* Moves the cells of a branch back by its gaps; returns how many, and which, have another time now. */
static int64_t move(const vel_cells *c, const vel_assign_work *w, uint8_t mine, const vel_gaps *gaps, vel_vec *tau,
                    int32_t *moved) {
    if (tau->tag != VEL_SINGLE) {
        vel_pass_move back = {w->state, mine, gaps};
        return w->passes->move(c->n, &back, tau->v, moved);
    }
    double first = vel_first_gap(gaps);
    int64_t k = 0;
    for (int64_t i = 0; i < c->n; i++) {
        moved[k] = (int32_t)i;
        k += ((w->state[i] == ON) == (mine == ON)) & (tau->v[i] >= first);
    }
    for (int64_t m = 0; m < k; m++) tau->v[moved[m]] = vel_closed(gaps, tau->tag, tau->v[moved[m]]);
    return k;
}

static void close_gaps(const vel_cells *c, vel_assign_work *w, int64_t *moved_on, int64_t *moved_off) {
    /* the times of the one branch stand at the beginning, those of the other at the end */
    double *on = w->spare, *off = on, *scratch = on + c->n + 1, *mine = scratch + c->n + 1;
    int64_t n_on = 0, n_off = 0;
    vel_pass_times times = {.state = w->state, .tau = w->tau.v, .tau_off = w->tau_off.v};
    w->passes->mine(c->n, &times, mine);
    /* With u the times rise on the one branch and fall on the other, where u alone decides: so they come in order. */
    for (int64_t k = 0; k < c->n; k++) {
        int64_t i = w->by_u[k];
        bool is_on = w->state[i] == ON;
        on[n_on] = off[c->n - n_off] = mine[i];
        n_on += is_on;
        n_off += !is_on;
    }
    off += c->n + 1 - n_off;
    vel_gaps gaps_on, gaps_off;
    vel_find_gaps(n_on, on, n_off, off, scratch, &gaps_on, &gaps_off);
    *moved_on = move(c, w, ON, &gaps_on, &w->tau, w->moved_on);
    *moved_off = move(c, w, OFF, &gaps_off, &w->tau_off, w->moved_off);
}

bool vel_assign_projects(const vel_trajectory *p, vel_assign_mode mode) {
    return mode == VEL_ASSIGN_PROJECT_ALL || (mode == VEL_ASSIGN_PROJECT && p->rates.beta.v < p->rates.gamma.v);
}

static repression find_branches(const vel_cells *c, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *w,
                                int64_t moved[2]) {
    const bool project = vel_assign_projects(p, mode);
    repression off = repression_of(p);
    if (!w->scaled) prepare(c, p, w);
    scale(c, p->sigma, w);
    times_and_distances(c, p, project, &off, w);
    if (c->steady) vel_steady_sums_at(&w->steady, p);
    vel_choice branches = choice_of(c, w);
    vel_decide(&branches, &w->screen, w->state);
    close_gaps(c, w, &moved[ON], &moved[OFF]);
    w->found = true;
    w->of = *p;
    w->projected = project;
    return off;
}

bool vel_assign_holds(const vel_assign_work *work, const vel_trajectory *p, vel_assign_mode mode) {
    return work->found && work->projected == vel_assign_projects(p, mode) && vel_trajectory_same(&work->of, p);
}

void vel_assign_branches(const vel_cells *cells, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *work,
                         vel_vec *tau, vel_vec *tau_off) {
    int64_t moved[2];
    if (!vel_assign_holds(work, p, mode)) find_branches(cells, p, mode, work, moved);
    for (int64_t i = 0; i < cells->n; i++) {
        tau->v[i] = work->tau.v[i];
        tau_off->v[i] = work->tau_off.v[i];
    }
    tau->tag = work->tau.tag;
    tau_off->tag = work->tau_off.tag;
}

/* The time of each cell on its branch; one on the other branch counts for nothing, unless it is NaN. */
static void choose_times(const vel_cells *c, const vel_trajectory *p, const vel_assign_work *w, vel_times *out) {
    static const double of_tau[] = {[ON] = 1, [ROWS] = 0}, of_tau_off[] = {[OFF] = 1, [ROWS] = 0};
    /* A cell at the steady state "off" counts as on with time 0, one at "on" as off with time t_. */
    static const double on[] = {[ON] = 1, [STEADY_OFF] = 1, [ROWS] = 0};
    vel_tag late = vel_larger(w->tau_off.tag, p->switch_at.tag);
    double switch_at = vel_rounded(p->switch_at.v, late);
    out->t.tag = vel_larger(w->tau.tag, late);
    if (late != VEL_SINGLE) {
        vel_pass_times times = {w->state, w->tau.v, w->tau_off.v, switch_at};
        w->passes->choose(c->n, &times, out->t.v, out->on);
        return;
    }
    for (int64_t i = 0; i < c->n; i++) {
        int state = w->state[i];
        double mine = w->tau.v[i] * of_tau[state], after = w->tau_off.v[i] * of_tau_off[state];
        out->t.v[i] = mine * on[state] + vel_rounded(after + switch_at, late) * (1 - on[state]);
        out->on[i] = on[state] != 0;
    }
}

void vel_assign(const vel_cells *cells, const vel_trajectory *p, vel_assign_mode mode, vel_assign_work *work,
                vel_times *out) {
    int64_t n_moved[2];
    repression off = find_branches(cells, p, mode, work, n_moved);
    frame f = frame_of(cells, p->sigma, work);
    vel_changed moved[] = {[OFF] = {work->moved_off, n_moved[OFF]}, [ON] = {work->moved_on, n_moved[ON]}};
    distances_of_moved(&f, (branch){&off.rates, off.from}, &moved[OFF], work->tau_off, work, work->row[OFF].v);
    distances_of_moved(&f, (branch){&p->rates, origin}, &moved[ON], work->tau, work, work->row[ON].v);
    decide_again(cells, &f, steady_on(&p->rates), moved, work);
    choose_times(cells, p, work, out);
}
