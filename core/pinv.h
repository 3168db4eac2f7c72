/* pinv.h - least-squares solution of a small symmetric system that may be singular.
 *
 *     x = A+ b,    A+ the Moore-Penrose inverse of A
 *
 * Eigenvalues below 1e-15 of the largest count as zero, as in numpy.linalg.pinv. */
#ifndef VEL_CORE_PINV_H
#define VEL_CORE_PINV_H

enum { VEL_PINV_MOST = 3 };

/* A[k][k] symmetric, positive semi-definite, k = 1 .. 3. NaN in A or b gives NaN. Cannot fail. */
void vel_pinv_solve(int k, const double a[VEL_PINV_MOST][VEL_PINV_MOST], const double *b, double *x);

#endif
