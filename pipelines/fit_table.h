/* fit_table.h - the fits of all genes as an AnnData holds them: columns of var, losses of varm, a word on each gene.
 *
 *     var   fit_alpha … fit_variance, fit_alignment_scaling   float64, NaN where not fitted
 *           fit_status                                         fitted, or why not
 *     varm  loss                                               float64, padded with NaN
 *
 * Genes that are not fitted again keep what they had. Reference: scvelo 0.3.4, recover_dynamics. */
#ifndef VEL_PIPELINES_FIT_TABLE_H
#define VEL_PIPELINES_FIT_TABLE_H

#include "core/adata.h"
#include "core/dynamics.h"

enum { VEL_FIT_COLUMNS = 14, VEL_NOT_SELECTED = VEL_FIT_STATUSES };

typedef struct {
    int64_t n; /* genes of the AnnData */
    double *column[VEL_FIT_COLUMNS];
    double *alignment;   /* fit_alignment_scaling; NULL: the fit is not aligned */
    int32_t *status;     /* a vel_fit_status, or VEL_NOT_SELECTED */
    double *loss;        /* n rows of room */
    int64_t room, width; /* losses a gene at most; width of the widest, the present varm/loss included */
} vel_fit_table;

/* What is there already; NaN and VEL_NOT_SELECTED elsewhere. room: losses a fit can have. From ctx->scratch. */
vel_err vel_fit_table_read(vel_ctx *ctx, vel_adata *ad, int64_t room, bool aligned, vel_fit_table *table) VEL_CHECKED;

/* Keeps one gene's fit; m: its alignment factor. Different genes may be set at once by different threads. */
void vel_fit_table_set(vel_fit_table *table, int64_t gene, const vel_dynamics_solution *solution, int64_t losses,
                       double m);

/* Writes everything. */
vel_err vel_fit_table_write(vel_ctx *ctx, vel_adata *ad, const vel_fit_table *table) VEL_CHECKED;

#endif
