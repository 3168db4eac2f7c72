/* curve_table.h - the fitted curves as a table of their own, outside cells x genes: points along the curve by fitted
 * genes.
 *
 *     uns/{key}_curves/genes                      names of the fitted genes
 *     uns/{key}_curves/t, alpha, unspliced, spliced   points x genes, float64
 *
 * The points are the cells' times in ascending order, or, extrapolated, 500 from 0 to the switch and 500 from there to
 * the last of them. Reference: scvelo 0.3.4, compute_dynamics(sort, extrapolate), which returns them. */
#ifndef VEL_PIPELINES_CURVE_TABLE_H
#define VEL_PIPELINES_CURVE_TABLE_H

#include "core/adata.h"
#include "core/curves.h"

enum { VEL_CURVE_COLUMNS = 4 };

typedef struct {
    bool extrapolate;
    int64_t points, width;           /* of each array; width: fitted genes */
    int64_t *column;                 /* of each gene, -1: not fitted */
    double *data[VEL_CURVE_COLUMNS]; /* t, alpha, unspliced, spliced; owned by the handle */
} vel_curve_table;

/* Makes the arrays for the genes whose alpha[n_vars] is no NaN. */
vel_err vel_curve_table_make(vel_ctx *ctx, vel_adata *ad, const char *key, const double *alpha, bool extrapolate,
                             vel_curve_table *table) VEL_CHECKED;

/* Fills the columns of gene g from its curve and the cells' times t[n]. */
vel_err vel_curve_table_fill(vel_ctx *ctx, const vel_curve_table *table, int64_t g, const vel_curve *curve, int64_t n,
                             const double *t) VEL_CHECKED;

#endif
