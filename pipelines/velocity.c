#include "pipelines/velocity.h"

#include <math.h>
#include <string.h>

#include "core/flaws.h"
#include "core/par.h"
#include "core/text.h"
#include "pipelines/layers.h"

/* ---- settings */

static bool is_pair(const vel_value *v) { return v->kind == VEL_VLIST && v->n_items == 2; }

static vel_err set_percentiles(vel_ctx *ctx, const vel_velocity_options *o, vel_extremes *e) {
    const vel_value *v = &o->perc;
    bool pair = is_pair(v) && vel_is_number(&v->items[0]) && vel_is_number(&v->items[1]);
    if (vel_is_number(v)) *e = (vel_extremes){.upper = v->real};
    if (pair) *e = (vel_extremes){v->items[0].real, v->items[1].real, o->fit_offset};
    bool inside = e->lower >= 0 && e->upper >= e->lower && e->upper <= 100;
    if ((pair || vel_is_number(v) || vel_is_none(v)) && inside) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "velocity: perc takes a percentile or an ascending pair of them, 0 to 100");
}

/* Ratios are not below 0; NaN is no bound. */
static bool is_ratio(const vel_value *v) { return vel_is_number(v) && v->real >= 0; }

static vel_err set_ratio(vel_ctx *ctx, const vel_value *v, vel_steady_opts *s) {
    if (vel_is_none(v)) return VEL_OK;
    if (is_ratio(v)) {
        s->most_ratio = v->real;
        return VEL_OK;
    }
    bool bounds = is_pair(v);
    for (int i = 0; bounds && i < 2; i++) bounds = is_ratio(&v->items[i]) || vel_is_none(&v->items[i]);
    if (!bounds)
        return vel_fail(ctx, VEL_EUSAGE, "velocity: constrain_ratio takes none, a number at least 0 or a pair of them");
    s->least_ratio = vel_number_or(&v->items[0], -INFINITY);
    s->most_ratio = vel_number_or(&v->items[1], INFINITY);
    if (s->least_ratio > s->most_ratio)
        return vel_fail(ctx, VEL_EUSAGE, "velocity: constrain_ratio takes a pair of ascending bounds, found %g and %g",
                        s->least_ratio, s->most_ratio);
    return VEL_OK;
}

vel_err vel_velocity_settings(vel_ctx *ctx, const vel_velocity_options *o, bool r2_adjusted, vel_steady_opts *s) {
    *s = vel_steady_defaults();
    s->offset = s->extremes.both = o->fit_offset;
    s->r2_adjusted = vel_is_none(&o->r2_adjusted) ? r2_adjusted : vel_is_true(&o->r2_adjusted);
    VEL_TRY(set_percentiles(ctx, o, &s->extremes));
    return set_ratio(ctx, &o->constrain_ratio, s);
}

static bool is_single(const vel_adata *ad, const char *layer) {
    vel_type t = vel_entry_of(ad, layer).origin;
    return t == VEL_F32 || t == VEL_F16;
}

vel_velocity_layers vel_velocity_layers_of(const vel_adata *ad, bool use_raw) {
    vel_velocity_layers l = {use_raw ? "layers/spliced" : "layers/Ms", use_raw ? "layers/unspliced" : "layers/Mu",
                             VEL_F64};
    if (is_single(ad, l.s) && is_single(ad, l.u)) l.type = VEL_F32;
    return l;
}

vel_err vel_velocity_variable_genes(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o, uint8_t **variable) {
    *variable = NULL;
    if (vel_is_none(&o->use_highly_variable) || !vel_has(ad, "var/highly_variable")) return VEL_OK;
    return vel_get_bools(ctx, ad, "var/highly_variable", vel_n_vars(ad), variable);
}

/* ---- the deterministic fit of every gene */

typedef struct {
    const vel_steady_run *run;
    const vel_blocks *it;
    vel_steady *fits;
    int64_t *bad; /* n_vars: the first cell with a value that is no number, -1: none */
} fit_job;

/* The first cell with a value that is NaN or infinite, -1: none. */
static int64_t first_bad(const vel_gene_data *g) {
    if (vel_all_finite(g->type, g->u, g->n) && vel_all_finite(g->type, g->s, g->n)) return -1;
    for (int64_t c = 0; c < g->n; c++)
        if (!isfinite(vel_real_at(g->type, g->u, c)) || !isfinite(vel_real_at(g->type, g->s, c))) return c;
    return -1;
}

/* Names the first gene and cell whose value is NaN or infinite: such a gene gets no line, and so is no velocity gene.
 */
static vel_err tell_bad(vel_ctx *ctx, vel_adata *ad, const vel_steady_run *run, const int64_t *bad) {
    int64_t count = 0, first = -1, n = vel_n_vars(ad);
    for (int64_t g = 0; g < n; g++) {
        if (bad[g] < 0) continue;
        if (first < 0) first = g;
        count++;
    }
    if (count == 0) return VEL_OK;
    char **genes, **cells;
    VEL_TRY(vel_var_names(ctx, ad, &genes));
    VEL_TRY(vel_obs_names(ctx, ad, &cells));
    int64_t cell = run->cells.index ? run->cells.index[bad[first]] : bad[first];
    vel_say(ctx, VEL_WARN, "%lld genes have a NaN or an infinity in %s or %s and are skipped: %s in cell %s%s",
            (long long)count, run->layers.s, run->layers.u, genes[first], cells[cell], count > 1 ? ", …" : "");
    return VEL_OK;
}

static vel_err put_velocity(vel_ctx *ctx, const fit_job *job, int64_t i, const vel_gene_data *gene) {
    const vel_steady_run *run = job->run;
    const vel_steady *fit = &job->fits[job->it->first + i];
    void *v;
    vel_type type = vel_steady_type(&run->settings, gene->type);
    VEL_TRY(vel_column_room(ctx, &job->it->out[2], i, &run->cells, type, &v));
    vel_steady_velocity(gene, fit->gamma, fit->offset, type, v);
    vel_column_put(&job->it->out[2], i, &run->cells, type, v);
    return VEL_OK;
}

static vel_err fit_genes(vel_ctx *ctx, int64_t item, void *arg) {
    const fit_job *job = arg;
    const vel_steady_run *run = job->run;
    const vel_blocks *it = job->it;
    int64_t first = item * VEL_STEADY_GENES, left = it->count - first;
    int n = left < VEL_STEADY_GENES ? (int)left : VEL_STEADY_GENES;
    vel_gene_data genes[VEL_STEADY_GENES];
    char *work;
    for (int k = 0; k < n; k++) {
        genes[k] = (vel_gene_data){.n = run->cells.n, .type = run->layers.type};
        VEL_TRY(vel_column_take(ctx, &it->in[0], first + k, &run->cells, &genes[k].s));
        VEL_TRY(vel_column_take(ctx, &it->in[1], first + k, &run->cells, &genes[k].u));
        job->bad[it->first + first + k] = first_bad(&genes[k]);
    }
    VEL_TRY(VEL_ALLOC(ctx, work, vel_steady_work(run->cells.n)));
    vel_steady_fit(&run->settings, n, genes, work, &job->fits[it->first + first]);
    for (int k = 0; k < n && run->layer; k++) VEL_TRY(put_velocity(ctx, job, first + k, &genes[k]));
    return VEL_OK;
}

vel_err vel_velocity_steady_fits(vel_ctx *ctx, vel_adata *ad, const vel_steady_run *run, vel_steady *fits) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_block_field fields[] = {
        {run->layers.s, run->layers.type, false}, {run->layers.u, run->layers.type, false}, {run->layer, 0, true}};
    if (run->layer) fields[2].type = vel_entry_of(ad, run->layer).origin;
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, fields, run->layer ? 3 : 2, 0, &it));
    fit_job job = {run, it, fits, NULL};
    VEL_TRY(VEL_ALLOC(ctx, job.bad, vel_n_vars(ad)));
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) break;
        int64_t items = (it->count + VEL_STEADY_GENES - 1) / VEL_STEADY_GENES;
        VEL_TRY(vel_for_next(ctx, "steady states", items, fit_genes, &job));
    }
    VEL_TRY(tell_bad(ctx, ad, run, job.bad));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
