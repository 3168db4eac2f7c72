/* How many genes will be velocity genes, for the memory estimate. */
#include <math.h>
#include <string.h>

#include "core/field.h"
#include "core/least.h"
#include "core/text.h"
#include "pipelines/layers.h"
#include "pipelines/velocity.h"

/* Cells and genes that are looked at: so many, one here and one there, as neighbours in the file may be alike; genes
 * in runs, as they may be of a kind in turn, and cells of compressed layers, as whole chunks are read. */
enum { MOST_CELLS = 1024, LEAST_CELLS = 256, CELL_RUN = 1, CELL_RUN_PACKED = 128 };
enum { MOST_GENES = 512, GENE_RUN = 8, FEW_GENES = 8 };
/* core/steady_state.h: above the 80th percentile. */
#define SHARE_OF_LOW_SIGNAL 0.2
/* Values of a layer that are read. */
enum { MOST_READ = 4 << 20, MOST_READ_PACKED = 16 << 20 };

typedef struct {
    int64_t cells[MOST_CELLS], genes[MOST_GENES];
    vel_selection sel;
} sample;

/* Where the k-th run lies in a stretch that is so much longer than a run: all over it, as k goes on, and not at equal
 * distances, as time in the file may go round. */
static int64_t shift_of(int64_t k, int64_t longer) {
    double golden = 0.6180339887498949 * (double)k;
    return (int64_t)((golden - floor(golden)) * (double)longer);
}

/* Runs, one in each of equal stretches, of all or of those that are selected; all if they are few. Returns how many. */
static int64_t pick(const int64_t *of, int64_t n, int64_t run, int64_t most, int64_t *picked) {
    int64_t runs = most / run, count = 0;
    if (n <= most) {
        runs = 1;
        run = n;
    }
    for (int64_t k = 0; k < runs; k++) {
        int64_t begin = n * k / runs, longer = n * (k + 1) / runs - begin - run, at = begin + shift_of(k, longer);
        for (int64_t i = 0; i < run; i++) picked[count++] = of ? of[at + i] : at + i;
    }
    return count;
}

/* Rows of a layer in chunks that runs of cells lead to. */
static int64_t rows_of_runs(const vel_entry *e) {
    int64_t runs = MOST_CELLS / CELL_RUN_PACKED, piece = vel_least(e->piece_rows, e->rows);
    return vel_least(e->rows, runs * (CELL_RUN_PACKED + piece));
}

/* Single cells are as cheap where runs of them lead to all chunks. */
static bool wants_runs(const vel_entry *e) { return e->piece_rows && rows_of_runs(e) < e->rows; }

/* Of sparse layers much is read, wherever the cells are; a row of chunks is in memory as a whole. */
static bool is_affordable(const vel_adata *ad, const vel_entry *e) {
    if (e->kind == VEL_SPARSE) return vel_stored_in_file(ad, e->path) <= MOST_READ;
    if (e->kind != VEL_DENSE || e->ndim != 2) return false;
    if (!e->piece_rows) return true;
    double read = (double)rows_of_runs(e) * (double)e->cols, piece = (double)vel_least(e->piece_rows, e->rows);
    return piece * (double)e->cols <= MOST_READ && read <= (e->is_slow ? MOST_READ : MOST_READ_PACKED);
}

static vel_err pick_sample(const vel_adata *ad, const vel_velocity_layers *l, sample *s) {
    vel_entry a = vel_entry_of(ad, l->s), b = vel_entry_of(ad, l->u);
    vel_selection all = vel_selection_of(ad);
    if (!is_affordable(ad, &a) || !is_affordable(ad, &b)) return VEL_ENONE;
    bool packed = a.piece_rows || b.piece_rows;
    int64_t most = MOST_READ / (a.cols > 0 ? a.cols : 1) / CELL_RUN * CELL_RUN;
    if (packed || most > MOST_CELLS) most = MOST_CELLS;
    if (most < LEAST_CELLS) most = LEAST_CELLS;
    s->sel.obs = s->cells;
    s->sel.var = s->genes;
    int64_t run = wants_runs(&a) || wants_runs(&b) ? CELL_RUN_PACKED : CELL_RUN;
    s->sel.n_obs = pick(all.obs, vel_n_obs(ad), run, most, s->cells);
    s->sel.n_vars = pick(all.var, vel_n_vars(ad), GENE_RUN, MOST_GENES, s->genes);
    return s->sel.n_obs && s->sel.n_vars ? VEL_OK : VEL_ENONE;
}

static void put(vel_type type, void *x, int64_t at, double value) {
    if (type == VEL_F32)
        ((float *)x)[at] = (float)value;
    else
        ((double *)x)[at] = value;
}

/* Gene after gene in the type of the fit. */
static vel_err lay_out(vel_ctx *ctx, const vel_field *f, vel_type type, const char **genes) {
    char *x;
    int64_t n = f->rows * f->cols;
    *genes = f->data;
    if (f->kind == VEL_DENSE && f->type == type) return VEL_OK;
    VEL_TRY(VEL_ZALLOC(ctx, x, n * (int64_t)vel_type_size(type)));
    *genes = x;
    for (int64_t e = 0; f->kind == VEL_DENSE && e < n; e++) put(type, x, e, vel_field_real(f, e));
    for (int64_t c = 0; f->kind == VEL_SPARSE && c < f->rows; c++)
        for (int64_t e = f->indptr[c]; e < f->indptr[c + 1]; e++)
            put(type, x, f->indices[e] * f->rows + c, vel_real_at(f->type, f->data, e));
    return VEL_OK;
}

static vel_err fit(vel_ctx *ctx, const vel_steady_opts *settings, const vel_field *s, const vel_field *u, vel_type type,
                   vel_steady *fits) {
    const char *from_s, *from_u;
    VEL_TRY(lay_out(ctx, s, type, &from_s));
    VEL_TRY(lay_out(ctx, u, type, &from_u));
    for (int64_t g = 0; g < s->cols; g++) {
        vel_mark mark = vel_arena_mark(ctx->scratch);
        size_t at = (size_t)(g * s->rows) * vel_type_size(type);
        vel_gene_data gene = {.n = s->rows, .type = type, .s = from_s + at, .u = from_u + at};
        char *work;
        VEL_TRY(VEL_ALLOC(ctx, work, vel_steady_work(gene.n)));
        vel_steady_fit(settings, 1, &gene, work, &fits[g]);
        vel_arena_release(ctx->scratch, mark);
    }
    return VEL_OK;
}

/* The genes of the sample that are marked as highly variable, if that counts. */
static vel_err variable_genes(vel_ctx *ctx, const vel_adata *ad, const vel_velocity_options *o, const sample *s,
                              uint8_t **variable) {
    static const char path[] = "var/highly_variable";
    vel_field f;
    *variable = NULL;
    if (vel_is_none(&o->use_highly_variable) || !vel_has(ad, path)) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, *variable, s->sel.n_vars));
    VEL_TRY(vel_peek(ctx, ad, path, &s->sel, &f));
    bool is_column = f.kind == VEL_DENSE && f.ndim == 1 && f.rows == s->sel.n_vars;
    for (int64_t g = 0; is_column && g < f.rows; g++) {
        double x = f.mask && f.mask[g] ? 0 : vel_field_real(&f, g);
        (*variable)[g] = x == x && x != 0;
    }
    vel_field_free(&f);
    return is_column ? VEL_OK : VEL_ENONE;
}

static bool is_layer_of(const vel_field *f, const sample *s) {
    return (f->kind == VEL_SPARSE || (f->kind == VEL_DENSE && f->ndim == 2 && f->gene_major)) &&
           f->rows == s->sel.n_obs && f->cols == s->sel.n_vars;
}

/* As choose_genes does it. Without velocity genes all count. */
static vel_err share_of(vel_ctx *ctx, const vel_steady_rule *rule, int64_t n, const vel_steady *fits, double *share) {
    double *work;
    uint8_t *genes;
    int64_t chosen = 0;
    VEL_TRY(VEL_ALLOC(ctx, work, n));
    VEL_TRY(VEL_ALLOC(ctx, genes, n));
    vel_steady_select(rule, n, fits, work, genes);
    for (int64_t g = 0; g < n; g++) chosen += genes[g];
    *share = chosen ? (double)chosen / (double)n : 1;
    return VEL_OK;
}

/* Of so few genes none may be left once all cells are seen: then those of the largest R2 are taken, whatever it is. */
static void beware_of_few(const vel_adata *ad, const sample *at, double *share) {
    bool all = at->sel.n_obs == vel_n_obs(ad) && at->sel.n_vars == vel_n_vars(ad);
    if (!all && *share * (double)at->sel.n_vars < FEW_GENES) *share = fmax(*share, SHARE_OF_LOW_SIGNAL);
}

static vel_err fit_sample(vel_ctx *ctx, const vel_adata *ad, const vel_velocity_options *o, const sample *at,
                          double *share) {
    vel_velocity_layers l = vel_velocity_layers_of(ad, o->use_raw);
    vel_steady_opts settings;
    vel_field s, u = {0};
    vel_steady *fits;
    uint8_t *variable;
    VEL_TRY(vel_velocity_settings(ctx, o, false, &settings));
    VEL_TRY(VEL_ALLOC(ctx, fits, at->sel.n_vars));
    VEL_TRY(variable_genes(ctx, ad, o, at, &variable));
    vel_err e = vel_peek(ctx, ad, l.s, &at->sel, &s);
    if (!e) e = vel_peek(ctx, ad, l.u, &at->sel, &u);
    if (!e && (!is_layer_of(&s, at) || !is_layer_of(&u, at))) e = VEL_ENONE;
    if (!e) e = fit(ctx, &settings, &s, &u, l.type, fits);
    vel_steady_rule rule = {vel_number_or(&o->min_r2, -INFINITY), VEL_MIN_RATIO, vel_steady_type(&settings, l.type),
                            variable};
    if (!e) e = share_of(ctx, &rule, s.cols, fits, share);
    if (!e) beware_of_few(ad, at, share);
    vel_field_free(&s);
    vel_field_free(&u);
    return e;
}

vel_err vel_velocity_share(vel_ctx *ctx, const vel_adata *ad, const void *opts, double *share) {
    const vel_velocity_options *o = opts;
    vel_velocity_layers l = vel_velocity_layers_of(ad, o->use_raw);
    sample at = {.sel = {0}};
    bool by_groups = o->groupby || !vel_is_none(&o->groups) || !vel_is_none(&o->groups_for_fit);
    if (by_groups || !strncmp(o->mode, "dynamical", strlen("dynamical"))) return VEL_ENONE;
    VEL_TRY(pick_sample(ad, &l, &at));
    return fit_sample(ctx, ad, o, &at, share);
}
