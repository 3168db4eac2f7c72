/* h5_pack.h - arrays written compressed: filled, shuffled and compressed by all threads, put in the file by one, in
 * one order. HDF5 itself compresses one chunk after the other, and with zlib. */
#ifndef VEL_IO_H5_PACK_H
#define VEL_IO_H5_PACK_H

#include <hdf5.h>

#include "core/field.h"
#include "io/packing.h"

/* What is written: element (i, j) is elements[i * cols + j], or elements[j * rows + i] if it is turned. */
typedef struct {
    const void *elements;
    int ndim; /* 1: cols is 1 */
    int64_t rows, cols;
    size_t size;             /* of an element: as it will lie in the file */
    bool turned;             /* then size is 4 or 8 */
    const vel_field *owner;  /* whose pages may leave RAM behind the writing if it is spilled; NULL: none */
    const char *name, *file; /* for messages */
} vel_h5_array;

/* Chunks and filters of a dataset to be made, in `list`: bytes shuffled, then gzip or lzf. Chunks hold 128 kB, 256 kB
 * of a vector, so that eight and more fit into HDF5's cache, and of a matrix 256 rows or more, so that rows and columns
 * are both read without opening all. False: it stays as it is, since nothing is wanted or the array is below 4 kB. */
bool vel_h5_pack_layout(hid_t list, const vel_packing *packing, const vel_h5_array *a);

/* Chunks and filters of a dataset that somebody else has laid out. */
typedef struct {
    int64_t chunk[2]; /* elements; of a vector: one column */
    vel_packing packing;
    bool is_shuffled;
} vel_h5_form;

/* False: its chunks hold more than 1 MB, or what they go through is not gzip or lzf, with or without shuffling before
 * it. Then HDF5 writes it. */
bool vel_h5_form_of(hid_t dataset, vel_h5_form *form);

/* Writes rows row .. row + a->rows - 1 of a dataset of that form: all rows of the chunks that they touch, to the end of
 * the dataset at the most. */
vel_err vel_h5_pack_rows(vel_ctx *ctx, hid_t dataset, const vel_h5_form *form, int64_t row,
                         const vel_h5_array *a) VEL_CHECKED;

/* Writes all of a dataset made by vel_h5_pack_layout. The bytes do not depend on ctx->threads. Memory: 8 MB, and at
 * most 1 MB a thread. */
vel_err vel_h5_pack(vel_ctx *ctx, hid_t dataset, const vel_packing *packing, const vel_h5_array *a) VEL_CHECKED;

#endif
