/* cosine.h - how well a cell's velocity points to other cells.
 *
 *     cos_ij = <d_ij, v_i> / (|d_ij| |v_i|),    d_ij = x_j - x_i  (or sign(x_j - x_i) sqrt|x_j - x_i|),
 *     d_ij and v_i centred over the genes
 *
 * All in float32, multiply and add rounded separately, in the orders of summation of the reference, which decide the
 * bits:
 *
 *     <d, v>      one gene after the other
 *     sum v^2     the same, within NumPy's buffers of VEL_SUM_CHUNK genes, then buffer after buffer
 *     mean of d   numpy.mean (sum.h)
 *     sum d^2     four lanes, gene g in lane g mod 4; of each whole block of 16 genes a lane takes its last element
 *                 first; then the remaining genes in order; (l0 + l1) + (l2 + l3)
 *
 * Source: Bergen et al. 2020, doi:10.1038/s41587-020-0591-3; reference: scvelo 0.3.4, cosine_correlation. */
#ifndef VEL_CORE_COSINE_H
#define VEL_CORE_COSINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"
#include "core/pieces.h"

/* Rows of expression are padded to whole vectors; what is in the padding does not matter, but it must be there. */
enum { VEL_COSINE_PAD = 16 };
static inline int64_t vel_cosine_stride(int64_t n_genes) {
    return (n_genes + VEL_COSINE_PAD - 1) / VEL_COSINE_PAD * VEL_COSINE_PAD;
}

/* The expression of every cell, cell after cell, or in pieces. */
typedef struct {
    const float *x;           /* element (cell, gene) is x[cell * stride + gene]; 64-byte aligned */
    int64_t n_genes;          /* >= 1 */
    int64_t stride;           /* vel_cosine_stride(n_genes) */
    bool sqrt_transform;      /* differences are replaced by their signed square roots */
    const vel_pieces *pieces; /* where the rows lie instead of x; NULL: in x */
} vel_cosine_space;

/* Prepares the velocity of one cell in place: signed square roots if asked for, then v -= mean v, the mean summed one
 * gene after the other. Returns |v|; v is all zero exactly if it has no direction. */
float vel_cosine_center(const vel_cosine_space *space, float *v);

/* cosines[m] of cell -> cells[m]. v[n_genes] and norm = |v| > 0 are as vel_cosine_center leaves them; 0 where the
 * cosine is not defined (the cell itself and its duplicates). work: vel_cosine_work() floats, 64-byte aligned. Cannot
 * fail. O(m n_genes). */
typedef struct {
    int64_t cell;
    const float *v;
    float norm;
    const int32_t *cells;
    int64_t m;
} vel_cosine_query;

/* d[n_genes]: the difference of two cells before centring. Returns its length, summed as said above. */
float vel_cosine_difference(const vel_cosine_space *space, int64_t from, int64_t to, float *d);

typedef void (*vel_cosine_body)(const vel_cosine_space *space, const vel_cosine_query *query, float *work,
                                float *cosines);

size_t vel_cosine_work(const vel_cosine_space *space);

/* The body for a level of the CPU; all give the same bits. The plain one defines them. */
vel_cosine_body vel_cosine_body_for(vel_cpu level);

void vel_cosines_plain(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *cosines);
void vel_cosines_avx2(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *cosines);
void vel_cosines_avx512(const vel_cosine_space *space, const vel_cosine_query *query, float *work, float *cosines);

#endif
