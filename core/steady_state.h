/* steady_state.h - velocity of one gene from its steady-state line (the deterministic model).
 *
 *     u = gamma s + o      fitted to the cells of the extreme quantiles (extremes.h), all cells weighing the same
 *     v_c = u_c - gamma s_c - o,     R2 = 1 - sum v_c^2 / sum (u_c - mean u)^2
 *
 * Sums run over the cells in order, multiply and add rounded separately in the type of the data; a line with an offset
 * is then finished in double. Source: La Manno et al. 2018, doi:10.1038/s41586-018-0414-6; reference: scvelo 0.3.4,
 * Velocity.compute_deterministic. */
#ifndef VEL_CORE_STEADY_STATE_H
#define VEL_CORE_STEADY_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/extremes.h"
#include "core/mat.h"

/* One gene over all cells. */
typedef struct {
    int64_t n;
    vel_type type;     /* of u and s: VEL_F32 or VEL_F64 */
    const void *u, *s; /* n each, contiguous: unspliced and spliced abundance */
} vel_gene_data;

typedef struct {
    vel_extremes extremes;
    bool offset;        /* fit o too; it is kept >= 0 */
    bool r2_adjusted;   /* R2 of a line through all cells instead of the extreme ones */
    bool r2_alone;      /* with r2_adjusted: nothing else is wanted; the rest is 0 */
    double least_ratio; /* gamma is clipped to [least_ratio, most_ratio]: -INFINITY, INFINITY: free */
    double most_ratio;
    const uint8_t *fit_cells; /* n: the line is fitted to these only; NULL: all */
} vel_steady_opts;

/* The defaults of the reference: the upper 5 %, no offset, free ratio. */
vel_steady_opts vel_steady_defaults(void);

typedef struct {
    double gamma, offset; /* gamma holds a float32 value, unless vel_steady_type says otherwise */
    double r2;            /* 0 where it is not defined */
    bool any_u, any_s;    /* some cell has u > 0, s > 0 */
} vel_steady;

/* The type in which gamma and the velocities of such a fit are: VEL_F64 for double data or with an offset. */
vel_type vel_steady_type(const vel_steady_opts *opts, vel_type data);

/* Bytes of work that a fit of n cells needs. */
size_t vel_steady_work(int64_t n);

/* Genes that may be fitted together: sums of several go on side by side, which is faster than one after the other. */
enum { VEL_STEADY_GENES = 4 };

/* Fits genes[n_genes], 1 <= n_genes <= VEL_STEADY_GENES, of one n and type: fits[n_genes]. work: vel_steady_work(n)
 * bytes, 64-byte aligned, overwritten. NaN among the data of a gene gives it gamma 0 and R2 0. Cannot fail. O(n). */
void vel_steady_fit(const vel_steady_opts *opts, int n_genes, const vel_gene_data *genes, void *work, vel_steady *fits);

/* v[n] = u - gamma s - offset, in type (vel_steady_type). v must not overlap u or s. */
void vel_steady_velocity(const vel_gene_data *gene, double gamma, double offset, vel_type type, void *v);

/* Which genes have a steady-state line worth following:
 *     R2 > min_r2,  gamma > min_ratio,  some u > 0,  some s > 0,  highly variable
 * If fewer than two are left, R2 alone decides: above its own 80th percentile. */
typedef struct {
    double min_r2, min_ratio;
    vel_type type;                  /* of gamma: min_ratio is rounded to it */
    const uint8_t *highly_variable; /* n_genes; NULL: does not matter */
} vel_steady_rule;

/* genes[n_genes] out; work[n_genes] overwritten. Returns the limit on R2 that was used: rule->min_r2, or what it had to
 * be lowered (or raised) to. O(n_genes log n_genes) at worst. */
double vel_steady_select(const vel_steady_rule *rule, int64_t n_genes, const vel_steady *fits, double *work,
                         uint8_t *genes);

#endif
