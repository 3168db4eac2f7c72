#include <math.h>
#include <string.h>

#include "core/field.h"
#include "core/rng.h"
#include "core/simulate.h"
#include "core/text.h"
#include "pipelines/layers.h"
#include "pipelines/step.h"

typedef struct {
    int64_t n_obs;
    vel_value n_vars, alpha, beta, gamma, alpha_, t_max, noise_level, switches, noise_model;
    int64_t random_seed;
} opts;

/* The values of an option that is one number or a list of numbers. */
typedef struct {
    int64_t n;
    double *x;
    bool list;
} numbers;

/* Rates, noise and fractions of time: none of them is below 0. */
static vel_err number_of(vel_ctx *ctx, const char *option, const vel_value *v, double otherwise, double *x) {
    *x = vel_number_or(v, otherwise);
    if ((vel_is_none(v) || vel_is_number(v)) && *x >= 0 && isfinite(*x)) return VEL_OK;
    return vel_opt_refuse(ctx, option, "a number at least 0, a list of such numbers, or none", v);
}

static vel_err numbers_of(vel_ctx *ctx, const char *option, const vel_value *v, double otherwise, numbers *out) {
    out->list = v->kind == VEL_VLIST;
    out->n = out->list ? v->n_items : 1;
    VEL_TRY(VEL_ALLOC(ctx, out->x, out->n));
    if (out->list && out->n == 0) return vel_fail(ctx, VEL_EUSAGE, "option %s: the list is empty", option);
    for (int64_t i = 0; i < out->n; i++)
        VEL_TRY(number_of(ctx, option, out->list ? &v->items[i] : v, otherwise, &out->x[i]));
    return VEL_OK;
}

typedef struct {
    int64_t n_obs, n_vars;
    numbers alpha, beta, gamma, noise, fractions;
    double alpha_off, t_max;
    double *t, *switches; /* n_obs, n_vars */
} plan;

/* A list as long as there are cells is one value a cell, another one a value a gene. */
static bool per_cell(const plan *p, const numbers *x) { return x->list && x->n == p->n_obs; }

static vel_err check_rate(vel_ctx *ctx, const plan *p, const char *name, const numbers *x) {
    if (!x->list || per_cell(p, x) || x->n == p->n_vars) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "option %s has %lld values, expected one, one a gene (%lld) or one a cell (%lld)",
                    name, (long long)x->n, (long long)p->n_vars, (long long)p->n_obs);
}

/* Abundances that go to alpha / beta and alpha / gamma have no end where these are 0; single events go on. */
static vel_err check_loss(vel_ctx *ctx, const char *name, const numbers *x) {
    for (int64_t i = 0; i < x->n; i++)
        if (x->x[i] == 0) return vel_fail(ctx, VEL_EUSAGE, "option %s takes 0 with noise_model=gillespie alone", name);
    return VEL_OK;
}

static vel_rate rate_of(const plan *p, const numbers *x, int64_t g) {
    if (per_cell(p, x)) return (vel_rate){x->x, 1};
    return (vel_rate){x->list ? &x->x[g] : x->x, 0};
}

static bool is_model(const opts *o, const char *word) {
    return o->noise_model.kind == VEL_VTEXT && !strcmp(o->noise_model.text, word);
}

static vel_err make_plan(vel_ctx *ctx, const opts *o, plan *p) {
    static const double fractions[] = {0.4, 0.7, 1, 0.1};
    double n_vars = vel_number_or(&o->n_vars, 0);
    *p = (plan){.n_obs = o->n_obs, .alpha_off = vel_number_or(&o->alpha_, 0), .t_max = vel_number_or(&o->t_max, 0)};
    if (!vel_is_none(&o->noise_model) && o->noise_model.kind != VEL_VTEXT)
        return vel_fail(ctx, VEL_EUSAGE, "option noise_model takes normal, gillespie, or none");
    VEL_TRY(numbers_of(ctx, "alpha", &o->alpha, 5, &p->alpha));
    VEL_TRY(numbers_of(ctx, "beta", &o->beta, 0.5, &p->beta));
    VEL_TRY(numbers_of(ctx, "gamma", &o->gamma, 0.3, &p->gamma));
    if (!is_model(o, "gillespie")) VEL_TRY(check_loss(ctx, "beta", &p->beta));
    if (!is_model(o, "gillespie")) VEL_TRY(check_loss(ctx, "gamma", &p->gamma));
    VEL_TRY(numbers_of(ctx, "noise_level", &o->noise_level, 1, &p->noise));
    VEL_TRY(numbers_of(ctx, "switches", &o->switches, 0, &p->fractions));
    if (vel_is_none(&o->switches)) {
        p->fractions = (numbers){4, vel_arena_alloc(ctx->scratch, 4, sizeof(double)), true};
        if (!p->fractions.x) return vel_no_memory(ctx, 4, sizeof(double));
        memcpy(p->fractions.x, fractions, sizeof fractions);
    }
    /* without n_vars a list of noise levels is repeated until it reaches the number of switches, which decides */
    p->n_vars = n_vars > 0 ? (int64_t)n_vars : p->fractions.n;
    VEL_TRY(check_rate(ctx, p, "alpha", &p->alpha));
    VEL_TRY(check_rate(ctx, p, "beta", &p->beta));
    return check_rate(ctx, p, "gamma", &p->gamma);
}

static vel_err make_times(vel_ctx *ctx, const opts *o, plan *p) {
    vel_rng python;
    VEL_TRY(VEL_ALLOC(ctx, p->t, p->n_obs));
    VEL_TRY(VEL_ALLOC(ctx, p->switches, p->n_vars));
    vel_rng_seed_python(&python, (uint64_t)o->random_seed);
    vel_simulate_times(&python, p->n_obs, p->t_max, p->t);
    for (int64_t g = 0; g < p->n_vars; g++) {
        double fraction = p->fractions.x[g % p->fractions.n];
        p->switches[g] =
            g < p->fractions.n ? vel_simulate_switch(p->n_obs, p->t, fraction) : p->switches[g - p->fractions.n];
        if (isnan(p->switches[g]))
            return vel_fail(ctx, VEL_EUSAGE, "option switches: no cell comes before the fraction %g of time", fraction);
    }
    return VEL_OK;
}

/* ---- the abundances */

static vel_err check_gene(vel_ctx *ctx, const opts *o, const plan *p, int64_t g) {
    vel_rate beta = rate_of(p, &p->beta, g), gamma = rate_of(p, &p->gamma, g);
    if (is_model(o, "gillespie") && (p->beta.list || p->gamma.list))
        return vel_fail(ctx, VEL_EUSAGE, "noise_model gillespie takes one beta and one gamma");
    if (!beta.step && !gamma.step && *beta.value == *gamma.value)
        return vel_fail(ctx, VEL_EVALUE, "gene %lld: beta and gamma are both %g, where the model has no such solution",
                        (long long)g, *beta.value);
    return VEL_OK;
}

/* The abundances of a gene without noise, and what noise is measured by. */
typedef struct {
    double *u, *s; /* n_obs */
    double spread_u, spread_s;
} curve;

/* What making genes needs. Where the switches repeat and the rates are the same, so do the curves: those of the first
 * `kept` genes serve all. If not, the one kept is each gene's own. */
typedef struct {
    vel_rng numpy;
    bool repeats;
    int64_t kept;
    curve *curves;
    double *work; /* n_obs */
} supply;

/* One value a gene. */
static bool per_gene(const plan *p, const numbers *x) { return x->list && !per_cell(p, x); }

/* Curves are kept if they take at most a twelfth of the layers. */
static vel_err make_supply(vel_ctx *ctx, const opts *o, const plan *p, supply *from) {
    bool vary = per_gene(p, &p->alpha) || per_gene(p, &p->beta) || per_gene(p, &p->gamma);
    from->repeats = !vary && p->fractions.n <= p->n_vars / 8;
    from->kept = from->repeats ? p->fractions.n : 1;
    vel_rng_seed_numpy(&from->numpy, (uint32_t)o->random_seed);
    VEL_TRY(VEL_ALLOC(ctx, from->work, p->n_obs));
    VEL_TRY(VEL_ALLOC(ctx, from->curves, from->kept));
    for (int64_t k = 0; k < from->kept; k++) {
        VEL_TRY(VEL_ALLOC(ctx, from->curves[k].u, p->n_obs));
        VEL_TRY(VEL_ALLOC(ctx, from->curves[k].s, p->n_obs));
    }
    return VEL_OK;
}

static const curve *curve_of(const plan *p, const vel_simulated *gene, int64_t g, supply *from) {
    curve *c = &from->curves[g % from->kept];
    if (from->repeats && g >= from->kept) return c;
    vel_simulate_states(gene, p->n_obs, p->t, from->work, c->u, c->s);
    c->spread_u = vel_simulate_spread(p->n_obs, c->u, from->work);
    c->spread_s = vel_simulate_spread(p->n_obs, c->s, from->work);
    return c;
}

static vel_err make_gene(vel_ctx *ctx, const opts *o, const plan *p, int64_t g, supply *from, double *u, double *s) {
    vel_simulated gene = {rate_of(p, &p->alpha, g), rate_of(p, &p->beta, g), rate_of(p, &p->gamma, g), p->alpha_off,
                          p->switches[g]};
    double noise = p->noise.x[g % p->noise.n];
    VEL_TRY(check_gene(ctx, o, p, g));
    if (is_model(o, "gillespie")) {
        vel_simulate_events(&from->numpy, &gene, p->n_obs, p->t, u, s);
        return VEL_OK;
    }
    const curve *c = curve_of(p, &gene, g, from);
    if (is_model(o, "normal")) {
        vel_simulate_noise(&from->numpy, noise * c->spread_u / 10, p->n_obs, c->u, u);
        vel_simulate_noise(&from->numpy, noise * c->spread_s / 10, p->n_obs, c->s, s);
    } else {
        memcpy(u, c->u, (size_t)p->n_obs * sizeof *u);
        memcpy(s, c->s, (size_t)p->n_obs * sizeof *s);
        vel_simulate_clip(p->n_obs, u);
        vel_simulate_clip(p->n_obs, s);
    }
    return VEL_OK;
}

static vel_err make_layers(vel_ctx *ctx, vel_adata *ad, const opts *o, const plan *p) {
    vel_field *x, *u, *s;
    supply from;
    int64_t n = p->n_obs;
    VEL_TRY(vel_put_dense(ctx, ad, "X", VEL_F64, vel_matrix(n, p->n_vars), &x));
    VEL_TRY(vel_put_dense(ctx, ad, "layers/unspliced", VEL_F64, vel_matrix(n, p->n_vars), &u));
    VEL_TRY(vel_put_dense(ctx, ad, "layers/spliced", VEL_F64, vel_matrix(n, p->n_vars), &s));
    VEL_TRY(make_supply(ctx, o, p, &from));
    for (int64_t g = 0; g < p->n_vars; g++) {
        double *spliced = (double *)s->data + g * n;
        VEL_TRY(make_gene(ctx, o, p, g, &from, (double *)u->data + g * n, spliced));
        memcpy((double *)x->data + g * n, spliced, (size_t)n * sizeof *spliced);
        vel_field_rest(x, g * n, n);
        vel_field_rest(u, g * n, n);
        vel_field_rest(s, g * n, n);
        VEL_TRY(vel_poll(ctx));
    }
    return VEL_OK;
}

/* ---- what is true of cells and genes */

static vel_err put_rate(vel_ctx *ctx, vel_adata *ad, const char *path, const plan *p, const numbers *x) {
    double *value;
    VEL_TRY(VEL_ALLOC(ctx, value, p->n_vars));
    for (int64_t g = 0; g < p->n_vars; g++) value[g] = per_cell(p, x) ? NAN : x->x[x->list ? g : 0];
    return vel_put_reals(ctx, ad, path, value, p->n_vars);
}

static vel_err put_truth(vel_ctx *ctx, vel_adata *ad, const plan *p) {
    double one = 1;
    const numbers ones = {1, &one, false};
    double *rounded;
    VEL_TRY(VEL_ALLOC(ctx, rounded, p->n_obs));
    for (int64_t i = 0; i < p->n_obs; i++) rounded[i] = rint(p->t[i] * 100) / 100;
    VEL_TRY(vel_put_reals(ctx, ad, "obs/true_t", rounded, p->n_obs));
    VEL_TRY(vel_put_reals(ctx, ad, "var/true_t_", p->switches, p->n_vars));
    VEL_TRY(put_rate(ctx, ad, "var/true_alpha", p, &p->alpha));
    VEL_TRY(put_rate(ctx, ad, "var/true_beta", p, &p->beta));
    VEL_TRY(put_rate(ctx, ad, "var/true_gamma", p, &p->gamma));
    return put_rate(ctx, ad, "var/true_scaling", p, &ones);
}

static vel_err fill(vel_ctx *ctx, vel_adata *ad, const opts *o, const plan *p) {
    char **names;
    VEL_TRY(vel_obs_names(ctx, ad, &names));
    VEL_TRY(vel_var_names(ctx, ad, &names));
    VEL_TRY(put_truth(ctx, ad, p));
    return make_layers(ctx, ad, o, p);
}

static vel_err make(vel_ctx *ctx, const void *arg, vel_adata **ad) {
    const opts *o = arg;
    plan p;
    VEL_TRY(make_plan(ctx, o, &p));
    VEL_TRY(make_times(ctx, o, &p));
    VEL_TRY(vel_adata_new(ctx, p.n_obs, p.n_vars, ad));
    return fill(ctx, *ad, o, &p);
}

static const vel_opt rows[] = {
    VEL_OPT(opts, n_obs, VEL_OINT, "300", "2 to 2147483647", "cells"),
    VEL_OPT(opts, n_vars, VEL_OCOUNT, "none", "1 to 2147483646", "genes; none: as many as there are switches"),
    VEL_OPT(opts, alpha, VEL_OANY, "none", NULL, "transcription rate: one, one a gene or one a cell; none: 5"),
    VEL_OPT(opts, beta, VEL_OANY, "none", NULL, "splicing rate, likewise; none: 0.5"),
    VEL_OPT(opts, gamma, VEL_OANY, "none", NULL, "degradation rate, likewise; none: 0.3"),
    VEL_OPT(opts, alpha_, VEL_ONUMBER, "none", "at least 0", "transcription rate after the switch; none: 0"),
    VEL_OPT(opts, t_max, VEL_ONUMBER, "none", "above 0", "time of the last cell; none: as drawn"),
    VEL_OPT(opts, noise_level, VEL_OANY, "1", NULL,
            "standard deviation of the noise, in tenths of the 99th percentile; a list is repeated over the genes"),
    VEL_OPT(opts, switches, VEL_OANY, "none", NULL,
            "switching times as fractions of the last, repeated over the genes; none: [0.4, 0.7, 1, 0.1]"),
    VEL_OPT(opts, noise_model, VEL_OANY, "normal", "normal|gillespie", "normal noise, single events, or none"),
    VEL_OPT(opts, random_seed, VEL_OINT, "0", "0 to 4294967295", "what is drawn follows from it"),
    {"seed", VEL_OINT, offsetof(opts, random_seed), "0", "0 to 4294967295", "another name of random_seed"},
    {0},
};

static const vel_key reads[] = {{0}};

static const vel_key writes[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .type = VEL_F64},
    {.name = "layers/unspliced", .shape = VEL_OBS_VAR, .type = VEL_F64},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .type = VEL_F64},
    {.name = "obs/true_t", .shape = VEL_OBS, .type = VEL_F64},
    {.name = "var/true_t_", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/true_alpha", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/true_beta", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/true_gamma", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/true_scaling", .shape = VEL_VAR, .type = VEL_F64},
    {0},
};

const vel_step vel_step_simulate = {
    .name = "simulate",
    .help = "simulated splicing kinetics, from the reference's stream of random numbers",
    .example = "vel simulate -o simulated.h5ad --n-obs 1000 --n-vars 50",
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.cell = 96, .genes_thread = 1, .through = VEL_BY_GENES},
    .make = make,
};
