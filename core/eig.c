#include "core/eig.h"

#include <arpack/arpack.h>
#include <string.h>

#include "core/blas.h"

enum { MOST_RESTARTS = 3000, DONE = 99, MOST_BASIS = 46336 /* its square, and eight times it, in 32 bits */ };

typedef struct {
    a_int n, k, basis, room;
    double tolerance;
    double *residual, *v, *work, *space;
    a_int params[11], places[11];
} lanczos;

static vel_err prepare(vel_ctx *ctx, const vel_operator *a, int64_t k, double tolerance, double *start, lanczos *l) {
    int64_t basis = 2 * k + 1 > 20 ? 2 * k + 1 : 20;
    if (basis > a->n) basis = a->n;
    if (basis > MOST_BASIS)
        return vel_fail(ctx, VEL_ENONE, "%lld eigenvalues are more than ARPACK can find", (long long)k);
    *l = (lanczos){.n = (a_int)a->n,
                   .k = (a_int)k,
                   .basis = (a_int)basis,
                   .room = (a_int)(basis * (basis + 8)),
                   .tolerance = tolerance,
                   .residual = start};
    l->params[0] = 1; /* exact shifts */
    l->params[2] = MOST_RESTARTS;
    l->params[3] = 1;
    l->params[6] = 1; /* A x = lambda x */
    VEL_TRY(VEL_ALLOC(ctx, l->v, a->n * basis));
    VEL_TRY(VEL_ALLOC(ctx, l->work, 3 * a->n));
    return VEL_ALLOC(ctx, l->space, l->room);
}

static vel_err iterate(vel_ctx *ctx, const vel_operator *a, lanczos *l) {
    a_int ido = 0, info = 1; /* info 1: start with the residual given */
    for (;;) {
        dsaupd_c(&ido, "I", l->n, "LA", l->k, l->tolerance, l->residual, l->basis, l->v, l->n, l->params, l->places,
                 l->work, l->space, l->room, &info);
        if (ido == DONE) break;
        VEL_TRY(a->apply(ctx, a->arg, l->work + l->places[0] - 1, l->work + l->places[1] - 1));
        VEL_TRY(vel_poll(ctx));
    }
    if (info == 0) return VEL_OK;
    return vel_fail(ctx, VEL_ENONE, "%d eigenvalues of an operator on %d dimensions: ARPACK says %d, %d converged",
                    (int)l->k, (int)l->n, (int)info, (int)l->params[4]);
}

static void reverse(int64_t n, int64_t k, double *values, double *vectors, double *work) {
    for (int64_t i = 0, j = k - 1; i < j; i++, j--) {
        double value = values[i];
        values[i] = values[j];
        values[j] = value;
        memcpy(work, vectors + i * n, (size_t)n * sizeof *work);
        memcpy(vectors + i * n, vectors + j * n, (size_t)n * sizeof *work);
        memcpy(vectors + j * n, work, (size_t)n * sizeof *work);
    }
}

vel_err vel_eig_largest(vel_ctx *ctx, const vel_operator *a, int64_t k, double tolerance, double *start, double *values,
                        double *vectors) {
    lanczos l;
    a_int *select, info = 0;
    VEL_TRY(prepare(ctx, a, k, tolerance, start, &l));
    VEL_TRY(VEL_ZALLOC(ctx, select, l.basis));
    vel_blas_one_thread();
    VEL_TRY(iterate(ctx, a, &l));
    dseupd_c(1, "A", select, values, vectors, l.n, 0, "I", l.n, "LA", l.k, tolerance, l.residual, l.basis, l.v, l.n,
             l.params, l.places, l.work, l.space, l.room, &info);
    if (info) return vel_fail(ctx, VEL_ENONE, "eigenvectors: ARPACK says %d", (int)info);
    reverse(a->n, k, values, vectors, l.work); /* they come ascending */
    return VEL_OK;
}
