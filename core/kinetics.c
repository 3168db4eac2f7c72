#include "core/kinetics.h"

#include "core/fmath.h"
#include "core/passes.h"

#define ONE vel_weak(1)

/* The state, once the exponentials are known. */
typedef struct {
    vel_num u0, s0, u_inf, s_inf, c;
} solution;

static solution solution_of(const vel_rates *r, vel_state from) {
    return (solution){
        .u0 = from.u,
        .s0 = from.s,
        .u_inf = vel_div(r->alpha, r->beta),
        .s_inf = vel_div(r->alpha, r->gamma),
        .c = vel_mul(vel_sub(r->alpha, vel_mul(from.u, r->beta)), vel_inverse(vel_sub(r->gamma, r->beta))),
    };
}

static vel_state state_of(const solution *f, vel_num eu, vel_num es) {
    vel_num u = vel_add(vel_mul(f->u0, eu), vel_mul(f->u_inf, vel_sub(ONE, eu)));
    vel_num s = vel_add(vel_mul(f->s0, es), vel_mul(f->s_inf, vel_sub(ONE, es)));
    return (vel_state){u, vel_add(s, vel_mul(f->c, vel_sub(es, eu)))};
}

vel_state vel_kinetics_at(const vel_rates *r, vel_state from, vel_num tau) {
    solution f = solution_of(r, from);
    return state_of(&f, vel_num_exp(vel_mul(vel_neg(r->beta), tau)), vel_num_exp(vel_mul(vel_neg(r->gamma), tau)));
}

/* y[n] = exp(-rate tau) */
static void decay(vel_num rate, int64_t n, vel_vec tau, vel_vec *y) {
    y->tag = vel_larger(rate.tag, tau.tag);
    for (int64_t i = 0; i < n; i++) y->v[i] = vel_mul(vel_neg(rate), vel_at(tau, i)).v;
    vel_vec_exp(n, *y);
}

/* The same where everything is double. */
static void double_states(const vel_rates *r, const solution *f, int64_t n, const double *tau, double *u, double *s) {
    const vel_passes *passes = vel_passes_at(vel_cpu_level());
    vel_branch b = {r->alpha.v, f->u0.v, f->s0.v, f->u_inf.v, f->s_inf.v, f->c.v};
    passes->decays(n, r->beta.v, r->gamma.v, tau, u, s);
    vel_exp_n(n, u, u);
    vel_exp_n(n, s, s);
    passes->states(n, &b, u, s);
}

void vel_kinetics_states(const vel_rates *r, vel_state from, int64_t n, vel_vec tau, vel_vec *u, vel_vec *s) {
    solution f = solution_of(r, from);
    if (tau.tag == VEL_DOUBLE) {
        u->tag = s->tag = VEL_DOUBLE;
        double_states(r, &f, n, tau.v, u->v, s->v);
        return;
    }
    decay(r->beta, n, tau, u);
    decay(r->gamma, n, tau, s);
    for (int64_t i = 0; i < n; i++) {
        vel_state at = state_of(&f, vel_at(*u, i), vel_at(*s, i));
        u->v[i] = at.u.v;
        s->v[i] = at.s.v;
    }
    vel_state tags = state_of(&f, (vel_num){0, u->tag}, (vel_num){0, s->tag});
    u->tag = tags.u.tag;
    s->tag = tags.s.tag;
}

/* What the clipped logarithm is taken of, and what it is multiplied with: tau = factor log(...). */
typedef struct {
    bool by_u;
    vel_num b, x, start, factor;
} inverse;

static inverse inverse_by_u(const vel_rates *r, vel_num u0) {
    vel_num u_inf = vel_div(r->alpha, r->beta);
    return (inverse){true, vel_weak(0), u_inf, vel_sub(u0, u_inf), vel_div(vel_weak(-1), r->beta)};
}

static inverse inverse_of(const vel_rates *r, vel_state from) {
    if (r->gamma.v >= r->beta.v) return inverse_by_u(r, from.u);
    vel_num b = vel_mul(r->beta, vel_inverse(vel_sub(r->gamma, r->beta)));
    vel_num x = vel_sub(vel_div(r->alpha, r->gamma), vel_mul(b, vel_div(r->alpha, r->beta)));
    vel_num start = vel_sub(vel_sub(from.s, vel_mul(b, from.u)), x);
    return (inverse){false, b, x, start, vel_div(vel_weak(-1), r->gamma)};
}

static vel_num ratio(const inverse *f, vel_num u, vel_num s) {
    vel_num here = f->by_u ? u : vel_sub(s, vel_mul(f->b, u));
    return vel_div(vel_sub(here, f->x), f->start);
}

vel_num vel_kinetics_time_of_u(const vel_rates *r, vel_num u0, vel_num u) {
    inverse f = inverse_by_u(r, u0);
    return vel_mul(f.factor, vel_num_clipped_log(ratio(&f, u, u)));
}

vel_num vel_kinetics_time(const vel_rates *r, vel_state from, vel_state at) {
    inverse f = inverse_of(r, from);
    return vel_mul(f.factor, vel_num_clipped_log(ratio(&f, at.u, at.s)));
}

/* The clipped logarithms where everything is double. */
static void double_logs(const inverse *f, int64_t n, const double *u, const double *s, double *tau) {
    vel_pass_ratio ratios = {f->by_u, f->b.v, f->x.v, f->start.v, VEL_LOG_LOW, VEL_LOG_HIGH};
    vel_passes_at(vel_cpu_level())->ratios(n, &ratios, u, s, tau);
    vel_log_n(n, tau, tau);
}

static void tagged_logs(const inverse *f, int64_t n, vel_vec u, vel_vec s, vel_vec *tau) {
    for (int64_t i = 0; i < n; i++) tau->v[i] = ratio(f, vel_at(u, i), vel_at(s, i)).v;
    vel_vec_clipped_log(n, *tau);
}

void vel_kinetics_times(const vel_rates *r, vel_state from, int64_t n, vel_vec u, vel_vec s, vel_vec *tau) {
    inverse f = inverse_of(r, from);
    tau->tag = ratio(&f, (vel_num){0, u.tag}, (vel_num){0, s.tag}).tag;
    vel_tag innermost = f.by_u ? vel_larger(u.tag, f.x.tag) : vel_larger(f.b.tag, u.tag);
    if (innermost == VEL_DOUBLE)
        double_logs(&f, n, u.v, s.v, tau->v);
    else
        tagged_logs(&f, n, u, s, tau);
    vel_tag tag = vel_larger(f.factor.tag, tau->tag);
    if (tag == VEL_DOUBLE)
        vel_passes_at(vel_cpu_level())->scale(n, f.factor.v, tau->v);
    else
        for (int64_t i = 0; i < n; i++) tau->v[i] = vel_mul(f.factor, vel_at(*tau, i)).v;
    tau->tag = tag;
}
