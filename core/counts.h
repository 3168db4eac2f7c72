/* counts.h - cells x genes as the file has them: sparse rows, or dense in either order. Tiles, sizes, gene sums.
 *
 * Sums are done in the type of the matrix, in the order that NumPy and SciPy do them. */
#ifndef VEL_CORE_COUNTS_H
#define VEL_CORE_COUNTS_H

#include <stdbool.h>

#include "core/ctx.h"
#include "core/mat.h"

/* A read-only view. Functions that change values take them once more as a writable array of the same layout. */
typedef struct {
    int64_t rows, cols;
    vel_type type; /* VEL_F32 or VEL_F64 */
    const void *values;
    const int64_t *indptr;  /* sparse: rows + 1; NULL: dense */
    const int32_t *indices; /* sparse: ascending in a row */
    bool gene_major;        /* dense: element (i, j) is values[j * rows + i], else values[i * cols + j] */
    bool by_columns;        /* sparse: the file stores columns; the reference then adds up in other ways */
} vel_counts;

/* Stored values: entries of a sparse matrix, rows * cols of a dense one. */
int64_t vel_counts_stored(const vel_counts *m);

/* x rounded to the type: arithmetic in double, rounded after each operation, equals arithmetic in float32. */
static inline double vel_rounded_to(vel_type type, double x) { return type == VEL_F32 ? (double)(float)x : x; }

static inline double vel_counts_value(const vel_counts *m, int64_t e) { return vel_real_at(m->type, m->values, e); }

/* Where the entries of row i with columns in [first, end) lie: [*from, *to). Sparse only; O(log entries). */
void vel_counts_range(const vel_counts *m, int64_t i, int64_t first, int64_t end, int64_t *from, int64_t *to);

/* Into how long runs of genes to cut sums over sparse rows that go on in parallel. Each run is looked for in every row,
 * so that they are to be long; what is kept of each gene is to lie near. */
int64_t vel_counts_genes_a_run(const vel_ctx *ctx, int64_t n_genes);

/* Rows [first, first + count) as doubles, row-major, tile[count * cols], zeros included. O(count * cols). */
void vel_counts_tile(const vel_counts *m, int64_t first, int64_t count, double *tile);

/* size_c = sum over genes of M_cg, in the type of M: sizes[rows] of m->type. Sparse rows as NumPy's reduceat (stored by
 * columns: from left to right), dense ones pairwise. Scratch: a tile a thread. */
vel_err vel_counts_sizes(vel_ctx *ctx, const vel_counts *m, void *sizes) VEL_CHECKED;

/* The same, with a look at the values on the way where they are stored by genes: *raw is true only if all of them are
 * finite, whole and not negative; it may be false if they are, too. */
vel_err vel_counts_survey(vel_ctx *ctx, const vel_counts *m, void *sizes, bool *raw) VEL_CHECKED;

/* The same over the genes with keep[g] only. */
vel_err vel_counts_sizes_of(vel_ctx *ctx, const vel_counts *m, const uint8_t *keep, void *sizes) VEL_CHECKED;

/* Over cells, of each gene: sum[cols], in the type of M and the order of cells; positive[cols]: cells with a value > 0.
 * Parallel over runs of genes. */
vel_err vel_counts_gene_sums(vel_ctx *ctx, const vel_counts *m, double *sum, int64_t *positive) VEL_CHECKED;

#endif
