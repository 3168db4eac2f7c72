/* filter.h - which genes have enough counts, or are seen in enough cells.
 *
 *     keep_g = (lo <= sum over c of M_cg <= hi)  and  (lo' <= #{c : M_cg > 0} <= hi')
 *
 * Reference: scvelo 0.3.4, preprocessing.utils.filter_genes. */
#ifndef VEL_CORE_FILTER_H
#define VEL_CORE_FILTER_H

#include "core/counts.h"

/* Inclusive; -INFINITY and INFINITY: no bound. Rounded to the type of the matrix before comparing, as NumPy does. */
typedef struct {
    double min_counts, max_counts, min_cells, max_cells;
} vel_bounds;

/* keep[g] &= the genes within bounds, from vel_counts_gene_sums of a matrix of that type. */
void vel_filter_keep(const vel_bounds *b, vel_type type, int64_t n, const double *sum, const int64_t *positive,
                     uint8_t *keep);

/* The gene sums of the matrix H S + H U, where H = 1 if S > 0 and U > 0: counts that both layers share. Two views of
 * one shape; sum[cols] in the wider type of the two, which is returned in *type. Parallel over runs of genes if
 * both are of one type and storage, sparse or stored by genes. */
vel_err vel_filter_shared(vel_ctx *ctx, const vel_counts *s, const vel_counts *u, double *sum, int64_t *positive,
                          vel_type *type) VEL_CHECKED;

#endif
