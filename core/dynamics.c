#include "core/dynamics.h"

#include <math.h>
#include <string.h>

#include "core/simplex.h"

enum { ITERATIONS_A_STEP = 5, SCALINGS = 4, ALPHAS = 5, SEARCHES = 6 };

#define GAIN 0.99 /* an alternative switch is taken unless it costs more than this */
#define FINE 1e-4 /* tolerances of the searches */
#define COARSE 1e-2

/* The parameters by name, for searches. */
typedef enum { ALPHA, BETA, GAMMA, SIGMA, SWITCH } parameter;

typedef struct {
    const vel_dynamics_settings *settings;
    vel_cells cells;
    vel_start start;
    vel_assign_mode mode;
    vel_ratio ratio;
    vel_assign_work *work;
    double *misfit_work;
    /* what has been accepted */
    vel_trajectory p;
    vel_times times;
    vel_num steady_u;
    double *loss;
    int64_t losses;
    /* candidates */
    vel_times trial, alternative;
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

/* ---- evaluation */

static double loss_at(fit *f, const vel_trajectory *p, vel_vec t) {
    return vel_loss(&f->cells, p, &f->ratio, f->start.fit, t, f->misfit_work);
}

static double evaluate(fit *f, const vel_trajectory *p, vel_times *times) {
    vel_assign(&f->cells, p, f->mode, f->work, times);
    return loss_at(f, p, times->t);
}

static void swap(vel_times *a, vel_times *b) {
    vel_times kept = *a;
    *a = *b;
    *b = kept;
}

/* ---- updates */

/* The largest time of the cells that are on now; false if there are none. */
static bool last_time_on(const fit *f, vel_vec t, vel_num *last) {
    bool any = false;
    *last = (vel_num){0, t.tag};
    for (int64_t i = 0; i < f->cells.n; i++) {
        if (!f->times.on[i]) continue;
        if (!any || !(t.v[i] <= last->v)) last->v = t.v[i];
        any = true;
        if (last->v != last->v) break;
    }
    return any;
}

static bool any_on(const fit *f) { return memchr(f->times.on, 1, (size_t)f->cells.n) != NULL; }

/* u(t) from 0. */
static vel_num unspliced(const vel_rates *r, vel_num t) {
    vel_num e = vel_num_exp(vel_mul(vel_neg(r->beta), t));
    return vel_add(vel_mul(vel_weak(0), e), vel_mul(vel_div(r->alpha, r->beta), vel_sub(vel_weak(1), e)));
}

/* A switch shortly after the last time that is on, if that comes before p's; false if not. */
static bool earlier_switch(const fit *f, const vel_trajectory *p, vel_vec t, vel_num *earlier) {
    vel_num last;
    if (!last_time_on(f, t, &last) || !(0 < last.v && last.v < p->switch_at.v)) return false;
    int64_t n = f->cells.n, waiting = 0;
    for (int64_t i = 0; i < n; i++) waiting += t.v[i] == p->switch_at.v;
    vel_num step = vel_div(vel_vec_max(n, t), vel_weak((double)n));
    *earlier = vel_add(last, vel_mul(step, vel_double((double)waiting)));
    return true;
}

/* Takes the alternative with an earlier switch if it is about as good; p, trial and loss become its. */
static bool adjust_switch(fit *f, double before, vel_trajectory *p, double *loss) {
    vel_trajectory q = *p;
    if (!earlier_switch(f, p, f->trial.t, &q.switch_at)) return false;
    double other = evaluate(f, &q, &f->alternative);
    double least = *loss < before || *loss != *loss ? *loss : before;
    vel_num now = unspliced(&p->rates, p->switch_at), then = unspliced(&q.rates, q.switch_at);
    if (!(other * GAIN <= least) && !vel_less(vel_mul(now, vel_weak(GAIN)), then)) return false;
    swap(&f->trial, &f->alternative);
    *p = q;
    *loss = other;
    return true;
}

/* Accepts p with the times it implies if the loss falls. */
static void update(fit *f, vel_trajectory p, bool adjust) {
    double before = f->loss[f->losses - 1], loss = evaluate(f, &p, &f->trial);
    bool take = loss < before;
    if (adjust && any_on(f)) {
        if (!take) {
            p = f->p;
            loss = evaluate(f, &p, &f->trial);
        }
        if (adjust_switch(f, before, &p, &loss)) take = true;
    }
    if (!take) return;
    f->steady_u = vel_mul(f->steady_u, vel_div(f->p.sigma, p.sigma));
    swap(&f->times, &f->trial);
    f->p = p;
    f->loss[f->losses++] = loss;
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
    double loss = g->refit ? evaluate(f, &p, &f->trial) : loss_at(f, &p, f->times.t);
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
    f->ratio.fixed = false;
    f->loss[f->losses++] = evaluate(f, &f->p, &f->times);
    if (f->settings->fit_scaling) {
        fit_scaling_grid(f, 0.5);
        fit_scaling_grid(f, 0.1);
    }
    f->ratio = (vel_ratio){true, vel_div(f->p.rates.gamma, f->p.rates.beta)};
}

static void maximise(fit *f) {
    static const parameter t_alpha[] = {SWITCH, ALPHA}, t_beta_sigma[] = {SWITCH, BETA, SIGMA},
                           alpha_gamma[] = {ALPHA, GAMMA}, t[] = {SWITCH}, rates[] = {SWITCH, ALPHA, BETA, GAMMA};
    if (f->settings->max_iter > 0) {
        if (f->settings->projected_throughout) f->mode = f->settings->mode;
        fit_alpha_grid(f);
        search(f, t_alpha, 2, FINE, true);
        if (f->settings->fit_scaling) search(f, t_beta_sigma, 3, FINE, true);
        search(f, alpha_gamma, 2, COARSE, true);
        search(f, t, 1, FINE, true);
        search(f, rates, 4, COARSE, true);
        f->mode = f->settings->mode;
        update(f, f->p, false);
        search(f, rates, 4, COARSE, false);
    }
    update(f, f->p, true);
}

static void solve(fit *f, vel_dynamics_solution *out) {
    vel_vec tau = {out->tau, VEL_DOUBLE}, tau_off = {out->tau_off, VEL_DOUBLE};
    vel_assign_branches(&f->cells, &f->p, f->mode, f->work, &tau, &tau_off);
    memcpy(out->t, f->times.t.v, (size_t)f->cells.n * sizeof *out->t);
    vel_mask upper = f->start.upper;
    out->likelihood = vel_likelihood(&f->cells, &f->p, &f->ratio, upper, f->times.t, f->misfit_work);
    vel_assign(&f->cells, &f->p, f->mode, f->work, &f->trial);
    out->variance = vel_misfit_variance(&f->cells, &f->p, upper, f->trial.t, f->misfit_work);

    out->alpha = f->p.rates.alpha.v;
    out->beta = f->p.rates.beta.v / f->p.sigma.v;
    out->gamma = f->p.rates.gamma.v;
    out->switch_at = f->p.switch_at.v;
    out->sigma = f->p.sigma.v;
    out->std_u = f->cells.std_u.v;
    out->std_s = f->cells.std_s.v;
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

static vel_err new_times(vel_ctx *ctx, int64_t n, vel_times *t) {
    VEL_TRY(VEL_ALLOC(ctx, t->t.v, n));
    VEL_TRY(VEL_ALLOC(ctx, t->tau.v, n));
    return VEL_ALLOC(ctx, t->on, n);
}

static vel_err new_work(vel_ctx *ctx, fit *f) {
    int64_t n = f->cells.n;
    VEL_TRY(new_times(ctx, n, &f->times));
    VEL_TRY(new_times(ctx, n, &f->trial));
    VEL_TRY(new_times(ctx, n, &f->alternative));
    VEL_TRY(VEL_ALLOC(ctx, f->misfit_work, 5 * n));
    VEL_TRY(VEL_ALLOC(ctx, f->loss, vel_dynamics_most_updates(f->settings)));
    return vel_assign_work_new(ctx, n, &f->work);
}

vel_err vel_dynamics_fit(vel_ctx *ctx, const vel_dynamics_problem *problem, const vel_dynamics_settings *settings,
                         vel_dynamics_solution *solution, vel_dynamics_info *info) {
    fit f = {.settings = settings, .mode = VEL_ASSIGN_INVERSE};
    f.cells = (vel_cells){.n = problem->n, .average = problem->average, .steady = settings->steady_states};
    VEL_TRY(widen(ctx, problem->n, problem->u, problem->type_u, &f.cells.u));
    VEL_TRY(widen(ctx, problem->n, problem->s, problem->type_s, &f.cells.s));
    *info = (vel_dynamics_info){.cell = -1};
    info->status = check(problem->n, f.cells.u, &info->cell);
    if (info->status == VEL_FITTED) {
        info->in_spliced = true;
        info->status = check(problem->n, f.cells.s, &info->cell);
    }
    if (info->status != VEL_FITTED) return VEL_OK;

    solution->u0 = settings->basal ? subtract_least(problem->n, f.cells.u) : 0;
    solution->s0 = settings->basal ? subtract_least(problem->n, f.cells.s) : 0;
    bool recoverable;
    VEL_TRY(vel_start_masks(ctx, problem->n, f.cells.u, f.cells.s, settings->start.percentile, &f.start, &recoverable));
    if (!recoverable) {
        info->status = VEL_FEW_CELLS;
        return VEL_OK;
    }
    VEL_TRY(vel_start_values(ctx, f.cells.u, f.cells.s, &settings->start, &f.start));
    f.cells.std_u = f.start.std_u;
    f.cells.std_s = f.start.std_s;
    VEL_TRY(new_work(ctx, &f));
    begin(&f);
    maximise(&f);
    solve(&f, solution);
    info->updates = f.losses;
    return VEL_OK;
}
