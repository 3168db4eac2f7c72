/* compute_dynamics - the fitted curves of every gene, at the cells' times. */
#include <math.h>
#include <stdio.h>

#include "core/curves.h"
#include "core/par.h"
#include "pipelines/curve_table.h"
#include "pipelines/step.h"

typedef struct {
    const char *key;
    bool sort, extrapolate;
} options;

static const vel_opt rows[] = {
    VEL_OPT(options, key, VEL_OTEXT, "fit", "fit|true",
            "which parameters: the fitted ones, or the true ones of a simulation"),
    VEL_OPT(options, sort, VEL_OBOOL, "false", NULL, "the curves at ascending times too, as a table: uns/{key}_curves"),
    VEL_OPT(options, extrapolate, VEL_OBOOL, "false", NULL,
            "that table at 500 times before the switch and 500 after it"),
    {0}};

static const vel_key reads[] = {{.name = "var/{key}_alpha"},
                                {.name = "var/{key}_beta"},
                                {.name = "var/{key}_gamma"},
                                {.name = "var/{key}_t_"},
                                {.name = "var/{key}_scaling"},
                                {.name = "var/{key}_u0", .optional = true},
                                {.name = "var/{key}_s0", .optional = true},
                                {.name = "layers/fit_t", .when = "key=fit"},
                                {.name = "obs/true_t", .when = "key=true"},
                                {0}};

static const vel_key writes[] = {{.name = "layers/{key}_u", .shape = VEL_OBS_VAR, .type = VEL_F64},
                                 {.name = "layers/{key}_s", .shape = VEL_OBS_VAR, .type = VEL_F64},
                                 {.name = "uns/{key}_curves", .shape = VEL_UNS, .optional = true},
                                 {0}};

enum { ALPHA, BETA, GAMMA, SWITCH, SCALING, U0, S0, PARAMETERS };

static const char *const names[PARAMETERS] = {"alpha", "beta", "gamma", "t_", "scaling", "u0", "s0"};

typedef struct {
    double *parameter[PARAMETERS]; /* of every gene */
    const double *times;           /* of the cells, if they are the same for all genes */
    const vel_blocks *it;
    const vel_curve_table *table; /* NULL: not asked for */
} job;

enum { U, S, T };

static vel_err read_parameters(vel_ctx *ctx, vel_adata *ad, const char *key, job *j) {
    int64_t n = vel_n_vars(ad);
    for (int k = 0; k < PARAMETERS; k++) {
        char path[64];
        snprintf(path, sizeof path, "var/%s_%s", key, names[k]);
        if (k < U0 || vel_has(ad, path))
            VEL_TRY(vel_get_reals(ctx, ad, path, n, &j->parameter[k]));
        else
            VEL_TRY(VEL_ZALLOC(ctx, j->parameter[k], n));
    }
    return VEL_OK;
}

static vel_err evaluate(vel_ctx *ctx, int64_t i, void *arg) {
    const job *j = arg;
    int64_t n = j->it->out[U].rows, g = j->it->first + i;
    double *u = (double *)j->it->out[U].data + i * n, *s = (double *)j->it->out[S].data + i * n;
    const double *t = j->times ? j->times : (const double *)j->it->in[T].data + i * n;
    double alpha = j->parameter[ALPHA][g], sigma = j->parameter[SCALING][g];
    if (isnan(alpha)) {
        for (int64_t c = 0; c < n; c++) u[c] = s[c] = NAN;
        return VEL_OK;
    }
    vel_curve curve = {
        .alpha = alpha,
        .beta = j->parameter[BETA][g] * sigma,
        .gamma = j->parameter[GAMMA][g],
        .sigma = sigma,
        .switch_at = j->parameter[SWITCH][g],
        .u0 = j->parameter[U0][g],
        .s0 = j->parameter[S0][g],
    };
    vel_curve_at(&curve, n, t, NULL, u, s);
    return j->table ? vel_curve_table_fill(ctx, j->table, g, &curve, n, t) : VEL_OK;
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *opts) {
    const options *o = opts;
    bool fitted = o->key[0] == 'f';
    int64_t n = vel_n_obs(ad), n_vars = vel_n_vars(ad);
    char path_u[64], path_s[64];
    snprintf(path_u, sizeof path_u, "layers/%s_u", o->key);
    snprintf(path_s, sizeof path_s, "layers/%s_s", o->key);
    job j = {.times = NULL};
    double *times = NULL;
    VEL_TRY(read_parameters(ctx, ad, o->key, &j));
    if (!fitted) VEL_TRY(vel_get_reals(ctx, ad, "obs/true_t", n, &times));
    j.times = times;
    vel_curve_table table;
    if (o->sort || o->extrapolate) {
        VEL_TRY(vel_curve_table_make(ctx, ad, o->key, j.parameter[ALPHA], o->extrapolate, &table));
        j.table = &table;
    }

    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path_u, VEL_F64, vel_matrix(n, n_vars), &f));
    VEL_TRY(vel_put_dense(ctx, ad, path_s, VEL_F64, vel_matrix(n, n_vars), &f));
    vel_block_field fields[] = {{path_u, VEL_F64, true}, {path_s, VEL_F64, true}, {"layers/fit_t", VEL_F64, false}};
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, fields, fitted ? 3 : 2, 0, &it));
    j.it = it;
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) return VEL_OK;
        VEL_TRY(vel_for(ctx, "genes", it->count, evaluate, &j));
    }
}

const vel_step vel_step_compute_dynamics = {
    .name = "compute_dynamics",
    .help = "the fitted curves of every gene, at the cells' times",
    .example = "vel compute_dynamics fitted.h5ad -o curves.h5ad",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(options),
    .work = {.cell_thread = 32, .through = VEL_BY_GENES},
    .run = run,
};
