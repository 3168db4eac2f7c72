/* layers.h - count matrices as the first steps of the pipeline need them: views, integers, what is wrong with them. */
#ifndef VEL_PIPELINES_LAYERS_H
#define VEL_PIPELINES_LAYERS_H

#include "core/adata.h"
#include "core/flaws.h"
#include "core/value.h"

/* The number that an option holds (VEL_OCOUNT, VEL_ONUMBER); `otherwise` for none. */
double vel_number_or(const vel_value *v, double otherwise);

bool vel_is_integer(vel_type t); /* bool among them */

/* A read-only view of X or a layer; good as long as the field is. */
vel_counts vel_counts_of(const vel_field *f);
vel_err vel_get_counts(vel_ctx *ctx, vel_adata *ad, const char *path, vel_counts *m) VEL_CHECKED;

/* The same, to be changed in place: *values is writable and may be shorter than it was. Integers become float32, once,
 * which is said. */
vel_err vel_edit_counts(vel_ctx *ctx, vel_adata *ad, const char *path, vel_counts *m, void **values) VEL_CHECKED;

/* VEL_ESHAPE if there are no cells or no genes. */
vel_err vel_check_not_empty(vel_ctx *ctx, const vel_adata *ad) VEL_CHECKED;

/* The first value of a matrix (m: of the path) with the flaw; row -1: there is none. What was found to be sound is not
 * looked at again until it is edited. */
vel_err vel_find_flaw(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m, vel_flaw flaw,
                      vel_flawed *found) VEL_CHECKED;

/* VEL_EVALUE names gene and cell of the first value that is NaN or infinite. */
vel_err vel_check_finite(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m) VEL_CHECKED;

/* Takes out the genes that have such a value in X or in one of both layers, and says so; negative values are warned of.
 * VEL_ENONE if no gene is left. */
vel_err vel_drop_bad_genes(vel_ctx *ctx, vel_adata *ad) VEL_CHECKED;

/* The same for one matrix, in which negative values are as good as any. */
vel_err vel_drop_not_finite(vel_ctx *ctx, vel_adata *ad, const char *path) VEL_CHECKED;

/* X; if the file has none it is made from layers/spliced, which is said. */
vel_err vel_need_x(vel_ctx *ctx, vel_adata *ad, vel_counts *m) VEL_CHECKED;

/* obs/initial_size of X, obs/initial_size_LAYER of both layers: written where the matrix is there and the column is
 * not. */
vel_err vel_set_initial_sizes(vel_ctx *ctx, vel_adata *ad) VEL_CHECKED;

/* vel_drop_bad_genes, then vel_set_initial_sizes. The sizes are taken first, since that shows in one pass that most
 * matrices have nothing bad, and again if genes go. */
vel_err vel_set_sound_sizes(vel_ctx *ctx, vel_adata *ad) VEL_CHECKED;

/* Room for sizes[rows] in the type of m, from ctx->scratch. */
vel_err vel_new_sizes(vel_ctx *ctx, const vel_counts *m, void **sizes) VEL_CHECKED;

/* sizes[rows] of m, the matrix of the path, in its type and ctx->scratch: vel_counts_survey. If all values are seen to
 * be sound on the way, vel_find_flaw need not look. */
vel_err vel_survey(vel_ctx *ctx, vel_adata *ad, const char *path, const vel_counts *m, void **sizes) VEL_CHECKED;

/* The sizes of cells as a column in the type of the matrix (integers: 64 bits). by_columns: the matrix was stored so
 * before it was changed. */
vel_err vel_put_sizes(vel_ctx *ctx, vel_adata *ad, const char *column, const char *matrix, bool by_columns) VEL_CHECKED;

#endif
