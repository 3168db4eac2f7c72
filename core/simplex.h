/* simplex.h - Nelder and Mead's search for a minimum, as SciPy does it.
 *
 * Coefficients 1, 2, 1/2, 1/2; no bounds; evaluations not limited. All arithmetic on vertices is rounded to single
 * precision if every entry of the start is single, else double. Vertices are ordered as NumPy orders them
 * (core/order.h): ties are common, since a parameter may have no effect. Source: Nelder, Mead 1965,
 * doi:10.1093/comjnl/7.4.308. Reference: SciPy 1.16 _minimize_neldermead. */
#ifndef VEL_CORE_SIMPLEX_H
#define VEL_CORE_SIMPLEX_H

#include "core/tagged.h"

enum { VEL_SIMPLEX_MOST = 4 }; /* parameters */

typedef struct {
    int n;              /* parameters, 1 .. VEL_SIMPLEX_MOST */
    int64_t iterations; /* the counter's limit: one less are made; 0 or 1: only the first simplex is evaluated */
    double tolerance;   /* of vertices and of values alike */
    double (*f)(void *arg, const vel_num *x);
    void (*after)(void *arg, const vel_num *best); /* called after each iteration; NULL: not */
    void *arg;
} vel_simplex;

/* x[n]: the start, replaced by the best vertex. Returns the iterations made. A NaN value of f is the worst. */
int64_t vel_simplex_search(const vel_simplex *problem, vel_num *x);

#endif
