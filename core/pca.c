#include "core/pca.h"

#include <float.h>
#include <math.h>

#include "core/blas.h"
#include "core/eig.h"
#include "core/rng.h"

enum { DENSE_SIDE = 640 }; /* up to here a dense eigenproblem is quicker than Lanczos */

/* The residual of an eigenpair over the eigenvalue: an error of this over the relative gap in the vector. */
static const double tolerance = 1e-11;

typedef struct {
    const vel_centered *c;
    bool by_cells; /* the operator acts on cells, else on genes */
    double *other; /* a vector of the other side */
} gram;

static vel_err apply_gram(vel_ctx *ctx, void *arg, const double *x, double *y) {
    const gram *g = arg;
    if (g->by_cells) {
        VEL_TRY(vel_centered_apply_t(ctx, g->c, x, g->other));
        return vel_centered_apply(ctx, g->c, g->other, y);
    }
    return vel_centered_apply_gram(ctx, g->c, x, g->other, y);
}

static vel_err dense(vel_ctx *ctx, const gram *g, int64_t side, int64_t k, double *values, double *vectors) {
    double *a;
    VEL_TRY(VEL_ALLOC(ctx, a, side * side));
    VEL_TRY(g->by_cells ? vel_centered_gram_cells(ctx, g->c, a) : vel_centered_gram_genes(ctx, g->c, a));
    return vel_blas_largest_eigen(ctx, side, a, k, values, vectors);
}

/* The start is scanpy's: uniform on (-1, 1) from RandomState(0). */
static vel_err lanczos(vel_ctx *ctx, gram *g, int64_t side, int64_t k, double *values, double *vectors) {
    vel_rng r;
    double *start;
    VEL_TRY(VEL_ALLOC(ctx, start, side));
    vel_rng_seed_numpy(&r, 0);
    for (int64_t i = 0; i < side; i++) start[i] = -1 + 2 * vel_rng_uniform(&r);
    vel_operator a = {side, apply_gram, g};
    return vel_eig_largest(ctx, &a, k, tolerance, start, values, vectors);
}

static double norm(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void scale(double *x, int64_t n, double by) {
    for (int64_t i = 0; i < n; i++) x[i] *= by;
}

/* -1 if the entry of largest magnitude is negative. */
static double sign_of(const double *v, int64_t n) {
    int64_t most = 0;
    for (int64_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[most])) most = i;
    return v[most] < 0 ? -1 : 1;
}

/* The loading of one eigenvector, of norm 1, and the score that belongs to it. */
static vel_err both_sides(vel_ctx *ctx, const gram *g, const double *vector, double *loading, double *score) {
    int64_t genes = g->c->n_genes;
    if (g->by_cells)
        VEL_TRY(vel_centered_apply_t(ctx, g->c, vector, loading));
    else
        for (int64_t i = 0; i < genes; i++) loading[i] = vector[i];
    double length = norm(loading, genes);
    scale(loading, genes, length > 0 ? sign_of(loading, genes) / length : 0);
    VEL_TRY(vel_centered_apply(ctx, g->c, loading, score));
    return VEL_OK;
}

vel_err vel_pca(vel_ctx *ctx, const vel_centered *c, int64_t k, double *scores, double *loadings, double *variance) {
    int64_t n = c->n_obs, genes = c->n_genes, side = n < genes ? n : genes;
    gram g = {.c = c, .by_cells = n < genes};
    double *values, *vectors, *loading, *score;
    VEL_TRY(VEL_ALLOC(ctx, g.other, n > genes ? n : genes));
    VEL_TRY(VEL_ALLOC(ctx, values, k + 1));
    VEL_TRY(VEL_ALLOC(ctx, vectors, side * k));
    VEL_TRY(VEL_ALLOC(ctx, loading, genes));
    VEL_TRY(VEL_ALLOC(ctx, score, n));
    bool small = side <= DENSE_SIDE || 2 * k + 1 >= side;
    VEL_TRY(small ? dense(ctx, &g, side, k, values, vectors) : lanczos(ctx, &g, side, k, values, vectors));
    double least = 64 * DBL_EPSILON * (double)side * values[0]; /* below it an eigenvalue is rounding */
    for (int64_t j = 0; j < k; j++) {
        if (!(values[j] > least))
            for (int64_t i = 0; i < side; i++) vectors[j * side + i] = 0;
        VEL_TRY(both_sides(ctx, &g, vectors + j * side, loading, score));
        for (int64_t i = 0; i < genes; i++) loadings[i * k + j] = loading[i];
        for (int64_t i = 0; i < n; i++) scores[i * k + j] = score[i];
        double s = norm(score, n);
        variance[j] = s * s / (double)(n - 1);
    }
    return VEL_OK;
}
