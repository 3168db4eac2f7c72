#include "pipelines/choose_genes.h"

#include <string.h>

#include "core/par.h"
#include "core/sort.h"
#include "core/steady_state.h"
#include "core/text.h"
#include "pipelines/mark_genes.h"

#define MIN_R2 0.01
#define MIN_RATIO 0.01

/* ---- genes with a steady-state line */

typedef struct {
    const vel_blocks *it;
    vel_steady_opts opts;
    vel_steady *fits;
} steady_job;

static vel_err fit_some(vel_ctx *ctx, int64_t item, void *arg) {
    const steady_job *job = arg;
    const vel_cmat *s = &job->it->in[0], *u = &job->it->in[1];
    int64_t first = item * VEL_STEADY_GENES, left = job->it->count - first;
    int n = left < VEL_STEADY_GENES ? (int)left : VEL_STEADY_GENES;
    vel_gene_data genes[VEL_STEADY_GENES];
    for (int k = 0; k < n; k++) {
        size_t offset = (size_t)((first + k) * s->col_stride) * vel_type_size(s->type);
        genes[k] = (vel_gene_data){s->rows, s->type, (const char *)u->data + offset, (const char *)s->data + offset};
    }
    char *work;
    VEL_TRY(VEL_ALLOC(ctx, work, vel_steady_work(s->rows)));
    vel_steady_fit(&job->opts, n, genes, work, &job->fits[job->it->first + first]);
    return VEL_OK;
}

static vel_err fit_lines(vel_ctx *ctx, vel_adata *ad, vel_type type, vel_steady *fits) {
    vel_block_field fields[] = {{"layers/Ms", type, false}, {"layers/Mu", type, false}};
    steady_job job = {.opts = vel_steady_defaults(), .fits = fits};
    job.opts.r2_adjusted = true;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, fields, 2, 0, &it));
    job.it = it;
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) break;
        int64_t items = (it->count + VEL_STEADY_GENES - 1) / VEL_STEADY_GENES;
        VEL_TRY(vel_for(ctx, NULL, items, fit_some, &job));
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

static vel_err choose_steady(vel_ctx *ctx, vel_adata *ad, uint8_t *chosen) {
    int64_t n = vel_n_vars(ad);
    vel_type type = VEL_F32, types[] = {vel_entry_of(ad, "layers/Ms").origin, vel_entry_of(ad, "layers/Mu").origin};
    if (types[0] == VEL_F64 || types[1] == VEL_F64) type = VEL_F64;
    vel_steady *fits;
    double *r2, *work;
    uint8_t *variable = NULL;
    VEL_TRY(VEL_ALLOC(ctx, fits, n));
    VEL_TRY(VEL_ALLOC(ctx, r2, n));
    VEL_TRY(VEL_ALLOC(ctx, work, n));
    if (vel_has(ad, "var/highly_variable")) VEL_TRY(vel_get_bools(ctx, ad, "var/highly_variable", n, &variable));
    VEL_TRY(fit_lines(ctx, ad, type, fits));
    for (int64_t g = 0; g < n; g++) r2[g] = fits[g].r2;
    vel_steady_rule rule = {MIN_R2, MIN_RATIO, type, variable};
    vel_steady_select(&rule, n, fits, work, chosen);
    return vel_put_reals(ctx, ad, "var/fit_r2", r2, n);
}

/* ---- genes by name */

static int64_t find_name(char *const *names, int64_t n, const char *name) {
    for (int64_t g = 0; g < n; g++)
        if (!strcmp(names[g], name)) return g;
    return -1;
}

static vel_err choose_word(vel_ctx *ctx, vel_adata *ad, const char *word, bool raw, char *const *names,
                           uint8_t *chosen) {
    int64_t n = vel_n_vars(ad);
    int64_t g = find_name(names, n, word);
    if (g >= 0) {
        chosen[g] = 1;
        return VEL_OK;
    }
    const char *column;
    VEL_TRY(vel_path_of(ctx, "var/", word, "", &column));
    if (vel_has(ad, column)) {
        uint8_t *marked;
        VEL_TRY(vel_get_bools(ctx, ad, column, n, &marked));
        memcpy(chosen, marked, (size_t)n);
        return VEL_OK;
    }
    if (raw || !strcmp(word, "all")) {
        memset(chosen, 1, (size_t)n);
        return VEL_OK;
    }
    if (strstr(word, "_genes")) return choose_steady(ctx, ad, chosen);
    return vel_fail(ctx, VEL_EUSAGE, "var_names=%s is neither a gene nor a column of var of %s, nor all%s", word,
                    vel_adata_name(ad), strchr(word, ',') ? "; a list is [\"A\", \"B\"]" : "");
}

static vel_err choose_value(vel_ctx *ctx, vel_adata *ad, const vel_gene_choice *choice, uint8_t *chosen) {
    const vel_value *v = choice->var_names;
    char **names;
    VEL_TRY(vel_var_names(ctx, ad, &names));
    if (v->kind == VEL_VTEXT) return choose_word(ctx, ad, v->text, choice->raw, names, chosen);
    if (v->kind != VEL_VLIST)
        return vel_fail(ctx, VEL_EUSAGE, "var_names takes a gene, a list of genes, a column of var, or all");
    return vel_mark_genes(ctx, ad, "var_names", v, false, chosen);
}

/* ---- the top of them */

/* Sum over the cells in order, in the type of the data. */
static double ordered_sum(int64_t n, const void *x, vel_type type) {
    if (type == VEL_F64) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) sum += ((const double *)x)[i];
        return sum;
    }
    float sum = 0;
    for (int64_t i = 0; i < n; i++) sum += ((const float *)x)[i];
    return (double)sum;
}

static vel_err spliced_sums(vel_ctx *ctx, vel_adata *ad, bool raw, const int64_t *genes, int64_t n, double *sums) {
    vel_block_field field = {raw ? "layers/spliced" : "layers/Ms", VEL_NOTYPE, false};
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_blocks *it;
    VEL_TRY(vel_blocks_open(ctx, ad, &field, 1, 0, &it));
    VEL_TRY(vel_blocks_select(ctx, it, genes, n));
    for (;;) {
        VEL_TRY(vel_blocks_next(ctx, it));
        if (!it->count) break;
        const vel_cmat *s = &it->in[0];
        for (int64_t i = 0; i < it->count; i++)
            sums[it->first + i] = ordered_sum(
                s->rows, (const char *)s->data + (size_t)(i * s->col_stride) * vel_type_size(s->type), s->type);
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* Keeps the top genes of the chosen, in ascending order of place. */
static vel_err keep_top(vel_ctx *ctx, vel_adata *ad, bool raw, int64_t top, int64_t *genes, int64_t *n) {
    double *sums;
    int64_t *order, *work;
    uint8_t *kept;
    VEL_TRY(VEL_ALLOC(ctx, sums, *n));
    VEL_TRY(VEL_ALLOC(ctx, order, *n));
    VEL_TRY(VEL_ALLOC(ctx, work, *n));
    VEL_TRY(VEL_ZALLOC(ctx, kept, *n));
    VEL_TRY(spliced_sums(ctx, ad, raw, genes, *n, sums));
    vel_argsort_f64(sums, *n, order, work);
    for (int64_t i = 0; i < top; i++) kept[order[*n - 1 - i]] = 1;
    int64_t k = 0;
    for (int64_t i = 0; i < *n; i++)
        if (kept[i]) genes[k++] = genes[i];
    *n = k;
    return VEL_OK;
}

/* The default: no gene goes along a line, as when there are no unspliced counts; or an earlier run has marked none. */
static vel_err refuse_none(vel_ctx *ctx, vel_adata *ad, const vel_gene_choice *choice) {
    const vel_value *v = choice->var_names;
    int64_t n = vel_n_vars(ad);
    const char *column = "";
    if (v->kind == VEL_VTEXT) VEL_TRY(vel_path_of(ctx, "var/", v->text, "", &column));
    if (vel_has(ad, column))
        return vel_fail(ctx, VEL_ENONE,
                        "%s, which is there, marks none of the %lld genes of %s; var_names=all tries "
                        "every gene",
                        column, (long long)n, vel_adata_name(ad));
    if (v->kind == VEL_VTEXT && strstr(v->text, "_genes"))
        return vel_fail(
            ctx, VEL_ENONE,
            "none of the %lld genes is among the %s: unspliced against spliced has no slope and R2 above %g; "
            "var_names=all tries every gene",
            (long long)n, v->text, MIN_R2);
    return vel_fail(ctx, VEL_ENONE, "var_names chooses none of the %lld genes", (long long)n);
}

vel_err vel_choose_genes(vel_ctx *ctx, vel_adata *ad, const vel_gene_choice *choice, int64_t **genes,
                         int64_t *n_genes) {
    int64_t n = vel_n_vars(ad), k = 0;
    uint8_t *chosen;
    VEL_TRY(VEL_ZALLOC(ctx, chosen, n));
    VEL_TRY(VEL_ALLOC(ctx, *genes, n));
    VEL_TRY(choose_value(ctx, ad, choice, chosen));
    for (int64_t g = 0; g < n; g++)
        if (chosen[g]) (*genes)[k++] = g;
    if (!k) return refuse_none(ctx, ad, choice);
    *n_genes = k;
    if (vel_is_none(choice->n_top)) return VEL_OK;
    if (choice->n_top->integer >= k) return VEL_OK;
    return keep_top(ctx, ad, choice->raw, choice->n_top->integer, *genes, n_genes);
}
