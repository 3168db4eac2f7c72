/* order.h - the order in which NumPy's default argsort leaves a few numbers, ties included.
 *
 * That sort is not stable, and ties among the vertices of a simplex are common. */
#ifndef VEL_CORE_ORDER_H
#define VEL_CORE_ORDER_H

enum { VEL_ORDER_MOST = 8 };

/* order[n]: the indices of f[n] ascending, n <= VEL_ORDER_MOST. Equal to numpy.argsort (2.2.6, AVX2 and AVX-512 alike)
 * on every pattern of ties, infinities and NaN: NaN last and then stable. */
void vel_order_network(const double *f, int n, int *order);

#endif
