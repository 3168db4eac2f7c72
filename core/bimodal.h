/* bimodal.h - whether a sample has two modes, by a kernel density estimate on 30 points.
 *
 * A Gaussian kernel with Scott's bandwidth; the grid is split at the lowest density among its 14th to 17th points, the
 * upper peak is compared with the mean density above the split:
 *
 *     p = Phi(-(peak - mean) / max(std(density) / sqrt(30), 1))
 *
 * The order of sums and the roundings that can move a peak are the reference's; p itself depends there on the BLAS
 * library in its last digits. Reference: scvelo 0.3.4, test_bimodality(kde=True); SciPy 1.16, gaussian_kde. */
#ifndef VEL_CORE_BIMODAL_H
#define VEL_CORE_BIMODAL_H

#include "core/tagged.h"

typedef struct {
    double p;      /* small: two modes */
    vel_num lower; /* modes, in the units of x */
    vel_num upper;
} vel_bimodality;

/* Tests x[n]; false if there is nothing to test: fewer than two values, or no variance.
 * work: 3 n doubles. NaN in x: false. O(30 n) exp. */
bool vel_bimodality_test(int64_t n, vel_vec x, double *work, vel_bimodality *out);

#endif
