#include "core/fused.h"

#include <string.h>

#include "core/least.h"
#include "core/panel.h"
#include "core/par.h"

enum { PARTS = 16, RUN = VEL_PANEL_COLS, RUNS_AT_ONCE = 8, GROUP = VEL_PANEL_ROWS };

typedef struct {
    const vel_centered *c;
    vel_panel_bodies bodies;
    const double *v;
    int64_t size;       /* of a part */
    double *parts;      /* PARTS x size */
    double sums[PARTS]; /* of what the means are taken times; over cells: of the means times that */
    double shift;       /* mean . v, or the sum of v */
} job;

static int64_t runs_of(const vel_centered *c) { return (c->n_obs + RUN - 1) / RUN; }
static int64_t groups_of(const vel_centered *c) { return (c->n_genes + GROUP - 1) / GROUP; }

/* A group of genes: where their rows begin. */
typedef struct {
    int64_t gene, n;
    const void *row[GROUP];
} group;

static group group_at(const vel_centered *c, int64_t gene) {
    group of = {.gene = gene, .n = vel_least(GROUP, c->n_genes - gene)};
    int64_t size = (int64_t)vel_type_size(c->m->type);
    for (int64_t g = 0; g < of.n; g++) of.row[g] = (const char *)c->m->values + c->genes[gene + g] * c->m->rows * size;
    return of;
}

static vel_panel panel_of(const vel_centered *c, const group *of, int64_t run) {
    return (vel_panel){c->m->type, of->row, of->n, run * RUN, vel_least(RUN, c->n_obs - run * RUN)};
}

static vel_err start(vel_ctx *ctx, const vel_centered *c, const double *v, int64_t size, job *a) {
    *a = (job){.c = c, .bodies = vel_panel_at(vel_cpu_level()), .v = v, .size = size};
    return VEL_ALLOC(ctx, a->parts, PARTS * size);
}

static double total(const job *a, int64_t i) {
    double sum = 0;
    for (int p = 0; p < PARTS; p++) sum += a->parts[p * a->size + i];
    return sum;
}

static double sum_of(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

/* ---- over genes */

/* Runs first .. end - 1, at most RUNS_AT_ONCE. A group of genes is gone through over all of them, such that memory is
 * read in order. */
static void runs_over_genes(const job *a, int64_t first, int64_t end, double *part, double *sum) {
    const vel_centered *c = a->c;
    int64_t cells = vel_least(end * RUN, c->n_obs) - first * RUN;
    double y[RUNS_AT_ONCE * RUN];
    for (int64_t i = 0; i < cells; i++) y[i] = -a->shift;
    for (int64_t gene = 0; gene < c->n_genes; gene += GROUP) {
        group of = group_at(c, gene);
        for (int64_t run = first; run < end; run++) {
            vel_panel panel = panel_of(c, &of, run);
            vel_panel_add(&a->bodies, &panel, a->v + gene, y + (run - first) * RUN);
        }
    }
    *sum += sum_of(y, cells);
    for (int64_t gene = 0; gene < c->n_genes; gene += GROUP) {
        group of = group_at(c, gene);
        for (int64_t run = first; run < end; run++) {
            vel_panel panel = panel_of(c, &of, run);
            vel_panel_dot(&a->bodies, &panel, y + (run - first) * RUN, part + gene);
        }
    }
}

static vel_err part_over_genes(vel_ctx *ctx, int64_t p, void *arg) {
    job *a = arg;
    int64_t n = runs_of(a->c), end = (p + 1) * n / PARTS;
    double *part = memset(a->parts + p * a->size, 0, (size_t)a->size * sizeof *part);
    (void)ctx;
    for (int64_t first = p * n / PARTS; first < end; first += RUNS_AT_ONCE)
        runs_over_genes(a, first, vel_least(first + RUNS_AT_ONCE, end), part, &a->sums[p]);
    return VEL_OK;
}

vel_err vel_fused_over_genes(vel_ctx *ctx, const vel_centered *c, const double *v, double *w) {
    job a;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(start(ctx, c, v, c->n_genes, &a));
    for (int64_t g = 0; g < c->n_genes; g++) a.shift += c->mean[g] * v[g];
    VEL_TRY(vel_for(ctx, NULL, PARTS, part_over_genes, &a));
    double sum = sum_of(a.sums, PARTS);
    for (int64_t g = 0; g < c->n_genes; g++) w[g] = total(&a, g) - c->mean[g] * sum;
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* ---- over cells */

static vel_err part_over_cells(vel_ctx *ctx, int64_t p, void *arg) {
    job *a = arg;
    const vel_centered *c = a->c;
    int64_t n = groups_of(c);
    double *part = memset(a->parts + p * a->size, 0, (size_t)a->size * sizeof *part);
    (void)ctx;
    for (int64_t item = p * n / PARTS; item < (p + 1) * n / PARTS; item++) {
        group of = group_at(c, item * GROUP);
        double z[GROUP] = {0};
        for (int64_t run = 0; run < runs_of(c); run++) {
            vel_panel panel = panel_of(c, &of, run);
            vel_panel_dot(&a->bodies, &panel, a->v + run * RUN, z);
        }
        for (int64_t g = 0; g < of.n; g++) {
            z[g] -= c->mean[of.gene + g] * a->shift;
            a->sums[p] += c->mean[of.gene + g] * z[g];
        }
        for (int64_t run = 0; run < runs_of(c); run++) {
            vel_panel panel = panel_of(c, &of, run);
            vel_panel_add(&a->bodies, &panel, z, part + run * RUN);
        }
    }
    return VEL_OK;
}

vel_err vel_fused_over_cells(vel_ctx *ctx, const vel_centered *c, const double *v, double *w) {
    job a;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(start(ctx, c, v, c->n_obs, &a));
    a.shift = sum_of(v, c->n_obs);
    VEL_TRY(vel_for(ctx, NULL, PARTS, part_over_cells, &a));
    double sum = sum_of(a.sums, PARTS);
    for (int64_t i = 0; i < c->n_obs; i++) w[i] = total(&a, i) - sum;
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
