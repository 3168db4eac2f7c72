/* The dynamical modes of the step velocity: velocities from the fits of recover_dynamics. */
#include <math.h>
#include <string.h>

#include "core/dynamical_velocity.h"
#include "core/par.h"
#include "core/sort.h"
#include "core/stats.h"
#include "core/text.h"
#include "pipelines/graph.h"
#include "pipelines/layers.h"
#include "pipelines/velocity.h"

/* scvelo 0.3.4: a velocity gene's scaling lies between the smaller of its 10th percentile and 0.03 and the larger of
 * its 90th percentile and 3. */
#define LOW_SCALING 0.03
#define HIGH_SCALING 3.0

enum { ALPHA, BETA, GAMMA, SCALING, SWITCH, STD_U, STD_S, U0, S0, COLUMNS };

static const char *const names[COLUMNS] = {
    [ALPHA] = "var/fit_alpha",     [BETA] = "var/fit_beta", [GAMMA] = "var/fit_gamma",
    [SCALING] = "var/fit_scaling", [SWITCH] = "var/fit_t_", [STD_U] = "var/fit_std_u",
    [STD_S] = "var/fit_std_s",     [U0] = "var/fit_u0",     [S0] = "var/fit_s0",
};

typedef struct {
    const vel_velocity_options *o;
    bool residuals, raw, basal;
    double *column[COLUMNS]; /* n_vars each; U0, S0 NULL unless basal levels were fitted */
    vel_velocity_layers layers;
    vel_nearby nearby;
    vel_dynamical_opts opts;
    const char *velocity, *velocity_u; /* layers */
} dynamical;

/* ---- what is there */

/* A flag that recover_dynamics left under uns; false if it did not. */
static vel_err read_flag(vel_ctx *ctx, vel_adata *ad, const char *path, bool *flag) {
    double x = 0;
    if (vel_entry_of(ad, path).kind == VEL_DENSE) VEL_TRY(vel_get_real(ctx, ad, path, &x));
    *flag = x != 0 && !isnan(x);
    return VEL_OK;
}

static vel_err read_latent_time(vel_ctx *ctx, vel_adata *ad, dynamical *d) {
    const vel_value *v = &d->o->use_latent_time;
    const char *key = vel_is_true(v) ? "latent_time" : v->kind == VEL_VTEXT ? v->text : NULL, *path;
    if (!key) return VEL_OK;
    VEL_TRY(vel_path_of(ctx, "obs/", key, "", &path));
    if (!vel_has(ad, path)) {
        vel_say(ctx, VEL_WARN, "%s is not there: velocities are not pulled towards it", path);
        return VEL_OK;
    }
    double *time, most;
    int64_t n = vel_n_obs(ad);
    VEL_TRY(vel_get_reals(ctx, ad, path, n, &time));
    most = n ? time[vel_argmax_f64(time, n)] : 1;
    for (int64_t c = 0; c < n; c++) time[c] /= most;
    d->opts.latent_time = time;
    return VEL_OK;
}

static vel_err read_fits(vel_ctx *ctx, vel_adata *ad, dynamical *d) {
    int64_t n = vel_n_vars(ad);
    VEL_TRY(read_flag(ctx, ad, "uns/recover_dynamics/use_raw", &d->raw));
    VEL_TRY(read_flag(ctx, ad, "uns/recover_dynamics/fit_basal_transcription", &d->basal));
    for (int i = 0; i < COLUMNS; i++)
        if (i < U0 || d->basal) VEL_TRY(vel_get_reals(ctx, ad, names[i], n, &d->column[i]));
    d->layers = vel_velocity_layers_of(ad, d->raw || !vel_has(ad, "layers/Ms"));
    if (!d->raw && !d->residuals) {
        vel_csr graph;
        VEL_TRY(vel_read_graph(ctx, ad, "connectivities", &graph));
        VEL_TRY(vel_nearby_make(ctx, &graph, &d->nearby));
        d->opts.nearby = &d->nearby;
    }
    return d->residuals ? VEL_OK : read_latent_time(ctx, ad, d);
}

/* ---- velocities */

enum { S, U, FIRST, SECOND, VELOCITY, VELOCITY_U, FIELDS }; /* FIRST, SECOND: fit_tau and fit_tau_, or fit_t twice */

typedef struct {
    const dynamical *d;
    const vel_blocks *it;
} job;

static vel_fitted_gene fit_of(const dynamical *d, int64_t g) {
    double *const *c = d->column;
    return (vel_fitted_gene){.alpha = c[ALPHA][g],
                             .beta = c[BETA][g],
                             .gamma = c[GAMMA][g],
                             .scaling = c[SCALING][g],
                             .switch_at = c[SWITCH][g],
                             .std_u = c[STD_U][g],
                             .std_s = c[STD_S][g],
                             .u0 = d->basal ? c[U0][g] : 0,
                             .s0 = d->basal ? c[S0][g] : 0};
}

static vel_err take_gene(vel_ctx *ctx, const job *j, int64_t i, vel_dynamical_gene *gene) {
    int64_t n = j->it->in[S].rows;
    const void *column[FIELDS];
    vel_chosen_cells all = {NULL, n};
    for (int k = 0; k < FIELDS; k++) VEL_TRY(vel_column_take(ctx, &j->it->in[k], i, &all, &column[k]));
    *gene = (vel_dynamical_gene){.fit = fit_of(j->d, j->it->first + i),
                                 .data = {n, j->d->layers.type, column[U], column[S]},
                                 .tau_on = column[FIRST],
                                 .tau_off = column[SECOND],
                                 .v = (double *)column[VELOCITY],
                                 .v_u = (double *)column[VELOCITY_U]};
    return VEL_OK;
}

static vel_err move_some(vel_ctx *ctx, int64_t item, void *arg) {
    const job *j = arg;
    vel_dynamical_gene genes[VEL_DYNAMICAL_GENES];
    int64_t end = (item + 1) * VEL_DYNAMICAL_GENES < j->it->count ? (item + 1) * VEL_DYNAMICAL_GENES : j->it->count;
    int count = 0;
    for (int64_t i = item * VEL_DYNAMICAL_GENES; i < end; i++) {
        vel_dynamical_gene *gene = &genes[count];
        VEL_TRY(take_gene(ctx, j, i, gene));
        if (isnan(gene->fit.alpha))
            for (int64_t c = 0; c < gene->data.n; c++) gene->v[c] = gene->v_u[c] = NAN;
        else if (j->d->residuals)
            vel_dynamical_residuals(gene);
        else
            count++;
    }
    if (!count) return VEL_OK;
    double *work;
    VEL_TRY(VEL_ALLOC(ctx, work, vel_dynamical_work(genes[0].data.n)));
    vel_dynamical_velocity(&j->d->opts, count, genes, work);
    return VEL_OK;
}

static vel_err move_genes(vel_ctx *ctx, vel_adata *ad, const dynamical *d) {
    int64_t n = vel_n_obs(ad), n_genes = vel_n_vars(ad);
    vel_field *made;
    VEL_TRY(vel_put_dense(ctx, ad, d->velocity, VEL_F64, vel_matrix(n, n_genes), &made));
    VEL_TRY(vel_put_dense(ctx, ad, d->velocity_u, VEL_F64, vel_matrix(n, n_genes), &made));
    vel_block_field fields[FIELDS] = {
        [S] = {d->layers.s, d->layers.type, false},
        [U] = {d->layers.u, d->layers.type, false},
        [FIRST] = {d->residuals ? "layers/fit_t" : "layers/fit_tau", VEL_F64, false},
        [SECOND] = {d->residuals ? "layers/fit_t" : "layers/fit_tau_", VEL_F64, false},
        [VELOCITY] = {d->velocity, VEL_F64, true},
        [VELOCITY_U] = {d->velocity_u, VEL_F64, true},
    };
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, fields, FIELDS, 0, &it));
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) return VEL_OK;
        int64_t items = (it->count + VEL_DYNAMICAL_GENES - 1) / VEL_DYNAMICAL_GENES;
        VEL_TRY(vel_for(ctx, "velocities", items, move_some, &(job){d, it}));
    }
}

/* ---- velocity genes */

/* var/fit_r2, made now if the fit was made without. */
static vel_err ready_r2(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) {
    if (vel_has(ad, "var/fit_r2")) return VEL_OK;
    int64_t n = vel_n_vars(ad);
    vel_steady_run run = {.layers = vel_velocity_layers_of(ad, o->use_raw), .cells = {NULL, vel_n_obs(ad)}};
    vel_steady *fits;
    double *r2;
    VEL_TRY(vel_velocity_settings(ctx, o, true, &run.settings));
    run.settings.r2_alone = true;
    run.settings.r2_adjusted = true; /* whatever the option says: the reference does not pass it on here */
    VEL_TRY(VEL_ALLOC(ctx, fits, n));
    VEL_TRY(VEL_ALLOC(ctx, r2, n));
    VEL_TRY(vel_velocity_steady_fits(ctx, ad, &run, fits));
    for (int64_t g = 0; g < n; g++) r2[g] = fits[g].r2;
    return vel_put_reals(ctx, ad, "var/fit_r2", r2, n);
}

/* Least and largest scaling of a velocity gene, from those that are fitted. */
static vel_err scaling_bounds(vel_ctx *ctx, const double *scaling, int64_t n, double *least, double *most) {
    double *sorted;
    VEL_TRY(VEL_ALLOC(ctx, sorted, n));
    memcpy(sorted, scaling, (size_t)n * sizeof *sorted);
    int64_t fitted = vel_nans_last_f64(sorted, n);
    vel_sort_f64(sorted, fitted);
    *least = vel_percentile_sorted_f64(sorted, fitted, 10);
    *most = vel_percentile_sorted_f64(sorted, fitted, 90);
    if (*least > LOW_SCALING) *least = LOW_SCALING;
    if (*most < HIGH_SCALING) *most = HIGH_SCALING;
    return VEL_OK;
}

static vel_err choose_genes(vel_ctx *ctx, vel_adata *ad, const dynamical *d) {
    int64_t n = vel_n_vars(ad), chosen = 0;
    double *likelihood, *r2 = NULL, least, most;
    double min_likelihood = vel_number_or(&d->o->min_likelihood, -INFINITY);
    double min_r2 = vel_number_or(&d->o->min_r2, -INFINITY);
    uint8_t *genes;
    const char *path;
    VEL_TRY(vel_get_reals(ctx, ad, "var/fit_likelihood", n, &likelihood));
    if (!vel_is_none(&d->o->min_r2)) {
        VEL_TRY(ready_r2(ctx, ad, d->o));
        VEL_TRY(vel_get_reals(ctx, ad, "var/fit_r2", n, &r2));
    }
    const double *scaling = d->column[SCALING];
    VEL_TRY(scaling_bounds(ctx, scaling, n, &least, &most));
    VEL_TRY(VEL_ALLOC(ctx, genes, n));
    for (int64_t g = 0; g < n; g++) {
        genes[g] = likelihood[g] > min_likelihood && (!r2 || r2[g] > min_r2) && scaling[g] > least && scaling[g] < most;
        chosen += genes[g];
    }
    vel_say(ctx, VEL_INFO, "%lld of %lld genes are velocity genes", (long long)chosen, (long long)n);
    VEL_TRY(vel_path_of(ctx, "var/", d->o->vkey, "_genes", &path));
    VEL_TRY(vel_put_bools(ctx, ad, path, genes, n));
    if (!d->o->filter_genes || chosen == 0 || chosen == n) return VEL_OK;
    return vel_keep_vars(ctx, ad, genes);
}

vel_err vel_velocity_dynamical(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) {
    dynamical d = {.o = o, .residuals = !strcmp(o->mode, "dynamical_residuals")};
    VEL_TRY(read_fits(ctx, ad, &d));
    VEL_TRY(vel_path_of(ctx, "layers/", o->vkey, "", &d.velocity));
    VEL_TRY(vel_path_of(ctx, "layers/", o->vkey, "_u", &d.velocity_u));
    VEL_TRY(move_genes(ctx, ad, &d));
    return choose_genes(ctx, ad, &d);
}
