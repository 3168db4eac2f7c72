/* What principal components take beside the fields, in a step that makes them or runs within itself one that does. */
#include <math.h>
#include <string.h>

#include "core/pca.h"
#include "pipelines/estimate_impl.h"

/* Of linear algebra: its code, where the eigenproblem is solved whole and where ARPACK does it, and buffers of a
 * thread, which stay: two panels of rows, 128 values each. */
enum { CODE_WHOLE = 3 << 17, CODE_LANCZOS = 17 << 16, PANEL_ROWS = 128, OTHER_ROWS = 512, ROW = 128 * sizeof(double) };
/* Of its side, in bytes: a tile of 128 cells or genes and parts of products; of a matrix of which half is touched the
 * pages that the diagonal cuts; a dense eigenproblem's work. */
enum { TILE = 128 * 8 + 8 * 8, CUT_PAGES = 1 << 11, DENSE_WORK = 40 * 8 };
/* Of a gene of a sparse matrix parts of sums. Cells a thread whose scores are there in double; cells and genes of a
 * dense matrix that are taken together. */
enum { PARTS = 33 * 8, SCORES = 128, TILE_CELLS = 64, TILE_GENES = 32 };

/* The matrix that they are of. */
typedef struct {
    double n_obs, n_genes, k;
    bool sparse;
    vel_pca_way way;
} problem;

static bool makes_components(const vel_tally *t, const vel_planned *s) {
    bool any = vel_planned_work(t, s)->components;
    const vel_step *other;
    for (int k = 0; (other = vel_tally_within(t, s, &k));) any |= other->work.components;
    return any;
}

/* Which genes it takes may be told by a column that is there by then. */
static bool may_be_fewer_genes(const vel_tally *t, const vel_planned *before) {
    static const char path[] = "var/highly_variable";
    bool any = t->ad && vel_has(t->ad, path);
    for (const vel_planned *s = t->plan->steps; s < before; s++) any |= vel_planned_writes(s, path);
    return any;
}

/* Of fewer genes the Gram matrix may be worth its while. */
static problem problem_of(vel_tally *t, const vel_planned *s) {
    static const int64_t some = 0;
    problem p = {t->n_obs, t->n_vars * t->most_share, vel_tally_components(t, s), false, {0}};
    const vel_held *x = vel_tally_find(t, "X");
    double stored = x && x->value == 0 ? x->bytes / (x->width + sizeof(int32_t)) : p.n_obs * p.n_genes;
    p.sparse = x && x->value == 0;
    vel_counts m = {.rows = (int64_t)p.n_obs,
                    .cols = (int64_t)p.n_genes,
                    .type = vel_tally_width(t, s, &(vel_key){0}) > 4 ? VEL_F64 : VEL_F32,
                    .indptr = p.sparse ? &some : NULL,
                    .gene_major = !p.sparse};
    p.way = vel_pca_way_of(&m, m.cols, stored, (int64_t)p.k);
    if (!p.way.gram && may_be_fewer_genes(t, s)) {
        p.way.side = (int64_t)fmin((double)p.way.side, VEL_PCA_GRAM_SIDE);
        p.way.gram = true;
    }
    return p;
}

double vel_tally_lasting_of_components(vel_tally *t, const vel_planned *s) {
    if (!makes_components(t, s)) return 0;
    double side = fmin(t->n_obs, t->n_vars), rows = fmin(side, PANEL_ROWS) + fmin(side, OTHER_ROWS);
    return (problem_of(t, s).way.small ? CODE_WHOLE : CODE_LANCZOS) + t->threads * rows * ROW;
}

static double of_scores(const vel_tally *t, const problem *p) {
    double cells = fmin(p->n_obs, (double)SCORES * t->threads), tiles = fmin(p->n_obs, (double)TILE_CELLS * t->threads);
    return sizeof(double) * (cells * p->k + (p->sparse ? 0 : (TILE_GENES + p->k) * tiles));
}

static double of_eigenvectors(const problem *p) {
    double side = (double)p->way.side, basis = fmin(fmax(2 * p->k + 1, 20), side) * sizeof(double);
    if (p->way.small) return side * (side * sizeof(double) + TILE + DENSE_WORK);
    return side * (basis + (p->way.gram ? side * sizeof(double) / 2 + TILE + CUT_PAGES : 0));
}

double vel_tally_components_at_first(vel_tally *t, const vel_planned *s) {
    if (!makes_components(t, s)) return 0;
    problem p = problem_of(t, s);
    return fmax(of_eigenvectors(&p), of_scores(t, &p));
}

double vel_tally_components_beside(vel_tally *t, const vel_planned *s) {
    if (!makes_components(t, s)) return 0;
    problem p = problem_of(t, s);
    return sizeof(double) * (fmax(p.n_obs, p.n_genes) + p.k * (p.n_genes + (double)p.way.side)) +
           (p.sparse ? PARTS * p.n_genes : 0);
}
