#include "core/pca.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/centered_many.h"
#include "core/eig.h"
#include "core/fused.h"
#include "core/gram.h"
#include "core/least.h"
#include "core/rng.h"

enum {
    DENSE_SIDE = 640, /* up to here a dense eigenproblem is quicker than Lanczos */
    /* Multiplications for it that take as long as an entry of X does in all products of Lanczos, a sparse one's or that
     * of a dense X gene by gene. Measured: a dense float64 X comes from memory, where float32 half stays in a cache.
     * One cell by cell is gone through twice and by columns. */
    WORTH_SPARSE = 8000,
    WORTH_F32 = 2300,
    WORTH_F64 = 7000,
    WORTH_CELLS = 40000,
    MOST_DENSE = 1 << 25, /* entries of a dense X that may be gone through so often: a larger one may lie in a file */
    CELLS_A_THREAD = 128, /* whose scores are there in double at a time */
};

/* The residual of an eigenpair over the eigenvalue: an error of this over the relative gap in the vector. */
static const double tolerance = 1e-11;

/* Xc Xc' or Xc' Xc, whichever is smaller. */
typedef struct {
    const vel_centered *c;
    vel_pca_way way;
    int64_t side;
    double *whole; /* side x side, or NULL: products go through X */
    double *other; /* a vector of the other side */
    double lift;   /* what Lanczos has the products times */
} cross;

static vel_err multiply(vel_ctx *ctx, const cross *a, const double *x, double *y) {
    if (a->whole) return vel_gram_apply(ctx, a->side, a->whole, x, y);
    if (!a->c->m->indptr && a->c->m->gene_major)
        return a->way.by_cells ? vel_fused_over_cells(ctx, a->c, x, y) : vel_fused_over_genes(ctx, a->c, x, y);
    if (!a->way.by_cells) return vel_centered_apply_gram(ctx, a->c, x, a->other, y);
    VEL_TRY(vel_centered_apply_t(ctx, a->c, x, a->other));
    return vel_centered_apply(ctx, a->c, a->other, y);
}

static vel_err apply(vel_ctx *ctx, void *arg, const double *x, double *y) {
    const cross *a = arg;
    VEL_TRY(multiply(ctx, a, x, y));
    for (int64_t i = 0; i < a->side; i++) y[i] *= a->lift;
    return VEL_OK;
}

/* To ARPACK eigenvalues below 4e-11 are as good as 0, and converged. Small values are lifted, by a power of two, such
 * that their sum is about 1. */
static double lift_of(const vel_centered *c) {
    int power;
    frexp(c->variance * (double)(c->n_obs - 1), &power);
    return power < 0 ? ldexp(1, power > -1000 ? -power : 1000) : 1;
}

static double worth_of(const vel_counts *m) {
    if (m->indptr) return WORTH_SPARSE;
    if (!m->gene_major) return WORTH_CELLS;
    return m->type == VEL_F32 ? WORTH_F32 : WORTH_F64;
}

vel_pca_way vel_pca_way_of(const vel_counts *m, int64_t n_genes, double stored, int64_t k) {
    vel_pca_way way = {.side = vel_least(m->rows, n_genes), .by_cells = m->rows < n_genes};
    double across = (double)(way.by_cells ? n_genes : m->rows), side = (double)way.side;
    double entries = m->indptr ? stored : side * across;
    bool worth = side * side * across <= worth_of(m) * entries || (!m->indptr && entries > MOST_DENSE);
    way.small = way.side <= DENSE_SIDE || 2 * k + 1 >= way.side;
    way.gram = way.small || (way.side <= VEL_PCA_GRAM_SIDE && worth);
    return way;
}

static vel_err form(vel_ctx *ctx, cross *a) {
    const vel_centered *c = a->c;
    if (!a->way.gram) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, a->whole, a->side * a->side));
    return a->way.by_cells ? vel_gram_cells(ctx, c, a->whole) : vel_gram_genes(ctx, c, a->whole);
}

/* The start is scanpy's: uniform on (-1, 1) from RandomState(0). */
static vel_err lanczos(vel_ctx *ctx, cross *a, int64_t k, double *values, double *vectors) {
    vel_rng r;
    double *start;
    VEL_TRY(VEL_ALLOC(ctx, start, a->side));
    vel_rng_seed_numpy(&r, 0);
    for (int64_t i = 0; i < a->side; i++) start[i] = -1 + 2 * vel_rng_uniform(&r);
    vel_operator op = {a->side, apply, a};
    return vel_eig_largest(ctx, &op, k, tolerance, start, values, vectors);
}

static vel_err eigen(vel_ctx *ctx, cross *a, int64_t k, double *values, double *vectors) {
    VEL_TRY(form(ctx, a));
    if (!a->way.small) return lanczos(ctx, a, k, values, vectors);
    return vel_blas_largest_eigen(ctx, a->side, a->whole, k, values, vectors);
}

static double norm(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* -1 if the entry of largest magnitude is negative. */
static double sign_of(const double *v, int64_t n) {
    int64_t most = 0;
    for (int64_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[most])) most = i;
    return v[most] < 0 ? -1 : 1;
}

/* loadings[genes * k] from the eigenvectors, of norm 1; 0 where there is no variance. */
static vel_err load(vel_ctx *ctx, const cross *a, int64_t k, double *vectors, double *loadings) {
    int64_t genes = a->c->n_genes;
    double *loading;
    VEL_TRY(VEL_ALLOC(ctx, loading, genes));
    for (int64_t j = 0; j < k; j++) {
        const double *vector = vectors + j * a->side;
        if (a->way.by_cells)
            VEL_TRY(vel_centered_apply_t(ctx, a->c, vector, loading));
        else
            memcpy(loading, vector, (size_t)genes * sizeof *loading);
        double length = norm(loading, genes), by = length > 0 ? sign_of(loading, genes) / length : 0;
        for (int64_t i = 0; i < genes; i++) loadings[i * k + j] = loading[i] * by;
    }
    return VEL_OK;
}

/* Scores of cells from first on, row by row, to their place; their squares are added to those of the cells before. */
static void keep_scores(const vel_mat *scores, int64_t first, int64_t count, const double *y, double *squares) {
    int64_t k = scores->cols;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < k; j++) {
            double score = y[i * k + j];
            int64_t at = (first + i) * scores->row_stride + j * scores->col_stride;
            squares[j] += score * score;
            if (scores->type == VEL_F32)
                ((float *)scores->data)[at] = (float)score;
            else
                ((double *)scores->data)[at] = score;
        }
}

static vel_err score(vel_ctx *ctx, const vel_centered *c, const double *loadings, const vel_mat *scores,
                     double *variance) {
    int64_t n = c->n_obs, k = scores->cols, room = (int64_t)CELLS_A_THREAD * ctx->threads;
    vel_centered_many many;
    double *y;
    if (room > n) room = n;
    VEL_TRY(vel_centered_many_make(ctx, c, k, loadings, &many));
    VEL_TRY(VEL_ALLOC(ctx, y, room * k));
    for (int64_t j = 0; j < k; j++) variance[j] = 0;
    for (int64_t first = 0; first < n; first += room) {
        int64_t count = vel_least(room, n - first);
        VEL_TRY(vel_centered_many_apply(ctx, &many, first, count, y));
        keep_scores(scores, first, count, y, variance);
    }
    for (int64_t j = 0; j < k; j++) variance[j] /= (double)(n - 1);
    return VEL_OK;
}

vel_err vel_pca(vel_ctx *ctx, const vel_centered *c, int64_t k, const vel_mat *scores, double *loadings,
                double *variance) {
    int64_t n = c->n_obs, genes = c->n_genes;
    vel_pca_way way = vel_pca_way_of(c->m, genes, (double)vel_counts_stored(c->m), k);
    cross a = {.c = c, .way = way, .side = way.side, .lift = lift_of(c)};
    double *values, *vectors;
    VEL_TRY(VEL_ALLOC(ctx, a.other, n > genes ? n : genes));
    VEL_TRY(VEL_ALLOC(ctx, values, k + 1));
    VEL_TRY(VEL_ALLOC(ctx, vectors, a.side * k));
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(eigen(ctx, &a, k, values, vectors));
    vel_arena_release(ctx->scratch, mark);
    vel_arena_trim(ctx->scratch);                                 /* the Gram matrix */
    double least = 64 * DBL_EPSILON * (double)a.side * values[0]; /* below it an eigenvalue is rounding */
    for (int64_t j = 0; j < k; j++)
        if (!(values[j] > least)) memset(vectors + j * a.side, 0, (size_t)a.side * sizeof *vectors);
    VEL_TRY(load(ctx, &a, k, vectors, loadings));
    return score(ctx, c, loadings, scores, variance);
}
