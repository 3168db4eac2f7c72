/* recover_dynamics - the dynamical model: rates, switching times, latent times of each gene. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/align.h"
#include "core/duet.h"
#include "core/field.h"
#include "core/par.h"
#include "core/text.h"
#include "pipelines/choose_genes.h"
#include "pipelines/fit_table.h"
#include "pipelines/graph.h"
#include "pipelines/step.h"

typedef struct {
    vel_value var_names, n_top_genes;
    int64_t max_iter;
    vel_value assignment_mode, t_max, fit_scaling;
    bool fit_steady_states;
    vel_value fit_connected_states, fit_basal_transcription;
    bool use_raw;
    const char *steady_state_prior;
    double perc;
    bool high_pars_resolution;
    vel_value init_vals, n_jobs;
} options;

static const vel_opt rows[] = {
    VEL_OPT(options, var_names, VEL_OANY, "velocity_genes", NULL,
            "genes to fit: names, a boolean column of var, or all; velocity_genes: those with a steady-state line"),
    VEL_OPT(options, n_top_genes, VEL_OCOUNT, "none", "at least 1",
            "of these only so many, by their spliced abundance"),
    VEL_OPT(options, max_iter, VEL_OINT, "10", "0 to 2147483647", "a fifth of it limits each simplex search"),
    VEL_OPT(options, assignment_mode, VEL_OANY, "projection", "projection|full_projection|partial_projection",
            "how cells get times: by projection onto the curve; none: by its inverse only"),
    VEL_OPT(options, t_max, VEL_OANY, "none", NULL, "span of the times of every gene; none: 20, false: not aligned"),
    VEL_OPT(options, fit_scaling, VEL_OANY, "true", NULL, "fit the scale of unspliced; false: 1, or a number to use"),
    VEL_OPT(options, fit_steady_states, VEL_OBOOL, "true", NULL, "steady states beside induction and repression"),
    VEL_OPT(options, fit_connected_states, VEL_OSWITCH, "none", NULL,
            "average distances over neighbours; none: unless use_raw"),
    VEL_OPT(options, fit_basal_transcription, VEL_OSWITCH, "none", NULL, "subtract the least abundance"),
    VEL_OPT(options, use_raw, VEL_OBOOL, "false", NULL, "fit the counts instead of the moments"),
    VEL_OPT(options, steady_state_prior, VEL_OTEXT, "none", NULL, "boolean column of obs: cells at the steady state"),
    VEL_OPT(options, perc, VEL_OREAL, "99", "0 to 100", "percentile above which a gene's cells are left out"),
    VEL_OPT(options, high_pars_resolution, VEL_OBOOL, "false", NULL, "update after every simplex iteration"),
    VEL_OPT(options, init_vals, VEL_OANY, "none", NULL, "factors of the start values of alpha, beta, gamma"),
    VEL_OPT(options, n_jobs, VEL_OCOUNT, "none", NULL, "taken for scVelo's sake: --threads says how many are used"),
    {0}};

static const vel_key reads[] = {{.name = "layers/Ms", .when = "use_raw=false", .optional = true},
                                {.name = "layers/Mu", .when = "use_raw=false", .optional = true},
                                {.name = "layers/spliced", .when = "use_raw=true"},
                                {.name = "layers/unspliced", .when = "use_raw=true"},
                                {.name = "obsp/connectivities", .optional = true},
                                {.name = "uns/neighbors", .optional = true},
                                {.name = "var/highly_variable", .optional = true},
                                {.name = "var/velocity_genes", .optional = true},
                                {.name = "obs/{steady_state_prior}"},
                                {0}};

static const vel_key writes[] = {
    {.name = "var/fit_r2", .shape = VEL_VAR, .type = VEL_F64, .optional = true},
    {.name = "var/fit_alpha", .shape = VEL_VAR, .type = VEL_F64, .most = "n_top_genes"},
    {.name = "var/fit_beta", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_gamma", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_t_", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_scaling", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_std_u", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_std_s", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_likelihood", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_u0", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_s0", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_pval_steady", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_steady_u", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_steady_s", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_variance", .shape = VEL_VAR, .type = VEL_F64},
    {.name = "var/fit_alignment_scaling", .shape = VEL_VAR, .type = VEL_F64, .optional = true},
    {.name = "var/fit_status", .shape = VEL_VAR},
    {.name = "varm/loss", .shape = VEL_VAR_ANY, .type = VEL_F64},
    {.name = "layers/fit_t", .shape = VEL_OBS_VAR, .type = VEL_F64},
    {.name = "layers/fit_tau", .shape = VEL_OBS_VAR, .type = VEL_F64},
    {.name = "layers/fit_tau_", .shape = VEL_OBS_VAR, .type = VEL_F64},
    {.name = "uns/recover_dynamics", .shape = VEL_UNS},
    {0}};

/* ---- options */

typedef struct {
    bool raw, connected, aligned;
    double t_max;
    double factors[3];
    vel_dynamics_settings settings;
} plan;

static bool is_above_0(const vel_value *v) { return vel_is_number(v) && v->real > 0 && isfinite(v->real); }

static vel_err plan_scaling(vel_ctx *ctx, const options *o, vel_dynamics_settings *s) {
    const vel_value *v = &o->fit_scaling;
    s->fit_scaling = s->start.fit_scaling = vel_is_true(v);
    if (vel_is_true(v)) return VEL_OK;
    if (!vel_is_false(v) && !is_above_0(v))
        return vel_opt_refuse(ctx, "fit_scaling", "true, false or a number above 0", v);
    s->start.scaling = vel_is_false(v) ? 1 : v->real;
    s->fit_scaling = vel_is_number(v); /* a given scale is where the fit starts */
    return VEL_OK;
}

static vel_err plan_mode(vel_ctx *ctx, const options *o, vel_dynamics_settings *s) {
    const vel_value *mode = &o->assignment_mode;
    s->mode = VEL_ASSIGN_INVERSE;
    if (vel_is_none(mode)) return VEL_OK;
    if (mode->kind != VEL_VTEXT) return vel_opt_refuse(ctx, "assignment_mode", "none or the name of a mode", mode);
    s->mode = strcmp(mode->text, "projection") != 0 ? VEL_ASSIGN_PROJECT_ALL : VEL_ASSIGN_PROJECT;
    s->projected_throughout = !strcmp(mode->text, "full_projection");
    return VEL_OK;
}

static vel_err plan_factors(vel_ctx *ctx, const options *o, plan *p) {
    const vel_value *v = &o->init_vals;
    if (vel_is_none(v)) return VEL_OK;
    bool three = v->kind == VEL_VLIST && v->n_items == 3;
    for (int i = 0; i < 3; i++) {
        if (!three || !is_above_0(&v->items[i]))
            return vel_opt_refuse(ctx, "init_vals", "none or three numbers above 0", v);
        p->factors[i] = v->items[i].real;
    }
    p->settings.start.factors = p->factors;
    return VEL_OK;
}

/* What the options say whatever the data are. */
static vel_err plan_options(vel_ctx *ctx, const options *o, plan *p) {
    vel_dynamics_settings *s = &p->settings;
    *p = (plan){.raw = o->use_raw, .settings = vel_dynamics_defaults()};
    VEL_TRY(plan_scaling(ctx, o, s));
    VEL_TRY(plan_mode(ctx, o, s));
    VEL_TRY(plan_factors(ctx, o, p));
    s->basal = vel_is_true(&o->fit_basal_transcription);
    s->max_iter = o->max_iter;
    s->steady_states = o->fit_steady_states;
    s->update_always = o->high_pars_resolution;
    s->start.percentile = o->perc;
    if (!vel_is_none(&o->t_max) && !vel_is_false(&o->t_max) && !is_above_0(&o->t_max))
        return vel_opt_refuse(ctx, "t_max", "none, false or a number above 0", &o->t_max);
    p->aligned = !vel_is_false(&o->t_max);
    p->t_max = vel_is_number(&o->t_max) ? o->t_max.real : 20;
    return VEL_OK;
}

static vel_err check(vel_ctx *ctx, const void *opts) {
    plan p;
    return plan_options(ctx, opts, &p);
}

static vel_err plan_fit(vel_ctx *ctx, vel_adata *ad, const options *o, plan *p) {
    VEL_TRY(plan_options(ctx, o, p));
    if (!p->raw && (!vel_has(ad, "layers/Ms") || !vel_has(ad, "layers/Mu"))) {
        vel_say(ctx, VEL_WARN, "%s has no layers Ms and Mu: the counts are fitted as they are", vel_adata_name(ad));
        p->raw = true;
    }
    p->connected = vel_is_none(&o->fit_connected_states) ? !p->raw : vel_is_true(&o->fit_connected_states);
    if (!vel_is_none(&o->n_jobs)) vel_say(ctx, VEL_INFO, "n_jobs is not used: --threads says how many threads work");
    return VEL_OK;
}

/* ---- the fit of a block of genes */

typedef struct {
    const plan *plan;
    const vel_segments *segments; /* NULL: no neighbours */
    const vel_blocks *it;
    const int64_t *genes;
    vel_fit_table *table;
    vel_dynamics_info *infos;
    bool fresh[3]; /* layers made in this call: NaN where a gene is not fitted */
    int64_t pairs; /* so many items of two genes, then items of one */
} job;

enum { S, U, T, TAU, TAU_OFF, FIELDS };
enum { PAIRS_A_THREAD = 2 };    /* fewer would leave threads idle at the end */
enum { PAIRS_A_LAST_ONE = 12 }; /* so that single genes cost 1 % at most */

static void leave_out(const job *j, int64_t i, int64_t n) {
    for (int k = 0; k < 3; k++) {
        double *x = vel_blocks_column(j->it, T + k, i);
        for (int64_t c = 0; j->fresh[k] && c < n; c++) x[c] = NAN;
    }
}

static vel_err fit_gene(vel_ctx *ctx, const job *j, int64_t i, vel_part part) {
    const vel_cmat *s = &j->it->in[S], *u = &j->it->in[U];
    int64_t n = s->rows, at = j->it->first + i;
    vel_dynamics_problem problem = {
        n, vel_blocks_column(j->it, U, i), vel_blocks_column(j->it, S, i), u->type, s->type, j->segments, part};
    double *t = vel_blocks_column(j->it, T, i);
    vel_dynamics_solution solution = {
        .t = t,
        .tau = vel_blocks_column(j->it, TAU, i),
        .tau_off = vel_blocks_column(j->it, TAU_OFF, i),
    };
    vel_dynamics_info *info = &j->infos[at];
    VEL_TRY(vel_dynamics_fit(ctx, &problem, &j->plan->settings, &solution, info));
    j->table->status[j->genes[at]] = info->status;
    if (info->status != VEL_FITTED) {
        leave_out(j, i, n);
        return VEL_OK;
    }
    double m = 1;
    if (j->plan->aligned) {
        m = vel_align_factor(n, t, solution.switch_at, j->plan->t_max);
        vel_align(n, m, &solution);
    }
    vel_fit_table_set(j->table, j->genes[at], &solution, info->updates, m);
    return VEL_OK;
}

typedef struct {
    const job *job;
    int64_t first;
} together;

static vel_err fit_voice(vel_ctx *ctx, vel_part part, void *arg) {
    const together *t = arg;
    return fit_gene(ctx, t->job, t->first + part.voice, part);
}

/* Beside neighbours a gene without a partner is a voice as well, so that it can be stopped. What was memory of pairs
 * before it goes back. */
static vel_err fit_item(vel_ctx *ctx, int64_t i, void *arg) {
    const job *j = arg;
    const bool paired = i < j->pairs;
    together genes = {j, paired ? VEL_VOICES * i : j->pairs + i};
    if (!j->segments) return fit_gene(ctx, j, i, (vel_part){0});
    if (!paired && j->pairs) vel_arena_trim(ctx->scratch);
    return vel_duet_run(ctx, j->segments, paired ? VEL_VOICES : 1, fit_voice, &genes);
}

/* Two genes at once take an eighth less time than one after the other, but more memory. Single ones are the last of
 * all, up to two pairs a thread, when most results are there already and memory is at its peak; and pairs that would
 * leave half of the threads idle, or more, at the end of a block. */
static int64_t pairs_of(const job *j, int64_t threads, bool last) {
    const int64_t pairs = j->it->count / VEL_VOICES, rest = pairs % threads, few = pairs / PAIRS_A_LAST_ONE;
    if (!j->segments || pairs < PAIRS_A_THREAD * threads) return 0;
    int64_t apart = 2 * rest <= threads ? rest : 0;
    if (last) apart += few < 2 * threads ? few : 2 * threads;
    return pairs - apart;
}

static vel_err fit_blocks(vel_ctx *ctx, vel_adata *ad, job *j, int64_t n_genes) {
    bool raw = j->plan->raw;
    vel_block_field fields[FIELDS] = {
        {raw ? "layers/spliced" : "layers/Ms", VEL_NOTYPE, false},
        {raw ? "layers/unspliced" : "layers/Mu", VEL_NOTYPE, false},
        {"layers/fit_t", VEL_F64, true},
        {"layers/fit_tau", VEL_F64, true},
        {"layers/fit_tau_", VEL_F64, true},
    };
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, fields, FIELDS, 0, &it));
    VEL_TRY(vel_blocks_select(ctx, it, j->genes, n_genes));
    for (int k = 0; k < FIELDS; k++) vel_blocks_by_column(it, k);
    j->it = it;
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) return VEL_OK;
        j->pairs = pairs_of(j, ctx->threads, it->first + it->count == n_genes);
        VEL_TRY(vel_for(ctx, j->pairs ? "genes, two at a time" : "genes", it->count - j->pairs, fit_item, j));
    }
}

/* The layer stays if it is one already, else it is made, NaN for the genes that are not fitted. */
static vel_err prepare_layer(vel_ctx *ctx, vel_adata *ad, const char *path, const int64_t *genes, int64_t n_genes,
                             bool *fresh) {
    int64_t n = vel_n_obs(ad), n_vars = vel_n_vars(ad);
    vel_entry there = vel_entry_of(ad, path);
    *fresh = !(there.kind == VEL_DENSE && there.origin == VEL_F64 && there.rows == n && there.cols == n_vars);
    if (!*fresh) return VEL_OK;
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, VEL_F64, vel_matrix(n, n_vars), &f));
    for (int64_t g = 0, k = 0; g < n_vars; g++) {
        if (k < n_genes && genes[k] == g) {
            k++;
            continue;
        }
        double *x = (double *)f->data + g * n;
        for (int64_t c = 0; c < n; c++) x[c] = NAN;
        vel_field_rest(f, g * n, n);
    }
    return VEL_OK;
}

/* ---- what happened */

static vel_err report(vel_ctx *ctx, vel_adata *ad, const job *j, int64_t n_genes) {
    int64_t count[VEL_FIT_STATUSES] = {0}, first = -1;
    for (int64_t k = 0; k < n_genes; k++) {
        vel_fit_status status = j->infos[k].status;
        count[status]++;
        if (first < 0 && (status == VEL_NOT_FINITE || status == VEL_NEGATIVE)) first = k;
    }
    char why[256] = "";
    for (int s = VEL_FITTED + 1, used = 0; s < VEL_FIT_STATUSES; s++)
        if (count[s] && used < (int)sizeof why)
            used += snprintf(why + used, sizeof why - (size_t)used, "; %s: %lld",
                             vel_fit_status_words((vel_fit_status)s), (long long)count[s]);
    if (first >= 0) {
        char **genes, **cells;
        VEL_TRY(vel_var_names(ctx, ad, &genes));
        VEL_TRY(vel_obs_names(ctx, ad, &cells));
        const vel_dynamics_info *info = &j->infos[first];
        vel_say(ctx, VEL_WARN, "%lld genes are left out for their values, the first is %s: %s, %s of cell %s",
                (long long)(count[VEL_NOT_FINITE] + count[VEL_NEGATIVE]), genes[j->genes[first]],
                vel_fit_status_words(info->status), info->in_spliced ? "spliced" : "unspliced", cells[info->cell]);
    }
    if (!count[VEL_FITTED])
        return vel_fail(ctx, VEL_ENONE, "no gene could be fitted: %lld tried%s", (long long)n_genes, why);
    vel_say(ctx, VEL_INFO, "%lld of %lld genes fitted (%lld not selected%s)", (long long)count[VEL_FITTED],
            (long long)vel_n_vars(ad), (long long)(vel_n_vars(ad) - n_genes), why);
    return VEL_OK;
}

static vel_err write_params(vel_ctx *ctx, vel_adata *ad, const options *o, const plan *p) {
    VEL_TRY(vel_drop(ctx, ad, "uns/recover_dynamics"));
    VEL_TRY(vel_put_bool(ctx, ad, "uns/recover_dynamics/fit_connected_states", p->connected));
    if (!vel_is_none(&o->fit_basal_transcription))
        VEL_TRY(vel_put_bool(ctx, ad, "uns/recover_dynamics/fit_basal_transcription", p->settings.basal));
    return vel_put_bool(ctx, ad, "uns/recover_dynamics/use_raw", p->raw);
}

/* ---- the step */

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *opts) {
    static const char *const layers[] = {"layers/fit_t", "layers/fit_tau", "layers/fit_tau_"};
    const options *o = opts;
    plan p;
    VEL_TRY(plan_fit(ctx, ad, o, &p));
    uint8_t *prior = NULL;
    if (o->steady_state_prior) {
        const char *path;
        VEL_TRY(vel_path_of(ctx, "obs/", o->steady_state_prior, "", &path));
        VEL_TRY(vel_get_bools(ctx, ad, path, vel_n_obs(ad), &prior));
        p.settings.start.prior = prior;
    }
    vel_gene_choice choice = {&o->var_names, &o->n_top_genes, p.raw};
    int64_t *genes, n_genes;
    VEL_TRY(vel_choose_genes(ctx, ad, &choice, &genes, &n_genes));

    vel_csr graph;
    vel_segments segments;
    vel_fit_table table;
    job j = {.plan = &p, .genes = genes, .table = &table};
    if (p.connected && vel_has(ad, "uns/neighbors")) {
        VEL_TRY(vel_read_graph(ctx, ad, "connectivities", &graph));
        VEL_TRY(vel_segments_make(ctx, &graph, &segments));
        j.segments = &segments;
    }
    VEL_TRY(vel_fit_table_read(ctx, ad, vel_dynamics_most_updates(&p.settings), p.aligned, &table));
    VEL_TRY(VEL_ALLOC(ctx, j.infos, n_genes));
    for (int k = 0; k < 3; k++) VEL_TRY(prepare_layer(ctx, ad, layers[k], genes, n_genes, &j.fresh[k]));
    VEL_TRY(fit_blocks(ctx, ad, &j, n_genes));
    VEL_TRY(vel_fit_table_write(ctx, ad, &table)); /* fit_status too, before a failure: who listens wants to know why */
    VEL_TRY(write_params(ctx, ad, o, &p));
    return report(ctx, ad, &j, n_genes);
}

const vel_step vel_step_recover_dynamics = {
    .name = "recover_dynamics",
    .help = "the dynamical model: rates, switching times and latent times of each gene",
    .example = "vel recover_dynamics moments.h5ad -o fitted.h5ad --var_names all",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(options),
    .work = {.gene = 320,
             .cell_thread = 344,
             .few_thread = 202,
             .few = VEL_VOICES * PAIRS_A_THREAD,
             .chosen = "n_top_genes",
             .cell_neighbor = 3,
             .through = VEL_BY_GENES},
    .check = check,
    .run = run,
};
