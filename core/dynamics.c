#include "core/dynamics.h"

#include <math.h>
#include <string.h>

#include "core/evaluate.h"
#include "core/passes.h"
#include "core/simplex.h"

enum { ITERATIONS_A_STEP = 5, SCALINGS = 4, ALPHAS = 5, SEARCHES = 6 };

#define GAIN 0.99 /* an alternative switch is taken unless it costs more than this */
#define FINE 1e-4 /* tolerances of the searches */
#define COARSE 1e-2

/* The parameters by name, for searches. */
typedef enum { ALPHA, BETA, GAMMA, SIGMA, SWITCH } parameter;

typedef struct {
    const vel_dynamics_settings *settings;
    vel_start start;
    vel_evaluator at;
    /* what has been accepted */
    vel_trajectory p;
    vel_evaluation *accepted; /* the times are p's, unless the mode has changed since */
    vel_num steady_u;
    double *loss;
    int64_t losses;
    vel_vec tau, tau_off; /* on both branches */
    bool branches_known;  /* those of what has been accepted */
} fit;

vel_dynamics_settings vel_dynamics_defaults(void) {
    return (vel_dynamics_settings){
        .max_iter = 10,
        .mode = VEL_ASSIGN_PROJECT,
        .steady_states = true,
        .fit_scaling = true,
        .start = {.percentile = 99, .fit_scaling = true},
    };
}

/* The start, the grids, each search's own update and those of its iterations, two more. */
int64_t vel_dynamics_most_updates(const vel_dynamics_settings *settings) {
    int64_t iterations = settings->max_iter > 0 ? settings->max_iter / ITERATIONS_A_STEP : 0;
    return 1 + 2 * SCALINGS + ALPHAS + SEARCHES * (1 + (settings->update_always ? iterations : 0)) + 2;
}

const char *vel_fit_status_words(vel_fit_status status) {
    static const char *const words[] = {"fitted", "too few cells", "negative values", "NaN or Inf values"};
    return words[status];
}

/* ---- updates */

static void find_branches(fit *f) {
    vel_assign_branches(&f->at.cells, &f->p, f->at.mode, f->at.work, &f->tau, &f->tau_off);
    f->branches_known = true;
}

/* What is accepted in the last stage may be the solution: its branches are kept while they are there. */
static void accept(fit *f, vel_evaluation *e) {
    f->p = e->p;
    f->accepted = e;
    vel_evaluation_keep(&f->at, e);
    f->loss[f->losses++] = e->loss;
    f->branches_known = false;
    if (f->at.mode == f->settings->mode && vel_assign_holds(f->at.work, &f->p, f->at.mode)) find_branches(f);
}

static bool any_on(const fit *f) { return memchr(f->accepted->times->on, 1, (size_t)f->at.cells.n) != NULL; }

/* u(t) from 0. */
static vel_num unspliced(const vel_rates *r, vel_num t) {
    vel_num e = vel_num_exp(vel_mul(vel_neg(r->beta), t));
    return vel_add(vel_mul(vel_weak(0), e), vel_mul(vel_div(r->alpha, r->beta), vel_sub(vel_weak(1), e)));
}

/* The largest time of the cells that are on now, a NaN before all others. */
static double last_time_on(const fit *f, vel_vec t) {
    double last = -INFINITY;
    for (int64_t i = 0; i < f->at.cells.n && last == last; i++)
        if (f->accepted->times->on[i] && !(t.v[i] <= last)) last = t.v[i];
    return last;
}

static vel_pass_reach reach_of(const fit *f, vel_vec t, double switch_at) {
    vel_pass_reach r;
    int64_t n = f->at.cells.n;
    vel_passes_at(vel_cpu_level())->reach(n, t.v, f->accepted->times->on, switch_at, &r);
    if (r.finite) return r;
    r.last = vel_vec_max(n, t).v;
    r.last_on = last_time_on(f, t);
    return r;
}

/* A switch shortly after the last time that is on, if that comes before p's; false if not. */
static bool earlier_switch(const fit *f, const vel_trajectory *p, vel_vec t, vel_num *earlier) {
    int64_t n = f->at.cells.n;
    vel_pass_reach r = reach_of(f, t, p->switch_at.v);
    if (!(0 < r.last_on && r.last_on < p->switch_at.v)) return false;
    vel_num step = vel_div((vel_num){r.last, t.tag}, vel_weak((double)n));
    *earlier = vel_add((vel_num){r.last_on, t.tag}, vel_mul(step, vel_double((double)r.waiting)));
    return true;
}

/* The alternative to e with an earlier switch, if it is about as good; else NULL. */
static vel_evaluation *with_earlier_switch(fit *f, vel_evaluation *e, double before) {
    vel_trajectory p = e->p, q = e->p;
    double loss = e->loss;
    if (!earlier_switch(f, &p, vel_evaluation_times(&f->at, e)->t, &q.switch_at)) return NULL;
    double least = loss < before || loss != loss ? loss : before;
    vel_num now = unspliced(&p.rates, p.switch_at), then = unspliced(&q.rates, q.switch_at);
    bool higher = vel_less(vel_mul(now, vel_weak(GAIN)), then);
    if (!higher && vel_loss_surely_above(&f->at.cells, &q, f->at.mask, least / GAIN)) return NULL;
    vel_evaluation *other = vel_evaluate(&f->at, &q);
    bool take = other->loss * GAIN <= least || higher;
    return take ? other : NULL;
}

/* Accepts p with the times it implies if the loss falls. */
static void update(fit *f, vel_trajectory p, bool adjust) {
    double before = f->loss[f->losses - 1];
    vel_evaluation *e = vel_evaluate(&f->at, &p);
    bool take = e->loss < before;
    if (adjust && any_on(f)) {
        if (!take) e = vel_evaluate(&f->at, &f->p);
        vel_evaluation *other = with_earlier_switch(f, e, before);
        if (other) e = other;
        if (other) take = true;
    }
    if (!take) return;
    f->steady_u = vel_mul(f->steady_u, vel_div(f->p.sigma, e->p.sigma));
    accept(f, e);
}

/* ---- searches */

typedef struct {
    fit *f;
    const parameter *names;
    int n;
    bool refit; /* the times of the cells, at every evaluation */
} group;

static vel_num *named(vel_trajectory *p, parameter name) {
    vel_num *const all[] = {&p->rates.alpha, &p->rates.beta, &p->rates.gamma, &p->sigma, &p->switch_at};
    return all[name];
}

/* The accepted parameters with the group's replaced; a switch at 0 counts as not given. */
static vel_trajectory with(const group *g, const vel_num *x) {
    vel_trajectory p = g->f->p;
    for (int i = 0; i < g->n; i++)
        if (g->names[i] != SWITCH || x[i].v != 0) *named(&p, g->names[i]) = x[i];
    return p;
}

static double mean_square(void *arg, const vel_num *x) {
    group *g = arg;
    fit *f = g->f;
    vel_trajectory p = with(g, x);
    double loss = g->refit ? vel_evaluate(&f->at, &p)->loss : vel_evaluate_loss(&f->at, &p, f->accepted->times->t);
    return loss / (double)f->start.fit.n;
}

static void update_group(void *arg, const vel_num *x) {
    group *g = arg;
    update(g->f, with(g, x), true);
}

static void search(fit *f, const parameter *names, int n, double tolerance, bool refit) {
    group g = {f, names, n, refit};
    vel_num x[VEL_SIMPLEX_MOST];
    for (int i = 0; i < n; i++) x[i] = *named(&f->p, names[i]);
    vel_simplex problem = {
        .n = n,
        .iterations = f->settings->max_iter / ITERATIONS_A_STEP,
        .tolerance = tolerance,
        .f = mean_square,
        .after = f->settings->update_always ? update_group : NULL,
        .arg = &g,
    };
    vel_simplex_search(&problem, x);
    update_group(&g, x);
}

/* ---- the fit */

/* e value for e evenly from -1 to 1. */
static void spread(vel_num value, int n, vel_num *out) {
    double memory[ALPHAS];
    vel_vec e = {memory, VEL_DOUBLE};
    vel_linspace(vel_weak(-1), vel_weak(1), n, &e);
    for (int i = 0; i < n; i++) out[i] = vel_mul(vel_at(e, i), value);
}

static void fit_scaling_grid(fit *f, double sight) {
    vel_num grid[SCALINGS], centre = f->p.sigma;
    spread(centre, SCALINGS, grid);
    for (int i = 0; i < SCALINGS; i++) {
        vel_trajectory p = f->p;
        vel_num sigma = vel_add(centre, vel_mul(grid[i], vel_weak(sight)));
        p.rates.beta = vel_mul(vel_div(p.rates.beta, p.sigma), sigma);
        p.sigma = sigma;
        update(f, p, true);
    }
}

static void fit_alpha_grid(fit *f) {
    vel_num grid[ALPHAS], centre = f->p.rates.alpha;
    spread(centre, ALPHAS, grid);
    for (int i = 0; i < ALPHAS; i++) {
        vel_trajectory p = f->p;
        p.rates.alpha = vel_add(centre, vel_div(grid[i], vel_weak(10)));
        update(f, p, true);
    }
}

static void begin(fit *f) {
    f->p = f->start.p;
    f->steady_u = f->start.steady_u;
    accept(f, vel_evaluate(&f->at, &f->p));
    if (f->settings->fit_scaling) {
        fit_scaling_grid(f, 0.5);
        fit_scaling_grid(f, 0.1);
    }
    f->at.ratio = (vel_ratio){true, vel_div(f->p.rates.gamma, f->p.rates.beta)};
}

static void maximise(fit *f) {
    static const parameter t_alpha[] = {SWITCH, ALPHA}, t_beta_sigma[] = {SWITCH, BETA, SIGMA},
                           alpha_gamma[] = {ALPHA, GAMMA}, t[] = {SWITCH}, rates[] = {SWITCH, ALPHA, BETA, GAMMA};
    if (f->settings->max_iter > 0) {
        if (f->settings->projected_throughout) f->at.mode = f->settings->mode;
        fit_alpha_grid(f);
        search(f, t_alpha, 2, FINE, true);
        if (f->settings->fit_scaling) search(f, t_beta_sigma, 3, FINE, true);
        search(f, alpha_gamma, 2, COARSE, true);
        search(f, t, 1, FINE, true);
        search(f, rates, 4, COARSE, true);
        f->at.mode = f->settings->mode;
        update(f, f->p, false);
        search(f, rates, 4, COARSE, false);
    }
    update(f, f->p, true);
}

/* x[i] = x[cell[i]] */
static void reorder(int64_t n, const int32_t *cell, double *x, double *work) {
    memcpy(work, x, (size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; i++) x[i] = work[cell[i]];
}

/* In the order of the cells as they were given. */
static void give_times(fit *f, vel_dynamics_solution *out) {
    const vel_segments *segments = f->at.cells.segments;
    const double *t = f->accepted->times->t.v;
    int64_t n = f->at.cells.n;
    if (segments)
        vel_segments_average(segments, t, out->t, f->at.misfit_work);
    else
        memcpy(out->t, t, (size_t)n * sizeof *t);
    double *all[] = {out->tau, out->tau_off};
    for (int k = 0; segments && k < 2; k++) reorder(n, segments->rank, all[k], f->at.misfit_work);
}

static void solve(fit *f, vel_dynamics_solution *out) {
    vel_evaluator *at = &f->at;
    vel_vec t = f->accepted->times->t;
    if (!f->branches_known) find_branches(f);
    vel_vec refitted = vel_evaluation_times(at, vel_evaluate(at, &f->p))->t;
    vel_mask upper = at->mask; /* that of the loss is not wanted any more */
    vel_mask_keep_above(&upper, f->start.third_u, f->start.third_s);
    out->likelihood = vel_likelihood(&at->cells, &f->p, &at->ratio, upper, t, at->misfit_work);
    out->variance = vel_misfit_variance(&at->cells, &f->p, upper, refitted, at->misfit_work);
    give_times(f, out);

    out->alpha = f->p.rates.alpha.v;
    out->beta = f->p.rates.beta.v / f->p.sigma.v;
    out->gamma = f->p.rates.gamma.v;
    out->switch_at = f->p.switch_at.v;
    out->sigma = f->p.sigma.v;
    out->std_u = f->at.cells.std_u.v;
    out->std_s = f->at.cells.std_s.v;
    out->p_steady = f->start.p_steady;
    out->steady_u = f->steady_u.v * f->p.sigma.v;
    out->steady_s = f->start.steady_s.v;
    out->loss = f->loss;
}

/* ---- set-up */

static vel_fit_status check(int64_t n, vel_vec x, int64_t *cell) {
    for (int64_t i = 0; i < n; i++) {
        *cell = i;
        if (!isfinite(x.v[i])) return VEL_NOT_FINITE;
        if (x.v[i] < 0) return VEL_NEGATIVE;
    }
    return VEL_FITTED;
}

static vel_err widen(vel_ctx *ctx, int64_t n, const void *data, vel_type type, vel_vec *x) {
    VEL_TRY(VEL_ALLOC(ctx, x->v, n));
    x->tag = type == VEL_F32 ? VEL_SINGLE : VEL_DOUBLE;
    for (int64_t i = 0; i < n; i++)
        x->v[i] = type == VEL_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
    return VEL_OK;
}

static double subtract_least(int64_t n, vel_vec x) {
    vel_num least = vel_vec_min(n, x);
    for (int64_t i = 0; i < n; i++) x.v[i] = vel_sub(vel_at(x, i), least).v;
    return least.v;
}

static void rename_cells(const int32_t *rank, int32_t *cell, int64_t n) {
    for (int64_t k = 0; k < n; k++) cell[k] = rank[cell[k]];
}

/* The cells in the order of the segments, those of the mask in their own: sums go through the cells as they are given.
 */
static vel_err follow_order(vel_ctx *ctx, vel_cells *cells, vel_start *start) {
    double *work;
    if (!cells->segments) return VEL_OK;
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, work, cells->n));
    reorder(cells->n, cells->segments->order, cells->u.v, work);
    reorder(cells->n, cells->segments->order, cells->s.v, work);
    vel_arena_release(ctx->scratch, mark);
    rename_cells(cells->segments->rank, start->fit.cell, start->fit.n);
    return VEL_OK;
}

vel_err vel_dynamics_fit(vel_ctx *ctx, const vel_dynamics_problem *problem, const vel_dynamics_settings *settings,
                         vel_dynamics_solution *solution, vel_dynamics_info *info) {
    fit f = {
        .settings = settings,
        .at.mode = VEL_ASSIGN_INVERSE,
        .tau = {solution->tau, VEL_DOUBLE},
        .tau_off = {solution->tau_off, VEL_DOUBLE},
    };
    vel_cells *cells = &f.at.cells;
    *cells = (vel_cells){problem->n, .segments = problem->segments, .part = problem->part,
                         .steady = settings->steady_states};
    VEL_TRY(widen(ctx, problem->n, problem->u, problem->type_u, &cells->u));
    VEL_TRY(widen(ctx, problem->n, problem->s, problem->type_s, &cells->s));
    *info = (vel_dynamics_info){.cell = -1};
    info->status = check(problem->n, cells->u, &info->cell);
    if (info->status == VEL_FITTED) {
        info->in_spliced = true;
        info->status = check(problem->n, cells->s, &info->cell);
    }
    if (info->status != VEL_FITTED) return VEL_OK;

    solution->u0 = settings->basal ? subtract_least(problem->n, cells->u) : 0;
    solution->s0 = settings->basal ? subtract_least(problem->n, cells->s) : 0;
    bool recoverable;
    VEL_TRY(vel_start_mask(ctx, problem->n, cells->u, cells->s, settings->start.percentile, &f.start, &recoverable));
    if (!recoverable) {
        info->status = VEL_FEW_CELLS;
        return VEL_OK;
    }
    VEL_TRY(vel_start_values(ctx, cells->u, cells->s, &settings->start, &f.start));
    cells->std_u = f.start.std_u;
    cells->std_s = f.start.std_s;
    VEL_TRY(follow_order(ctx, cells, &f.start));
    double *masked;
    VEL_TRY(VEL_ALLOC(ctx, masked, 2 * f.start.fit.n));
    vel_mask_take(cells, &f.start.fit, masked);
    f.at.mask = f.start.fit;
    f.at.room = solution->t;
    VEL_TRY(VEL_ALLOC(ctx, f.loss, vel_dynamics_most_updates(settings)));
    VEL_TRY(vel_evaluator_new(ctx, &f.at));
    begin(&f);
    maximise(&f);
    solve(&f, solution);
    info->updates = f.losses;
    return VEL_OK;
}
