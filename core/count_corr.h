/* count_corr.h - of each gene, the correlation over cells of its values with the number of genes seen in the cell.
 *
 *     r = (x.y - mean_y sum x - mean_x sum (y - mean_y))
 *         / sqrt((sum x^2 - 2 sum x mean_x + n mean_x^2) (sum y^2 - 2 sum y mean_y + n mean_y^2))
 *
 * Reference: scvelo 0.3.4, csr_vcorrcoef. */
#ifndef VEL_CORE_COUNT_CORR_H
#define VEL_CORE_COUNT_CORR_H

#include "core/counts.h"

/* corr[cols], rounded to four decimals; 0 / 0 gives NaN. The sums of x are in the type of m over cells in order, the
 * rest in double: as the reference does for sparse m. Parallel over runs of genes. */
vel_err vel_count_corr(vel_ctx *ctx, const vel_counts *m, double *corr) VEL_CHECKED;

#endif
