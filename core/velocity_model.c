#include "core/velocity_model.h"

#include "core/cpu.h"
#include "core/fmath.h"

vel_velocity_engine vel_velocity_engine_now(void) {
    vel_cpu level = vel_cpu_level();
    bool plain = level == VEL_CPU_PLAIN;
#if defined(__x86_64__)
    return (vel_velocity_engine){plain ? &vel_velocity_loops_plain : &vel_velocity_loops_avx2, vel_passes_at(level)};
#else
    (void)plain;
    return (vel_velocity_engine){&vel_velocity_loops_plain, vel_passes_at(level)};
#endif
}

static vel_branch branch_from(const vel_velocity_model *m, double u0, double s0, double alpha) {
    double c = (alpha - u0 * m->beta) * m->inverse;
    return (vel_branch){alpha, u0, s0, alpha / m->beta, alpha / m->gamma, c};
}

vel_velocity_model vel_velocity_model_make(const vel_fitted_gene *f) {
    vel_velocity_model m = {.alpha = f->alpha,
                            .beta = f->beta * f->scaling,
                            .gamma = f->gamma,
                            .switch_at = f->switch_at,
                            .scaling = f->scaling,
                            .std_u = f->std_u / f->scaling,
                            .std_s = f->std_s,
                            .u0 = f->u0 / f->scaling,
                            .s0 = f->s0};
    double gap = m.gamma - m.beta;
    m.inverse = 1 / gap * (gap != 0);
    m.branch[VEL_ON] = branch_from(&m, 0, 0, m.alpha);
    double eu = vel_exp(-m.beta * m.switch_at), es = vel_exp(-m.gamma * m.switch_at);
    m.u_switch = vel_branch_u(&m.branch[VEL_ON], eu);
    m.s_switch = vel_branch_s(&m.branch[VEL_ON], eu, es);
    m.branch[VEL_OFF] = branch_from(&m, m.u_switch, m.s_switch, 0);
    return m;
}

void vel_velocity_observe(const vel_velocity_engine *e, const vel_velocity_model *m, const vel_gene_data *data,
                          int64_t first, int64_t n, double *u, double *s) {
    const vel_observed o = {data->type, data->u, data->s, m->scaling, m->u0, m->s0};
    e->loops->observe(n, &o, first, u, s);
}

static void fetch(const void *array, size_t size, int64_t first) {
    enum { LINE = 64 };
    const uintptr_t at = (uintptr_t)array + size * (size_t)first;
    for (size_t k = 0; k < VEL_VELOCITY_CHUNK * size; k += LINE) __builtin_prefetch((const void *)(at + k), 0, 2);
}

void vel_velocity_fetch_data(const vel_dynamical_gene *g, int64_t first) {
    fetch(g->data.u, vel_type_size(g->data.type), first);
    fetch(g->data.s, vel_type_size(g->data.type), first);
}

void vel_velocity_fetch_times(const vel_dynamical_gene *g, int64_t first) {
    fetch(g->tau_on, sizeof *g->tau_on, first);
    fetch(g->tau_off, sizeof *g->tau_off, first);
}

void vel_velocity_follow(const vel_velocity_engine *e, const vel_velocity_model *m, int branch, int64_t n,
                         const double *tau, double *u, double *s) {
    e->passes->decays(n, m->beta, m->gamma, tau, u, s);
    vel_exp_n(n, u, u);
    vel_exp_n(n, s, s);
    e->passes->states(n, &m->branch[branch], u, s);
}

void vel_velocity_measure_steady(const vel_velocity_engine *e, const vel_velocity_model *m, int64_t n,
                                 vel_velocity_cells *x) {
    const vel_pass_frame frame = {x->u, x->s, m->std_u, m->std_s};
    const vel_branch *on = &m->branch[VEL_ON];
    e->passes->distances_to(n, on->u_inf, on->s_inf, &frame, x->row[VEL_STEADY_ON]);
    e->passes->distances_to(n, 0, 0, &frame, x->row[VEL_STEADY_OFF]);
}

/* Those to both branches, that to the nearer one and its signed root. */
static void measure(const vel_velocity_engine *e, const vel_velocity_model *m, int64_t n, const double *const tau[2],
                    vel_velocity_cells *x, double *distance, double *root) {
    vel_velocity_column eu[2], es[2];
    for (int k = 0; k < 2; k++) {
        e->passes->decays(n, m->beta, m->gamma, tau[k], eu[k], es[k]);
        vel_exp_n(n, eu[k], eu[k]);
        vel_exp_n(n, es[k], es[k]);
    }
    const vel_beside q = {x->u, x->s, {eu[0], eu[1]}, {es[0], es[1]}, m->branch, m->std_u, m->std_s};
    e->loops->branches(n, &q, (double *const[]){x->row[VEL_OFF], x->row[VEL_ON]}, distance, root);
}

void vel_velocity_measure(const vel_velocity_engine *e, const vel_velocity_model *m, int64_t n, const double *tau_on,
                          const double *tau_off, vel_velocity_cells *x) {
    vel_velocity_column distance, root;
    measure(e, m, n, (const double *const[]){[VEL_OFF] = tau_off, [VEL_ON] = tau_on}, x, distance, root);
    vel_velocity_measure_steady(e, m, n, x);
}

void vel_velocity_measure_branches(const vel_velocity_engine *e, const vel_velocity_model *m,
                                   const vel_dynamical_gene *g, int64_t first, int64_t n, vel_velocity_cells *x,
                                   vel_velocity_spread *spread) {
    vel_velocity_column distance, root;
    vel_velocity_observe(e, m, &g->data, first, n, x->u, x->s);
    measure(e, m, n, (const double *const[]){[VEL_OFF] = g->tau_off + first, [VEL_ON] = g->tau_on + first}, x, distance,
            root);
    for (int64_t i = 0; i < n; i++) {
        spread->distance += distance[i];
        spread->root += root[i];
    }
}

double vel_velocity_variance(const vel_velocity_spread *spread, int64_t n) {
    const double root = spread->root / (double)n;
    return spread->distance / (double)n - root * root;
}
