/* mat.h - element types and matrix views. A view borrows: whoever made the array owns it.
 *
 * The type tells the direction: a vel_cmat is read, a vel_mat is written. */
#ifndef VEL_CORE_MAT_H
#define VEL_CORE_MAT_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    VEL_NOTYPE,
    VEL_BOOL, /* one byte, 0 or 1 */
    VEL_I8,
    VEL_I16,
    VEL_I32,
    VEL_I64,
    VEL_U8,
    VEL_U16,
    VEL_U32,
    VEL_U64,
    VEL_F16, /* only as the type of an array in a file */
    VEL_F32,
    VEL_F64,
} vel_type;

size_t vel_type_size(vel_type t);
const char *vel_type_name(vel_type t); /* numpy's: "float32" */

/* What the elements of a matrix become when they are read from a file: float64 of integers of 32 bits and more and of
 * float64, float32 of all others. */
vel_type vel_loaded_type(vel_type in_file);

/* Element e of an array of float32 or float64. */
static inline double vel_real_at(vel_type type, const void *x, int64_t e) {
    return type == VEL_F32 ? (double)((const float *)x)[e] : ((const double *)x)[e];
}

/* Element (i, j) is data[i * row_stride + j * col_stride]; strides in elements. */
typedef struct {
    const void *data;
    vel_type type; /* VEL_F32 or VEL_F64 */
    int64_t rows, cols, row_stride, col_stride;
} vel_cmat;

/* Element (i, j) of a matrix of float32 or float64. */
static inline double vel_cmat_at(const vel_cmat *x, int64_t i, int64_t j) {
    return vel_real_at(x->type, x->data, i * x->row_stride + j * x->col_stride);
}

typedef struct {
    void *data;
    vel_type type;
    int64_t rows, cols, row_stride, col_stride;
} vel_mat;

/* Compressed sparse rows, columns ascending in a row, no column twice. values is NULL for a bare pattern. */
typedef struct {
    int64_t rows, cols;
    const int64_t *indptr;  /* rows + 1 */
    const int32_t *indices; /* indptr[rows] */
    const void *values;     /* indptr[rows] of type */
    vel_type type;          /* VEL_F32 or VEL_F64 */
} vel_csr;

#endif
