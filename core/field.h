/* field.h - the memory of fields: making, packing, cutting, freeing.
 *
 * A field owns its arrays, each from malloc (data and indices of large ones from ctx->spill, if there is one); strings
 * lie behind their pointers in the same allocation, so that one free gives them back and cutting moves only pointers.
 * Stores and the handle make fields with these functions. */
#ifndef VEL_CORE_FIELD_H
#define VEL_CORE_FIELD_H

#include "core/adata.h"

/* Zeroed memory of n elements, to be given to a field; never NULL with VEL_OK. n comes from files: it is checked. */
vel_err vel_own(vel_ctx *ctx, int64_t n, size_t size, void *ptr) VEL_CHECKED; /* ptr: address of the pointer */

/* Gives everything back and leaves VEL_ABSENT. */
void vel_field_free(vel_field *f);

/* Each makes a whole field; on failure *f is VEL_ABSENT. Arrays are zeroed. */
vel_err vel_field_dense(vel_ctx *ctx, vel_type type, vel_extent extent, vel_field *f) VEL_CHECKED;
vel_err vel_field_sparse(vel_ctx *ctx, vel_type type, vel_extent extent, int64_t stored, vel_field *f) VEL_CHECKED;
vel_err vel_field_texts(vel_ctx *ctx, const char *const *texts, int64_t n, vel_field *f) VEL_CHECKED; /* n < 0: one */
vel_err vel_field_categorical(vel_ctx *ctx, int64_t n, const char *const *categories, int64_t n_categories,
                              vel_field *f) VEL_CHECKED;

/* Pointers and characters in one allocation; NULL strings stay NULL. */
vel_err vel_pack_texts(vel_ctx *ctx, const char *const *texts, int64_t n, char ***packed) VEL_CHECKED;

/* places[n]: how many flags are set below each that is set; -1 for the others. */
void vel_field_places(const uint8_t *keep, int64_t n, int32_t *places);

/* Keeps the rows whose flag is set and the columns that have a place (NULL: all), in place. Cannot fail. O(stored). */
void vel_field_cut(vel_field *f, const uint8_t *keep_rows, const int32_t *places);

/* Elements of data: of a sparse matrix its entries. */
static inline int64_t vel_field_elements(const vel_field *f) {
    return f->kind == VEL_SPARSE ? f->indptr[f->rows] : f->rows * f->cols;
}

/* The elements from .. from + n - 1 of data (and indices) are gone through next: spilled ones are fetched meanwhile. */
void vel_field_want(const vel_field *f, int64_t from, int64_t n);

/* They are not needed for a while: spilled ones may leave RAM. */
void vel_field_rest(const vel_field *f, int64_t from, int64_t n);

/* Sorts the columns of every row and adds up the values of a column that comes twice, in file order. */
vel_err vel_field_canonical(vel_ctx *ctx, vel_field *f) VEL_CHECKED;

/* Element i of a dense field as a double; a bool is 0 or 1. */
double vel_field_real(const vel_field *f, int64_t i);

#endif
