/* hvg.h - highly variable genes by normalised dispersion, flavour "seurat".
 *
 *     y = expm1(x),  mean = sum y / n,  var = (sum y^2 / n - mean^2) n / (n - 1)
 *     dispersion = log(var / mean),  mean := log1p(mean)
 *     norm = (dispersion - avg) / dev,  avg and dev over the genes of one of 20 equal bins of mean
 *
 * Source: Satija et al. 2015, doi:10.1038/nbt.3192. Reference: scanpy 1.11.5, pp.highly_variable_genes (with pandas'
 * cut and group statistics). Bit-equal to it. */
#ifndef VEL_CORE_HVG_H
#define VEL_CORE_HVG_H

#include "core/counts.h"

/* Of each gene, from logarithmised values: mean[cols], var[cols] (0 / 0 for one cell is left at var 0). Squares are
 * rounded to the type of m (but not if it is stored by columns), sums are in double over cells in order. log_base > 0:
 * the values are logarithms to that base; 0: natural. Parallel over runs of genes. */
vel_err vel_hvg_moments(vel_ctx *ctx, const vel_counts *m, double log_base, double *mean, double *var) VEL_CHECKED;

/* mean[n] and var[n] become the logarithmised mean and the dispersion (NaN where it is 0). */
void vel_hvg_dispersion(int64_t n, double *mean, double *var);

/* norm[n] from the two. A bin with one dispersion only gives 1. Scratch: O(bins). n >= 1, no NaN in mean. */
vel_err vel_hvg_normalize(vel_ctx *ctx, int64_t n, const double *mean, const double *dispersion, int n_bins,
                          double *norm) VEL_CHECKED;

/* The limits of scanpy for a choice without a number of genes: strict; NaN in norm counts as 0. */
typedef struct {
    double min_mean, max_mean, min_disp, max_disp;
} vel_hvg_limits;
void vel_hvg_within(int64_t n, const double *mean, const double *norm, const vel_hvg_limits *limits, uint8_t *chosen);

/* scanpy's choice of `top` genes: norm >= the top-th largest, so that ties may give more; NaN is never chosen. */
vel_err vel_hvg_top(vel_ctx *ctx, int64_t n, const double *norm, int64_t top, uint8_t *chosen) VEL_CHECKED;

/* Exactly min(top, n): ties in the order of genes, NaN last. */
vel_err vel_hvg_exactly(vel_ctx *ctx, int64_t n, const double *norm, int64_t top, uint8_t *chosen) VEL_CHECKED;

#endif
